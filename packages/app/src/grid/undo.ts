import type { Collection } from '../model/collection.ts'
import type { Row } from '../model/key.ts'

type Named = Pick<Collection, 'collection' | 'system' | 'key'>

/** One write, and what takes it back. `etag` is the version of the row after the last write of this tab. */
export type Step =
  | {
      readonly kind: 'update'
      readonly collection: Named
      readonly key: string
      readonly before: Row
      readonly after: Row
      /** The same values as they are shown: relations as rows. */
      readonly shownBefore: Row
      readonly shownAfter: Row
      readonly etag: string | null
    }
  | {
      readonly kind: 'create' | 'delete'
      readonly collection: Named
      readonly key: string
      readonly row: Row
      readonly etag: string | null
    }

/** What one act of the user wrote. `label` says it in words: `Status of order 12`. */
export interface Entry {
  readonly label: string
  readonly steps: readonly Step[]
  /** Its values are not known as a list shows them: rows are read again when it is taken back. */
  readonly isReadAgain?: boolean
}

/** What was sent to take a step back, or to do it again. */
export interface Sent {
  readonly kind: 'update' | 'create' | 'delete'
  readonly collection: Named
  readonly key: string
  readonly change: Row
  readonly shown: Row
  readonly etag: string | null
}

export interface Outcome {
  readonly label: string
  readonly done: number
  /** Rows that somebody changed since: they were left alone. */
  readonly stale: number
  readonly failures: readonly string[]
}

/** Writes one step and returns the version after it. Throws `Stale` when the row has changed since. */
export type Send = (sent: Sent) => Promise<{ readonly etag: string | null }>
export class Stale extends Error {}

export interface Undo {
  /** Remembers an act; returns its number. */
  readonly push: (entry: Entry) => number
  /** Takes the last act back; null: there is none, or it is not the one named. */
  readonly undo: (act?: number) => Promise<Outcome | null>
  readonly redo: () => Promise<Outcome | null>
  /** A write that is on its way: what is undone next waits for it. */
  readonly hold: (write: Promise<unknown>) => void
  /** A write of this tab changed the version of a row: what waits here still fits it. */
  readonly follow: (collection: string, key: string, from: string | null, to: string | null) => void
  /** Hears of every write that went through, to show it. */
  readonly onSent: (listen: (sent: Sent) => void) => () => void
  /** Hears of every act that was taken back or done again, when all of it was sent. */
  readonly onMoved: (listen: (entry: Entry) => void) => () => void
}

interface Act extends Entry {
  readonly act: number
}

const DEEPEST = 200
const AT_ONCE = 4

/** The acts of this tab, to be taken back one by one. */
export function createUndo(send: Send): Undo {
  let past: readonly Act[] = []
  let future: readonly Act[] = []
  let count = 0
  /** Ends when everything that was asked for is done: a key that is pressed meanwhile counts too. */
  let last: Promise<unknown> = Promise.resolve()
  const listeners = new Set<(sent: Sent) => void>()
  const movedListeners = new Set<(entry: Entry) => void>()

  const follow: Undo['follow'] = (collection, key, from, to) => {
    const renewed = (entry: Act): Act => ({
      ...entry,
      steps: entry.steps.map((step) =>
        step.collection.collection === collection && step.key === key && step.etag === from
          ? { ...step, etag: to }
          : step,
      ),
    })
    past = past.map(renewed)
    future = future.map(renewed)
  }

  async function run({ label, steps }: Entry, isBack: boolean): Promise<{ outcome: Outcome; kept: readonly Step[] }> {
    const kept: Step[] = []
    const failures: string[] = []
    let stale = 0
    const queue = isBack ? steps.toReversed() : [...steps]
    const next = async (): Promise<void> => {
      for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
        const sent = sentFor(step, isBack)
        try {
          const { etag } = await send(sent)
          kept.push({ ...step, etag })
          follow(step.collection.collection, step.key, step.etag, etag)
          for (const listen of listeners) listen({ ...sent, etag })
        } catch (error) {
          if (error instanceof Stale) stale += 1
          else failures.push(error instanceof Error ? error.message : String(error))
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
    return { outcome: { label, done: kept.length, stale, failures }, kept: isBack ? kept.toReversed() : kept }
  }

  async function move(isBack: boolean, act?: number): Promise<Outcome | null> {
    const entry = isBack ? past.at(-1) : future.at(-1)
    if (entry === undefined || (act !== undefined && act !== entry.act)) return null
    if (isBack) past = past.slice(0, -1)
    else future = future.slice(0, -1)
    const { outcome, kept } = await run(entry, isBack)
    const rest = { ...entry, steps: kept }
    if (kept.length > 0 && isBack) future = [...future, rest]
    else if (kept.length > 0) past = [...past, rest]
    for (const listen of movedListeners) listen(rest)
    return outcome
  }

  /** One after the other. */
  function inTurn(isBack: boolean, act?: number): Promise<Outcome | null> {
    const moved = last.then(() => move(isBack, act))
    last = moved.catch(() => null)
    return moved
  }

  return {
    push: (entry) => {
      count += 1
      past = [...past.slice(1 - DEEPEST), { ...entry, act: count }]
      future = []
      return count
    },
    undo: (act) => inTurn(true, act),
    redo: () => inTurn(false),
    hold: (write) => {
      last = Promise.allSettled([last, write])
    },
    follow,
    onSent: (listen) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    onMoved: (listen) => {
      movedListeners.add(listen)
      return () => movedListeners.delete(listen)
    },
  }
}

function sentFor(step: Step, isBack: boolean): Sent {
  const { collection, key, etag } = step
  if (step.kind === 'update')
    return {
      kind: 'update',
      collection,
      key,
      change: isBack ? step.before : step.after,
      shown: isBack ? step.shownBefore : step.shownAfter,
      etag,
    }
  const kind = (step.kind === 'create') === isBack ? 'delete' : 'create'
  return { kind, collection, key, change: step.row, shown: step.row, etag }
}
