import { createHash } from 'node:crypto'

/** A page with its headers. */
export interface Page {
  readonly html: string
  readonly etag: string
  readonly policy: string
}

let page: Promise<Page> | undefined

const digest = (text: string) => createHash('sha256').update(text).digest('base64')

async function render(): Promise<Page> {
  const { graphiqlHtml } = await import('@tain/graphiql')
  const html = await graphiqlHtml()
  return { html, etag: `"${digest(html)}"`, policy: policyOf(html) }
}

/** Only the page's own script runs, it connects only to this server, and no other site may frame it. */
function policyOf(html: string): string {
  const begin = html.indexOf('<script>') + '<script>'.length
  const script = html.slice(begin, html.indexOf('</script>', begin))
  return [
    "default-src 'none'",
    `script-src 'sha256-${digest(script)}'`,
    "style-src 'unsafe-inline'",
    "connect-src 'self'",
    'img-src data:',
    'font-src data:',
    'worker-src blob: data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The GraphiQL page. It contains all its scripts, so it works without any other server; it is rendered on first use.
 */
export const graphiqlPage = (): Promise<Page> => (page ??= render())
