import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

/** The build puts the page next to this file; in a checkout it is rendered. */
const PACKED = new URL('page.html.br', import.meta.url)

const decompress = promisify(brotliDecompress)

/** The HTML of the page. */
export const graphiqlHtml = async (): Promise<string> =>
  existsSync(PACKED) ? (await decompress(await readFile(PACKED))).toString('utf8') : render()

/** Renders the page from the package that contains it, which published packages do not install. */
export async function render(): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  // Browsers normalise line endings before they compare the script with its hash.
  return renderGraphiQL({ title: 'Tain GraphiQL', endpoint: '/graphql' }).replaceAll('\r\n', '\n')
}
