import type { Change } from '../../packages/server/src/changes/change.ts'
import type { ChangeConsumer } from '../../packages/server/src/changes/sink.ts'
import type { EventLog } from '../../packages/server/src/events/event-log.ts'
import type { LoggedChange, NewChange } from '../../packages/server/src/events/logged-change.ts'
import { joinedKey } from '../../packages/server/src/query/keys.ts'

/** A log in memory, for tests of those who read it: what it has and when it has it is for the test to say. */
export interface MemoryLog extends EventLog {
  readonly consumer: ChangeConsumer
  /** The changes since the last call are committed, or not. */
  readonly commit: (isDone: boolean) => void
  /** Adds changes as another program would make them. */
  readonly add: (changes: readonly NewChange[]) => void
  /** Commits reach readers only when the log is open. */
  readonly hold: () => void
  readonly release: () => void
  /** How often changes were read. */
  readonly reads: () => number
  /** The head is told only after this, as it was when it was asked for; resolves when somebody has asked. */
  readonly holdHead: (until: Promise<void>) => Promise<void>
  /** The database is replaced by one from before all changes. */
  readonly restore: () => void
  /** Forgets changes up to here. */
  readonly forget: (number: number) => void
}

export function createMemoryLog(): MemoryLog {
  const log: LoggedChange[] = []
  const images = new Map<string, string>()
  const captured = new Map<string, number>()
  const listeners = new Set<() => void>()
  let uncommitted: Change[] = []
  let heads: Promise<void> = Promise.resolve()
  let onHead = () => {}
  let held: LoggedChange[] | null = null
  let [epoch, oldest, writes, reads] = ['e1', 0, 0, 0]

  const news = () => listeners.forEach((listener) => listener())
  const append = (changes: readonly NewChange[]) => {
    const target = held ?? log
    for (const change of changes)
      target.push({ ...change, position: log.length + (held?.length ?? 0) + 1, at: new Date().toISOString() })
    if (held === null) news()
  }

  const changeOf = ({ action, collection, key, after, actor }: Change): NewChange[] => {
    if (action === 'login' || action === 'logout') return []
    const joined = joinedKey(key)
    const name = `${collection.name} ${joined}`
    const before = images.get(name) ?? null
    if (action === 'delete' || after === null) images.delete(name)
    else images.set(name, after)
    return [
      {
        write: `w${writes}`,
        collection: collection.name,
        key: joined,
        kind: action,
        before: action === 'create' ? null : before,
        after: action === 'delete' ? null : after,
        user: actor,
      },
    ]
  }

  return {
    consumer: {
      wants: () => ({ before: true, after: true }),
      consume: async (changes) => void uncommitted.push(...changes),
      inStatement: () => null,
    },
    commit(isDone) {
      const changes = uncommitted
      uncommitted = []
      writes += 1
      if (isDone) append(changes.flatMap(changeOf))
    },
    add: (changes) => append(changes),
    hold: () => {
      held ??= []
    },
    release: () => {
      log.push(...(held ?? []))
      held = null
      news()
    },
    reads: () => reads,
    forget: (number) => {
      oldest = number
    },
    holdHead: (until) => {
      heads = until
      return new Promise((resolve) => {
        onHead = resolve
      })
    },
    head: async () => {
      const head = { epoch, number: log.length, oldest }
      onHead()
      await heads
      return head
    },
    now: async () => ({ epoch, number: log.length }),
    following: async (after) => {
      reads += 1
      return {
        head: { epoch, number: log.length, oldest },
        changes: log.slice(after, after + 1000),
        isPart: log.length > after + 1000,
      }
    },
    changes: async ({ after, upTo = log.length, most, collection }) => {
      reads += 1
      return log
        .slice(after, upTo)
        .filter((change) => collection === undefined || change.collection === collection)
        .slice(0, most)
    },
    onNews: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hurry: news,
    capture: async (collections) => {
      for (const name of collections) if (!captured.has(name)) captured.set(name, log.length)
      return () => {}
    },
    capturedSince: async (collection) => captured.get(collection) ?? null,
    append: async (changes) => append(changes),
    told: news,
    heard: async () => undefined,
    settled: async () => undefined,
    restore: () => {
      log.length = 0
      epoch = `e${Number(epoch.slice(1)) + 1}`
      news()
    },
    renewEpoch: async () => {
      epoch = `e${Number(epoch.slice(1)) + 1}`
      news()
    },
    start: () => {},
    stop: async () => {},
  }
}
