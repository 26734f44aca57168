import { expect, test } from 'vitest'
import { DatabaseError } from '../../driver.ts'
import { createConnectionPool, type Pooled } from './pool.ts'

const connection = (): Pooled => ({ dead: false, retired: false, held: false, since: 0, expires: Infinity })

function createPool() {
  let opens = 0
  const pool = createConnectionPool<Pooled>(
    { max: 4, queueMax: 10, acquireTimeout: 1000 },
    {
      open: () => (opens += 1),
      end: (_, done) => done(),
      destroy: () => undefined,
      failStatement: () => undefined,
      isReusable: () => true,
      isIdle: () => false,
      toConnectionError: () => new DatabaseError('unavailable', 'away'),
      cancelled: () => new DatabaseError('cancelled', 'cancelled'),
      probeMax: 100,
    },
  )
  return { pool, opens: () => opens }
}

test('when all connections are retired, the database counts as away until a new one is open', async () => {
  const { pool, opens } = createPool()
  const first = pool.acquire(undefined, () => undefined)
  expect(opens()).toBe(1)
  pool.opened(connection())
  const held = await first
  expect(pool.isReachable).toBe(true)

  pool.retireAll()
  expect(pool.isReachable).toBe(false)
  held.held = false
  pool.reuse(held)
  // Without a request: none may come while the database counts as away.
  expect(opens()).toBe(2)
  pool.opened(connection())
  expect(pool.isReachable).toBe(true)
  await pool.close()
})
