import type { Row } from '../model/key.ts'
import type { Column } from './column.ts'
import { CUT, type RowSource } from './row-source.ts'
import type { Undo } from './undo.ts'
import { relatedKey } from './value-at.ts'

export type CellState = 'sending' | 'refused' | 'conflict'

/** A change of one cell: the value that is sent, and as it is shown. */
export interface Change {
  readonly column: Column
  readonly value: unknown
  readonly shown: unknown
}

/** A change that did not go through. What was typed is kept. */
export interface Trouble {
  readonly state: CellState
  readonly column: Column
  readonly message: string
  readonly value: unknown
  readonly shown: unknown
  readonly original: unknown
  /** What somebody else wrote meanwhile, and the version of the row with it. */
  readonly theirs?: unknown
  readonly etag?: string | null
}

export interface Refusal {
  readonly status: number
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}

/** The requests that writing needs. */
export interface Wire {
  readonly update: (
    key: string,
    change: Row,
    etag: string | null,
  ) => Promise<{ readonly data: Row; readonly etag: string | null }>
  /** The whole value of a cell that was cut for being long. */
  readonly readWhole: (key: string, path: string) => Promise<unknown>
  readonly refusalOf: (error: unknown) => Refusal
}

export interface Writes {
  readonly subscribe: (listen: () => void) => () => void
  readonly version: () => number
  readonly states: (key: string | null) => ReadonlyMap<string, CellState> | undefined
  readonly trouble: (key: string | null, path: string) => Trouble | null
  /** Whether a change may have moved the row elsewhere in the order, or out of the view. */
  readonly isMoved: (key: string | null) => boolean
  readonly write: (key: string, change: Change) => Promise<boolean>
  /** Gives up a refused change and shows the value as it was. */
  readonly restore: (key: string, path: string) => boolean
  /** Writes over what somebody else wrote. */
  readonly overwrite: (key: string, path: string) => void
  readonly takeTheirs: (key: string, path: string) => void
  readonly forget: () => void
}

/** The value that is sent for one that is shown: of a related row, its key. */
export const sentValue = ({ related }: Column, shown: unknown): unknown => {
  if (related === undefined || typeof shown !== 'object' || shown === null) return shown
  const [name = ''] = related.key
  return (shown as Row)[name]
}

const isCut = (value: unknown): boolean => typeof value === 'string' && value.length >= CUT

/** Writes cells one after the other for each row, shows them at once, and keeps what is refused. */
export function createWrites(source: RowSource, wire: Wire, undo: Undo): Writes {
  const listeners = new Set<() => void>()
  const cells = new Map<string, ReadonlyMap<string, Trouble>>()
  const states = new Map<string, ReadonlyMap<string, CellState>>()
  const queues = new Map<string, Promise<boolean>>()
  const etags = new Map<string, string | null>()
  const moved = new Set<string>()
  const { collection } = source.query
  const ordered = `${JSON.stringify(source.query.filter)} ${source.query.sort.join(' ')}`
  let version = 0

  function tell(): void {
    version += 1
    for (const listen of listeners) listen()
  }

  function mark(key: string, path: string, trouble: Trouble | null): void {
    const next = new Map(cells.get(key))
    if (trouble === null) next.delete(path)
    else next.set(path, trouble)
    cells.set(key, next)
    if (next.size === 0) states.delete(key)
    else states.set(key, new Map([...next].map(([name, { state }]) => [name, state])))
    tell()
  }

  const etagOf = (key: string): string | null => {
    const index = source.indexOf(key)
    return index === null ? (etags.get(key) ?? null) : source.etag(index)
  }

  /** Shows the row as it was answered, with what is still on its way. */
  function settle(key: string, row: Row, etag: string | null): void {
    etags.set(key, etag)
    source.put(key, row, etag ?? '')
    for (const { column, shown } of cells.get(key)?.values() ?? [])
      source.put(key, { [column.field.field]: shown }, null)
  }

  async function send(key: string, { column, value, shown }: Change, original: unknown): Promise<boolean> {
    const { path } = column
    const name = column.field.field
    const base = { column, value, shown, original }
    let etag = etagOf(key)
    try {
      const whole = isCut(original) ? await wire.readWhole(key, path) : original
      for (let attempt = 0; ; attempt++) {
        try {
          const answer = await wire.update(key, { [name]: value }, etag)
          mark(key, path, null)
          settle(key, answer.data, answer.etag)
          undo.follow(collection.collection, key, etag, answer.etag)
          undo.push({
            label: `${column.label} of ${key}`,
            steps: [
              {
                kind: 'update',
                collection,
                key,
                before: { [name]: sentValue(column, whole) },
                after: { [name]: value },
                shownBefore: { [name]: original },
                shownAfter: { [name]: answer.data[name] ?? shown },
                etag: answer.etag,
              },
            ],
          })
          return true
        } catch (error) {
          const { status, message, extensions } = wire.refusalOf(error)
          const current = extensions['current'] as Row | undefined
          if (status !== 412 || current === undefined) {
            mark(key, path, { ...base, state: 'refused', message })
            return false
          }
          etag = typeof extensions['etag'] === 'string' ? extensions['etag'] : null
          // another field changed: ours is as it was read, so the change still fits
          if (attempt === 0 && isSame(current[name], sentValue(column, whole))) continue
          mark(key, path, { ...base, state: 'conflict', message, theirs: current[name], etag })
          return false
        }
      }
    } catch (error) {
      mark(key, path, { ...base, state: 'refused', message: wire.refusalOf(error).message })
      return false
    }
  }

  const write: Writes['write'] = (key, change) => {
    const { path } = change.column
    const name = change.column.field.field
    const known = cells.get(key)?.get(path)
    const original = known === undefined ? source.rowOf(key)?.[name] : known.original
    source.put(key, { [name]: change.shown }, null)
    if (new RegExp(`\\b${name.replaceAll(/[^\w]/gu, '.')}\\b`, 'u').test(ordered)) moved.add(key)
    mark(key, path, { ...change, state: 'sending', message: '', original })
    const before = queues.get(key) ?? Promise.resolve(true)
    const sent = before.then(() => send(key, change, original))
    queues.set(key, sent)
    undo.hold(sent)
    return sent
  }

  const trouble: Writes['trouble'] = (key, path) => (key === null ? null : (cells.get(key)?.get(path) ?? null))

  // heard only while somebody looks: a source that is gone must not be held
  let stopHearing: (() => void) | null = null
  const hear = (): (() => void) => {
    const stopSent = undo.onSent(({ kind, collection: { collection: name }, key, shown, etag }) => {
      if (name !== collection.collection || kind !== 'update') return
      settle(key, shown, etag)
      tell()
    })
    const stopMoved = undo.onMoved(({ steps, isReadAgain = false }) => {
      const own = steps.filter((step) => step.collection.collection === collection.collection)
      if (own.some(({ kind }) => isReadAgain || kind !== 'update')) source.reload()
    })
    return () => {
      stopSent()
      stopMoved()
    }
  }

  return {
    subscribe: (listen) => {
      listeners.add(listen)
      stopHearing ??= hear()
      return () => {
        listeners.delete(listen)
        if (listeners.size > 0) return
        stopHearing?.()
        stopHearing = null
      }
    },
    version: () => version,
    states: (key) => (key === null ? undefined : states.get(key)),
    trouble,
    isMoved: (key) => key !== null && moved.has(key),
    write,
    restore: (key, path) => {
      const known = trouble(key, path)
      if (known === null || known.state === 'sending') return false
      mark(key, path, null)
      settle(key, { [known.column.field.field]: known.original }, known.etag ?? etagOf(key))
      return true
    },
    overwrite: (key, path) => {
      const known = trouble(key, path)
      if (known === null) return
      mark(key, path, null)
      settle(key, { [known.column.field.field]: known.theirs }, known.etag ?? null)
      void write(key, known)
    },
    takeTheirs: (key, path) => {
      const known = trouble(key, path)
      if (known === null) return
      mark(key, path, null)
      settle(key, { [known.column.field.field]: known.theirs }, known.etag ?? null)
    },
    forget: () => {
      moved.clear()
      tell()
    },
  }
}

/** Whether a value is still the one that was read: related rows count by their key. */
const isSame = (one: unknown, other: unknown): boolean =>
  relatedKey(one, []) === relatedKey(other, []) || JSON.stringify(one) === JSON.stringify(other)
