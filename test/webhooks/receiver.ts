import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../lib/service.ts'

/** A request that a receiver got. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> }
  readonly at: number
}

/** How a receiver answers: with a status, or in a way of its own. */
export type Answer = number | ((response: ServerResponse) => void)

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Connections that were opened. */
  readonly connections: () => number
  readonly until: (count: number, seconds?: number) => Promise<readonly Received[]>
  readonly close: () => Promise<void>
}

/** A place that webhooks are delivered to. `answer` gets the request and its number from 1. */
export async function startReceiver(
  answer: (received: Received, count: number) => Answer = () => 204,
  host = '127.0.0.1',
  port = 0,
): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const entry = { headers: request.headers, text, body: JSON.parse(text) as Received['body'], at: Date.now() }
      received.push(entry)
      const found = answer(entry, received.length)
      if (typeof found === 'number') response.writeHead(found).end()
      else found(response)
    })
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    received,
    connections: () => connections,
    async until(count, seconds = 30) {
      await until(() => received.length >= count, seconds, `${count} deliveries, there are ${received.length}`)
      return received
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
