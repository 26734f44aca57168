import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Redis } from './redis.ts'
import type { TagVersions } from './tag-versions.ts'

/** Keeps results until one of their tags changes, or their time is over. */
export interface ResultCache {
  /** The result of an earlier call with the same key, or else of `read`. It has to survive JSON. */
  find<T>(tags: readonly string[], key: string, read: () => Promise<T>): Promise<T>
  /** Call it after a change, and before anybody learns that the change is done. */
  change(tags: readonly string[]): Promise<void>
}

export interface ResultCacheOptions {
  readonly versions: TagVersions
  readonly milliseconds: number
  /** Most bytes of memory, approximately. */
  readonly size: number
  /** Null: in memory alone. */
  readonly shared: { readonly redis: Redis; readonly prefix: string } | null
}

/** Of one result, as JSON. Larger ones cost more to copy than they save. */
const LARGEST = 1024 ** 2
const ENTRY = 200

/**
 * Versions are read before the result: a change during the read leads to a result with the older versions, which no later
 * call asks for.
 */
export function createResultCache({ versions, milliseconds, size, shared }: ResultCacheOptions): ResultCache {
  const memory = new LRUCache<string, string>({
    maxSize: size,
    maxEntrySize: LARGEST + ENTRY,
    sizeCalculation: (text, key) => text.length + key.length + ENTRY,
    ttl: milliseconds,
  })

  const stored = async (name: string): Promise<string | null> => {
    const own = memory.get(name)
    if (own !== undefined || shared === null) return own ?? null
    const { redis, prefix } = shared
    // The time that is left comes along, so that memory does not extend it.
    const [text, left] = await redis.attempt<readonly [string | null, number]>(
      async (client) => {
        const answers =
          (await client
            .multi()
            .get(prefix + name)
            .pttl(prefix + name)
            .exec()) ?? []
        const [found, time] = answers.map(([, value]) => value)
        return typeof found === 'string' ? [found, Number(time)] : [null, 0]
      },
      () => [null, 0],
    )
    if (text !== null && left > 0) memory.set(name, text, { ttl: left })
    return text
  }

  const store = (name: string, text: string) => {
    if (text.length > LARGEST) return
    memory.set(name, text)
    if (shared === null) return
    const { redis, prefix } = shared
    void redis.attempt<unknown>(
      (client) => client.set(prefix + name, text, 'PX', milliseconds),
      () => null,
    )
  }

  return {
    async find<T>(tags: readonly string[], key: string, read: () => Promise<T>): Promise<T> {
      const current = await versions.of(tags)
      if (current === null) return read()
      const name = createHash('sha256')
        .update(JSON.stringify([tags, current, key]))
        .digest('base64url')
      const text = await stored(name)
      if (text !== null) return JSON.parse(text) as T
      const result = await read()
      store(name, JSON.stringify(result))
      return result
    },
    change: (tags) => versions.change(tags),
  }
}
