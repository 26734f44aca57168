import { createMemoryLimiter, type Allowance, type CreateLimiter } from './limiter.ts'
import type { RedisClient } from './redis-connection.ts'
import type { Redis } from './redis.ts'

/**
 * Counts in Redis, for all replicas together. Each process also counts its own requests, so that it knows its share when
 * Redis fails.
 */
export const createSharedLimiters =
  (redis: Redis, prefix: string): CreateLimiter =>
  (options) => {
    const { name, points, seconds } = options
    const memory = createMemoryLimiter(options)
    const keyOf = (key: string) => `${prefix}:limit:${name}:${key}`
    const allowance = (count: number, wait: number, isExceeded: boolean): Allowance => ({
      isExceeded,
      limit: points,
      remaining: Math.max(0, points - count),
      wait: Math.max(0, wait),
    })
    return {
      async consume(key) {
        const own = await memory.consume(key)
        return redis.attempt(
          async (client) => {
            const [count, wait] = await counted(client, keyOf(key), seconds * 1000)
            return allowance(count, wait, count > points)
          },
          () => own,
        )
      },
      look: (key) =>
        redis.attempt(
          async (client) => {
            const [[, count = null] = [], [, wait = 0] = []] =
              (await client.multi().get(keyOf(key)).pttl(keyOf(key)).exec()) ?? []
            return allowance(Number(count), Number(wait), Number(count) >= points)
          },
          () => memory.look(key),
        ),
      async restore(key) {
        await memory.restore(key)
        await redis.attempt(
          (client) => client.del(keyOf(key)),
          () => 0,
        )
      },
    }
  }

/** The period begins with the first request. */
async function counted(client: RedisClient, key: string, milliseconds: number): Promise<readonly [number, number]> {
  const answers = await client.multi().set(key, 0, 'PX', milliseconds, 'NX').incr(key).pttl(key).exec()
  const [, [, count] = [], [, wait] = []] = answers ?? []
  if (typeof count !== 'number' || typeof wait !== 'number') throw new Error('Redis did not count')
  return [count, wait]
}
