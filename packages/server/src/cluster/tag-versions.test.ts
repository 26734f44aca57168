import { describe, expect, test } from 'vitest'
import type { RedisClient, RedisConnection } from './redis-connection.ts'
import type { Redis } from './redis.ts'
import { createResultCache } from './result-cache.ts'
import { createMemoryVersions, createSharedVersions } from './tag-versions.ts'

/** A Redis with the one hash that versions need; `reach` cuts it off. */
function fakeRedis() {
  const hash = new Map<string, string>()
  const connected: (() => void)[] = []
  let isReachable = true
  const hmget = (_: string, ...tags: string[]) => tags.map((tag) => hash.get(tag) ?? null)
  const client = {
    hmget: async (key: string, ...tags: string[]) => hmget(key, ...tags),
    hset: async (_: string, values: Record<string, string>) => {
      if (Object.keys(values).length === 0) throw new Error('ERR wrong number of arguments')
      for (const [tag, version] of Object.entries(values)) hash.set(tag, version)
    },
    multi: () => {
      const answers: unknown[] = []
      const multi = {
        hsetnx: (_: string, tag: string, version: string) => {
          if (!hash.has(tag)) hash.set(tag, version)
          answers.push([null, 1])
          return multi
        },
        hmget: (key: string, ...tags: string[]) => {
          answers.push([null, hmget(key, ...tags)])
          return multi
        },
        exec: async () => answers,
      }
      return multi
    },
  } as unknown as RedisClient
  const redis: Redis = {
    attempt: async (commands, instead) => (isReachable ? commands(client) : instead()),
    isUp: () => isReachable,
    onConnect: (listener) => void connected.push(() => listener({} as RedisConnection)),
    start: () => {},
    close: () => {},
  }
  return {
    redis,
    flush: () => hash.clear(),
    reach: (is: boolean) => {
      isReachable = is
      if (is) for (const listener of connected) listener()
    },
  }
}

describe('versions of tags in Redis', () => {
  test('are the same for all until one is changed, and never come back', async () => {
    const { redis, flush } = fakeRedis()
    const [one, other] = [createSharedVersions(redis, 'k'), createSharedVersions(redis, 'k')]
    const first = await one.of(['a', 'b'])
    expect(await other.of(['a', 'b'])).toEqual(first)
    await one.change(['a'])
    const second = await other.of(['a', 'b'])
    expect([second?.[0] === first?.[0], second?.[1] === first?.[1]]).toEqual([false, true])
    flush()
    const third = await other.of(['a', 'b'])
    expect(new Set([...(first ?? []), ...(second ?? []), ...(third ?? [])]).size).toBe(5)
  })

  test('of nothing can be changed', async () => {
    const { redis } = fakeRedis()
    await expect(createSharedVersions(redis, 'k').change([])).resolves.toBeUndefined()
  })

  test('are unknown without Redis, and a change meanwhile is made up for', async () => {
    const { redis, reach } = fakeRedis()
    const [one, other] = [createSharedVersions(redis, 'k'), createSharedVersions(redis, 'k')]
    const before = await other.of(['a', 'b'])
    reach(false)
    expect(await one.of(['a'])).toBeNull()
    await one.change(['a'])
    reach(true)
    const after = await other.of(['a', 'b'])
    expect([after?.[0] === before?.[0], after?.[1] === before?.[1]]).toEqual([false, true])
  })
})

describe('cached results', () => {
  const createCache = (size = 10_000_000) =>
    createResultCache({ versions: createMemoryVersions(), milliseconds: 60_000, size, shared: null })

  test('are read once for each key and version', async () => {
    const cache = createCache()
    let reads = 0
    const find = (key: string) => cache.find(['a', 'b'], key, async () => [key, (reads += 1)])
    expect([await find('x'), await find('x'), await find('y')]).toEqual([
      ['x', 1],
      ['x', 1],
      ['y', 2],
    ])
    await cache.change(['c'])
    expect(await find('x')).toEqual(['x', 1])
    await cache.change(['b'])
    expect(await find('x')).toEqual(['x', 3])
  })

  test('of a read during which something changed are not used afterwards', async () => {
    const cache = createCache()
    const old = await cache.find(['a'], 'x', async () => {
      await cache.change(['a'])
      return 'old'
    })
    expect([old, await cache.find(['a'], 'x', async () => 'new')]).toEqual(['old', 'new'])
  })

  test('that are too large are not kept, nor are errors', async () => {
    const cache = createCache()
    let reads = 0
    const large = async () => ((reads += 1), 'x'.repeat(2 ** 20))
    await cache.find(['a'], 'x', large)
    await cache.find(['a'], 'x', large)
    expect(reads).toBe(2)
    await expect(cache.find(['a'], 'y', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await cache.find(['a'], 'y', async () => 'there')).toBe('there')
  })
})
