import { randomUUID } from 'node:crypto'
import type { Redis } from './redis.ts'

/** A version for each tag, which changes whenever something with that tag does. */
export interface TagVersions {
  /** In the order of the tags; null: unknown at the moment. */
  of(tags: readonly string[]): Promise<readonly string[] | null>
  change(tags: readonly string[]): Promise<void>
}

/** Versions are random, not counted: a counter that was lost would begin again and meet its old values. */
export function createMemoryVersions(): TagVersions {
  const versions = new Map<string, string>()
  return {
    of: async (tags) => tags.map((tag) => versions.get(tag) ?? ''),
    async change(tags) {
      for (const tag of tags) versions.set(tag, randomUUID())
    },
  }
}

/** One hash in Redis holds all versions. */
export function createSharedVersions(redis: Redis, key: string): TagVersions {
  /** Changes that Redis has not heard of. */
  const missed = new Set<string>()

  const change = async (tags: readonly string[]) => {
    // Redis refuses a command without fields, and an error would end the connection.
    if (tags.length === 0) return
    await redis.attempt(
      async (client) => {
        await client.hset(key, Object.fromEntries(tags.map((tag) => [tag, randomUUID()])))
        for (const tag of tags) missed.delete(tag)
      },
      () => tags.forEach((tag) => missed.add(tag)),
    )
  }

  // Sent before any other command of the new connection, so this process reads no version from before.
  redis.onConnect(() => void change([...missed]))

  return {
    of: (tags) =>
      redis.attempt<readonly string[] | null>(
        async (client) => {
          const found = await client.hmget(key, ...tags)
          const unknown = tags.filter((_, at) => (found[at] ?? null) === null)
          if (unknown.length === 0) return found.map(String)
          const multi = client.multi()
          for (const tag of unknown) multi.hsetnx(key, tag, randomUUID())
          const answers = (await multi.hmget(key, ...tags).exec()) ?? []
          const [, versions] = answers.at(-1) ?? []
          return Array.isArray(versions) ? versions.map(String) : null
        },
        () => null,
      ),
    change,
  }
}
