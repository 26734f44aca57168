import { expect, test, vi } from 'vitest'
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

test('while a proxy holds a probe, others look for the server, three at most', async () => {
  vi.useFakeTimers()
  try {
    const { pool, opens } = createPool()
    const refused = pool.acquire(undefined, () => undefined).catch((error: unknown) => error)
    pool.openFailed(undefined, new Error('refused'))
    expect(await refused).toMatchObject({ fault: 'unavailable' })
    await vi.advanceTimersByTimeAsync(100)
    expect(opens()).toBe(2)
    await vi.advanceTimersByTimeAsync(400)
    expect(opens()).toBe(3)
    await vi.advanceTimersByTimeAsync(5000)
    expect(opens()).toBe(4)

    // The last one has found it; the others are given up by the proxy.
    pool.opened(connection())
    expect(pool.isReachable).toBe(true)
    pool.openFailed(undefined, new Error('too late'))
    pool.openFailed(undefined, new Error('too late'))
    await vi.advanceTimersByTimeAsync(5000)
    expect([opens(), pool.isReachable]).toEqual([4, true])
    await pool.close()
  } finally {
    vi.useRealTimers()
  }
})
