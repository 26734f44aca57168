import type { EventLog } from '../events/event-log.ts'
import type { LoggedChange } from '../events/logged-change.ts'
import type { Position } from '../events/position.ts'
import { createWriteSpans, type WriteSpan } from './hub-hints.ts'

/** Follows the log. */
export interface Tail {
  /** The place up to which changes were handed on; null: nobody follows. */
  readonly position: () => Position | null
  /** Begins at the newest place, unless it follows already. */
  readonly follow: () => Promise<void>
  /** Nobody listens any more. */
  readonly rest: () => void
  /** Reads what is new. Calls during a reading lead to one more. */
  readonly wake: () => void
  /** Resolves when nothing is being read. */
  readonly stop: () => Promise<void>
}

export interface TailOptions {
  readonly log: EventLog
  readonly onChange: (change: LoggedChange, write: WriteSpan) => void
  /** Before the changes of a batch. */
  readonly ready: (changes: readonly LoggedChange[]) => Promise<void>
  /** After the changes of a batch. */
  readonly onBatch: () => void
  /** Changes were lost: what was told so far cannot be gone on from. */
  readonly onLost: () => void
  readonly onError: (error: unknown) => void
}

const PAUSE = 250

export function createTail(options: TailOptions): Tail {
  const { log, onError } = options
  const place: Place = { position: null, spanOf: createWriteSpans() }
  let running: Promise<void> | null = null
  let isAsked = false
  let isStopped = false

  async function run(): Promise<void> {
    isAsked = false
    try {
      const hasMore = await step(place, options)
      isAsked = isAsked || hasMore
    } catch (error) {
      onError(error)
      isAsked = true
      await new Promise((resolve) => setTimeout(resolve, PAUSE).unref())
    }
  }

  const start = () => {
    running ??= run().finally(() => {
      running = null
      if (isAsked && !isStopped) start()
    })
  }

  return {
    position: () => place.position,
    async follow() {
      if (place.position !== null) return
      const { epoch, number } = await log.head()
      place.position ??= { epoch, number }
    },
    rest: () => {
      place.position = null
    },
    wake: () => {
      if (place.position === null || isStopped) return
      isAsked = true
      start()
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

interface Place {
  position: Position | null
  spanOf: (change: LoggedChange) => WriteSpan
}

/** Hands one batch on; false: there is no more. */
async function step(place: Place, { log, ready, onChange, onBatch, onLost }: TailOptions): Promise<boolean> {
  const { position } = place
  if (position === null) return false
  const { head, changes: found, isPart } = await log.following(position.number)
  // Another reading may have begun elsewhere meanwhile.
  if (place.position !== position) return false
  if (head.epoch !== position.epoch || head.number < position.number || head.oldest > position.number) {
    place.position = { epoch: head.epoch, number: head.number }
    place.spanOf = createWriteSpans()
    onLost()
    return false
  }
  const changes = isPart ? withoutPart(found) : found
  const last = changes.at(-1)
  if (last === undefined) return false
  await ready(changes)
  if (place.position !== position) return false
  for (const change of changes) if (change.kind !== 'heard') onChange(change, place.spanOf(change))
  place.position = { epoch: position.epoch, number: last.position }
  onBatch()
  return true
}

/** A full batch may end inside a write, which is left for the next one if others come before it. */
function withoutPart(changes: readonly LoggedChange[]): readonly LoggedChange[] {
  const write = changes.at(-1)?.write
  const end = changes.findIndex((change) => change.write === write)
  return end > 0 ? changes.slice(0, end) : changes
}
