import type { LoggedChange } from '../events/logged-change.ts'

/** The numbers of the changes of one write in the log, as far as they have been read. */
export interface WriteSpan {
  readonly id: string
  readonly first: number
  last: number
}

/** What the log says of a key: that it changed, and what was there before. What is told is decided by reading the row. */
export interface Hint {
  readonly key: string
  /** The first and the last of its changes. */
  first: number
  last: number
  /** The write of the last change: events are told by writes. */
  write: WriteSpan
  isCreated: boolean
  /**
   * The images before each of its changes, with the position of the last change that each of them was before. All of them
   * count: a client may have been told of any state between two changes, because it is told the state of the moment of telling.
   */
  readonly before: Map<string, number>
  /** A row was there before one of the changes, and is not known. */
  isUnknown: boolean
}

/** Hints by key. */
export type Hints = Map<string, Hint>

/** Finds the write of each change. Changes have to come in the order of the log. */
export function createWriteSpans(): (change: LoggedChange) => WriteSpan {
  let current: WriteSpan | null = null
  return ({ write, position }) => {
    if (current === null || current.id !== write) current = { id: write, first: position, last: position }
    current.last = position
    return current
  }
}

export function addHint(hints: Hints, change: LoggedChange, write: WriteSpan): void {
  const { key, position, kind, before } = change
  const isCreated = kind === 'create'
  const known = hints.get(key)
  const hint = known ?? {
    key,
    first: position,
    last: position,
    write,
    isCreated,
    before: new Map<string, number>(),
    isUnknown: false,
  }
  hint.last = position
  hint.write = write
  hint.isCreated ||= isCreated
  if (before !== null) hint.before.set(before, position)
  else if (!isCreated) hint.isUnknown = true
  if (known === undefined) hints.set(key, hint)
}

/** Adds hints to others. */
export function absorbHints(into: Hints, hints: Iterable<Hint>): void {
  for (const hint of hints) {
    const known = into.get(hint.key)
    if (known === undefined) {
      into.set(hint.key, { ...hint, before: new Map(hint.before) })
      continue
    }
    if (hint.last > known.last) {
      known.last = hint.last
      known.write = hint.write
    }
    known.first = Math.min(known.first, hint.first)
    known.isCreated ||= hint.isCreated
    known.isUnknown ||= hint.isUnknown
    for (const [image, position] of hint.before)
      known.before.set(image, Math.max(position, known.before.get(image) ?? 0))
  }
}

/**
 * The hints to work off at once, in the order of their last changes. A write is not divided, unless it has more rows than
 * that by itself.
 */
export function takeHints(hints: Hints, most: number): readonly Hint[] {
  const sorted = [...hints.values()].toSorted((a, b) => a.last - b.last)
  if (sorted.length <= most) return sorted
  const next = sorted[most]
  const end = sorted.findIndex(({ write }) => write === next?.write)
  return sorted.slice(0, end > 0 ? Math.min(end, most) : most)
}
