import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Observation } from '../observe.ts'
import { createRedis } from './redis.ts'
import type { RedisClient, RedisConnection } from './redis-connection.ts'

const TIMEOUT = 100

/** Connections to a server that `reach` makes reachable or not. */
function stage() {
  const observed: Observation[] = []
  const opened: { ended: (reason: string) => void; isClosed: boolean }[] = []
  let isReachable = true
  const open = async (): Promise<RedisConnection> => {
    if (!isReachable) throw new Error('refused')
    const state: (typeof opened)[number] = { ended: () => {}, isClosed: false }
    opened.push(state)
    return {
      client: {} as RedisClient,
      onEnd: (ended) => {
        state.ended = ended
      },
      subscribe: () => {},
      close: () => {
        state.isClosed = true
      },
    }
  }
  const redis = createRedis({
    open: async () => open,
    timeout: TIMEOUT,
    observe: (each) => observed.push(each),
    random: () => 1,
  })
  return {
    redis,
    opened,
    kinds: () => observed.map(({ kind }) => kind),
    reach: (is: boolean) => {
      isReachable = is
    },
  }
}

const never = () => new Promise<string>(() => {})
const memory = () => 'memory'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Redis behind its breaker', () => {
  test('answers by other means until it is connected, and reports the connection once', async () => {
    const { redis, kinds } = stage()
    expect(await redis.attempt(async () => 'redis', memory)).toBe('memory')
    redis.start()
    await vi.advanceTimersByTimeAsync(0)
    expect(await redis.attempt(async () => 'redis', memory)).toBe('redis')
    expect(redis.isUp()).toBe(true)
    expect(kinds()).toEqual(['redis-up'])
  })

  test('a start without Redis is reported once, and Redis is used when it comes', async () => {
    const { redis, kinds, reach } = stage()
    reach(false)
    redis.start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(kinds()).toEqual(['redis-down'])
    reach(true)
    await vi.advanceTimersByTimeAsync(2000)
    expect(kinds()).toEqual(['redis-down', 'redis-up'])
  })

  test('a late answer opens the breaker: later calls do not wait at all', async () => {
    const { redis, opened, kinds } = stage()
    redis.start()
    await vi.advanceTimersByTimeAsync(0)
    const answers: string[] = []
    const late = [1, 2, 3].map(async () => answers.push(await redis.attempt(never, memory)))
    await vi.advanceTimersByTimeAsync(TIMEOUT - 1)
    expect(answers).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    await Promise.all(late)
    expect(answers).toEqual(['memory', 'memory', 'memory'])
    expect(opened).toMatchObject([{ isClosed: true }])
    expect(await redis.attempt(never, memory)).toBe('memory')
    expect(kinds()).toEqual(['redis-up', 'redis-down'])
  })

  test('an error and a lost connection open it too, each connection once', async () => {
    const { redis, opened, kinds } = stage()
    redis.start()
    await vi.advanceTimersByTimeAsync(0)
    expect(await redis.attempt(() => Promise.reject(new Error('LOADING')), memory)).toBe('memory')
    opened[0]?.ended('closed')
    await vi.advanceTimersByTimeAsync(200)
    expect(opened).toHaveLength(2)
    opened[1]?.ended('reset')
    expect(redis.isUp()).toBe(false)
    expect(kinds()).toEqual(['redis-up', 'redis-down', 'redis-up', 'redis-down'])
  })

  test('a server that fails at every command is asked less and less often', async () => {
    const { redis, opened } = stage()
    redis.start()
    const tries = setInterval(() => void redis.attempt(() => Promise.reject(new Error('OOM')), memory), 10)
    await vi.advanceTimersByTimeAsync(60_000)
    clearInterval(tries)
    expect(opened.length).toBeGreaterThan(20)
    expect(opened.length).toBeLessThan(40)
  })

  test('nothing is opened after it was closed', async () => {
    const { redis, opened, kinds } = stage()
    redis.start()
    await vi.advanceTimersByTimeAsync(0)
    redis.close()
    opened[0]?.ended('closed')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened).toMatchObject([{ isClosed: true }])
    expect(kinds()).toEqual(['redis-up'])
  })
})
