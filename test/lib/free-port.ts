import { createServer } from 'node:net'

const FIRST = 10_100
const LAST = 29_999
/** A port is free until its server listens, so processes that run side by side choose from parts of their own. */
const PARTS = 8
const SIZE = Math.floor((LAST + 1 - FIRST) / PARTS)
const part = Number(process.env['VITEST_POOL_ID'] ?? 0) % PARTS
const given = new Set<number>()

/**
 * Returns a free port. It lies below the range of ephemeral ports, so that no outgoing connection takes it and a client
 * that connects to a stopped server never connects to itself. It lies above 10,080, the highest port that `fetch`
 * refuses to connect to.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + part * SIZE + Math.floor(Math.random() * SIZE)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
