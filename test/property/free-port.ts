import { createServer } from 'node:net'

/**
 * Returns a free port. It lies below the range of ephemeral ports, so that no outgoing connection takes it and a client
 * that connects to a stopped server never connects to itself. It lies above 10,080, the highest port that `fetch`
 * refuses to connect to.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_100 + Math.floor(Math.random() * 19_900)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
