import { createHash } from 'node:crypto'
import type { Page } from './page.ts'

export interface RootPageFacts {
  readonly rest: string
  readonly graphql: string
  readonly ping: string
  readonly info: string
  /** null: the service keeps no users. */
  readonly login: string | null
  /** The GraphQL address shows GraphiQL in a browser. */
  readonly hasGraphiql: boolean
  /** The page about the OpenAPI document; null: there is none. */
  readonly reference: string | null
}

const style = `
:root { color-scheme: light dark; --h: 240; --a: 196;
  --desk: oklch(0.965 0.004 var(--h)); --sheet: oklch(1 0 0); --sunken: oklch(0.978 0.003 var(--h));
  --line: oklch(0.915 0.006 var(--h)); --ink: oklch(0.24 0.016 var(--h)); --ink-2: oklch(0.43 0.016 var(--h));
  --accent: oklch(0.46 0.08 var(--a)); --focus: oklch(0.56 0.1 var(--a)); --silver: oklch(0.8 0.012 var(--h)) }
@media (prefers-color-scheme: dark) { :root {
  --desk: oklch(0.165 0.008 var(--h)); --sheet: oklch(0.205 0.009 var(--h)); --sunken: oklch(0.188 0.009 var(--h));
  --line: oklch(0.285 0.012 var(--h)); --ink: oklch(0.94 0.006 var(--h)); --ink-2: oklch(0.78 0.012 var(--h));
  --accent: oklch(0.8 0.095 var(--a)); --focus: oklch(0.74 0.11 var(--a)); --silver: oklch(0.5 0.014 var(--h)) } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--desk);
  color: var(--ink); font: 420 1rem/1.55 Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', sans-serif }
main { width: min(41rem, 100%); padding: 40px 44px; background: var(--sheet); border: 1px solid var(--line);
  border-radius: 14px; border-top: 3px solid var(--silver) }
h1 { margin: 0; font-size: 1.625rem; font-weight: 620; letter-spacing: -0.01em }
p { margin: 4px 0 28px; color: var(--ink-2) }
dl { margin: 0; display: grid; grid-template-columns: 6.5rem 1fr; row-gap: 20px }
dt { font-weight: 520 }
dd { margin: 0; color: var(--ink-2); font-size: 0.9375rem; min-width: 0 }
a { color: var(--accent); text-underline-offset: 3px }
a:focus-visible { outline: 2px solid var(--focus); outline-offset: 3px; border-radius: 4px }
code, pre { font: 0.8125rem/1.5 ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace; color: var(--ink) }
pre { margin: 8px 0 0; padding: 10px 14px; overflow-x: auto; background: var(--sunken); border: 1px solid var(--line);
  border-radius: 6px }
@media (max-width: 34rem) { main { padding: 28px 22px } dl { grid-template-columns: 1fr; row-gap: 4px } dd { margin-bottom: 16px } }
`

const icon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#3a6f7d"/><path d="M4 5h8M8 5v7" stroke="#fff" stroke-width="2"/></svg>',
)

const bodyOf = ({ rest, graphql, ping, info, login, hasGraphiql, reference }: RootPageFacts) => `<main>
<h1>Tain</h1>
<p>This server gives a SQL database a REST and GraphQL API.</p>
<dl>
<dt>REST</dt>
<dd>Every table and view is a collection below <code>${rest}</code>.${reference === null ? '' : ` <a href="${reference}">Open the API reference</a> to see and try all operations.`}
<pre>GET ${rest}/&lt;collection&gt;?limit=3</pre></dd>
<dt>GraphQL</dt>
<dd>${hasGraphiql ? `<a href="${graphql}">Open GraphiQL</a> to write queries in the browser, or send them` : 'Send queries'} to <code>${graphql}</code>.</dd>
<dt>Access</dt>
<dd>Send <code>Authorization: Bearer &lt;token&gt;</code>.${login === null ? '' : ` <code>POST ${login}</code> with an e-mail address and a password gives a token.`}</dd>
<dt>Status</dt>
<dd><a href="${ping}">${ping}</a> says that the server runs, <a href="${info}">${info}</a> describes the project.</dd>
</dl>
</main>`

const digest = (text: string) => createHash('sha256').update(text).digest('base64')

/** The page at `/`. It loads nothing, runs no script, and says nothing about the version or the database. */
export function rootPage(facts: RootPageFacts): Page {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Tain</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<style>${style}</style>
</head>
<body>
${bodyOf(facts)}
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${digest(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html, etag: `"${digest(html)}"`, policy }
}
