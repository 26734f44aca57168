import { createServer } from 'node:net'

/**
 * A port that nobody listens on. It lies below the range that outgoing connections take theirs from, so that none of them
 * gets in between, and somebody who knocks at a server that is down never gets connected to himself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
