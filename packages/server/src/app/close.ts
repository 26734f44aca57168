import { Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { poolsOf, type Database } from '../sql/database.ts'

const IDLE_GRACE = 500
const QUIET_GRACE = 2000
const SHORT_TURN = 0.5

/** Stops listening, lets requests finish, closes each connection after its last response, then cuts the rest. */
export async function closeGently(server: FastifyInstance, timeout: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), timeout)
  await quietPeriod(server)
  const closed = new Promise<void>((resolve) => {
    // Not http's own close: it cuts idle connections at once, although a request may be in transit on each of them.
    NetServer.prototype.close.call(server.server, () => resolve())
  })
  // A request may be in transit on an idle connection, so idle connections stay open a little longer.
  const idle = setTimeout(() => server.server.closeIdleConnections(), IDLE_GRACE)
  await closed
  clearTimeout(cut)
  clearTimeout(idle)
  await server.close()
}

/**
 * Closing the port resets connections that the kernel has established and we have not accepted yet. So it is closed
 * after a short event loop turn without a new connection, or after QUIET_GRACE at the latest.
 */
async function quietPeriod({ server }: FastifyInstance): Promise<void> {
  const deadline = performance.now() + QUIET_GRACE
  let arrived = 0
  const count = () => (arrived += 1)
  server.on('connection', count)
  for (let isQuiet = false; !isQuiet && performance.now() < deadline;) {
    const [before, began] = [arrived, performance.now()]
    await new Promise((resolve) => setImmediate(resolve))
    isQuiet = arrived === before && performance.now() - began < SHORT_TURN
  }
  server.off('connection', count)
}

export async function closeConnections(database: Database): Promise<void> {
  await Promise.all(poolsOf(database).map(([, driver]) => driver.close()))
}
