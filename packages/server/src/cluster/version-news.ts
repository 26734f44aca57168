import type { Bus } from './bus.ts'

type Kind = 'schema' | 'permissions'

/**
 * Replicas tell each other of new versions, so that they read them before the next request. Every response is checked
 * against the database anyway: without news, a request notices by itself.
 */
export interface VersionNews {
  /** This process has read a version. The others are told if it is the first to know. */
  tell(kind: Kind, version: number): void
  /** `read` finds out what is new. Calls do not overlap: news during a call lead to one more. */
  onNews(read: () => Promise<void>): void
}

const form = /^(schema|permissions) (\d{1,15})$/u

/** Replicas do not all read at the same moment. */
const JITTER = 50

export function createVersionNews(bus: Bus): VersionNews {
  const known: Record<Kind, number | null> = { schema: null, permissions: null }
  const heard: Record<Kind, number> = { schema: 0, permissions: 0 }
  return {
    tell(kind, version) {
      const before = known[kind]
      if (before !== null && version <= before) return
      known[kind] = version
      // The first version is the one that the process has started with.
      if (before !== null && version > heard[kind]) bus.publish(`${kind} ${version}`)
    },
    onNews(read) {
      let state: 'idle' | 'waiting' | 'reading' | 'again' = 'idle'
      const later = () => {
        state = 'waiting'
        setTimeout(() => void now(), Math.random() * JITTER).unref()
      }
      const now = async () => {
        state = 'reading'
        // The next request, or the poll, finds out what this did not.
        await read().catch(() => {})
        if ((state as string) === 'again') later()
        else state = 'idle'
      }
      bus.onMessage((text) => {
        const [, name, version] = form.exec(text) ?? []
        if (name === undefined) return
        const kind = name as Kind
        heard[kind] = Math.max(heard[kind], Number(version))
        if (Number(version) <= (known[kind] ?? Number.POSITIVE_INFINITY)) return
        if (state === 'idle') later()
        else if (state === 'reading') state = 'again'
      })
    },
  }
}
