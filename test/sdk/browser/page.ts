import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ENTRIES = ['index', 'procedures'] as const

/** The SDK as it is published: one file per entry. */
async function builtSdk(): Promise<ReadonlyMap<string, string>> {
  const source = join(import.meta.dirname, '../../../packages/sdk/src')
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(source, `${name}.ts`)])),
    platform: 'neutral',
  })
  const { output } = await bundle.generate({ format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code] as const] : [])))
}

export interface Site {
  readonly origin: string
  readonly close: () => Promise<void>
}

/** A site with an empty page and the files of the SDK, at another origin than the service. */
export async function serveSdk(): Promise<Site> {
  const files = await builtSdk()
  const server: Server = createServer(({ url = '/' }, response) => {
    const file = files.get(url)
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
    response.end(file ?? '<!doctype html><title>Shop</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { origin: `http://127.0.0.1:${port}`, close }
}
