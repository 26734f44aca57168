import { createHash } from 'node:crypto'

/** A page with the headers that go along. */
export interface Page {
  readonly html: string
  readonly etag: string
  readonly policy: string
}

let page: Promise<Page> | undefined

const digest = (text: string) => createHash('sha256').update(text).digest('base64')

async function render(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  // As browsers read it, because they compare the script with its hash.
  const html = renderGraphiQL({ title: 'Tain GraphiQL', endpoint: '/graphql' }).replaceAll('\r\n', '\n')
  return { html, etag: `"${digest(html)}"`, policy: policyOf(html) }
}

/** Only the script of the page itself runs, it speaks to this server alone, and no other site may show it. */
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

/** A page to try requests in. It holds all its scripts, so that it works without any other server; it is made when asked for. */
export const graphiqlPage = (): Promise<Page> => (page ??= render())
