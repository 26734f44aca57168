import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Metrics } from './metrics.ts'

/** The port for Prometheus. It is not part of the API: it has no login and no limits. */
export interface MetricsEndpoint {
  listen(address: { readonly host: string; readonly port: number }): Promise<void>
  close(): Promise<void>
}

export function createMetricsEndpoint(metrics: Metrics): MetricsEndpoint {
  const server = createServer((request, response) => void answer(metrics, request, response))
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(metrics: Metrics, { method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('The metrics are at GET /metrics.\n')
    return
  }
  try {
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  } catch {
    response.writeHead(500).end()
  }
}
