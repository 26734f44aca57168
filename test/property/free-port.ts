import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port that nobody listens on. It lies below the range that outgoing connections take theirs from, so that none of them
 * gets in between, and somebody who knocks at a server that is down never gets connected to himself.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ])
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
