import { messageOf } from '../../api/api-error.ts'
import type { Selection } from '../../grid/selection.ts'
import type { SourceQuery } from '../../grid/source.ts'
import type { Collection } from '../../model/collection.ts'
import type { Row } from '../../model/key.ts'
import { toast } from '../../ui/toasts.tsx'
import { afterWrite, rowCount } from './delete-selected.ts'
import { changeRows, valuesOf, type Outcome, type Refusal } from './row-writes.ts'
import { selectedKeys } from './selected-rows.ts'

/** Rows that a preview tries, and rows whose values are kept for an undo. */
const MOST = 1000
const SHOWN = 10

export interface Preview {
  readonly keys: readonly string[]
  /** How many rows were tried; the others are like them, as far as can be told. */
  readonly tried: number
  readonly accepted: number
  readonly refusals: readonly Refusal[]
  /** The first rows: before and after. */
  readonly sample: readonly { readonly key: string; readonly before: Row; readonly after: Row | null }[]
}

/** What a change would do. Sends the requests of the change, which the service then rolls back. */
export async function previewChange(query: SourceQuery, selection: Selection, change: Row): Promise<Preview> {
  const { collection } = query
  const fields = Object.keys(change)
  const keys = await selectedKeys(query, selection)
  const tried = keys.slice(0, MOST)
  const before = await valuesOf(collection, keys.slice(0, SHOWN), fields)
  const outcome = await changeRows(collection, sameChange(tried, change), fields, { isDryRun: true })
  return {
    keys,
    tried: tried.length,
    accepted: outcome.changed.size,
    refusals: outcome.refusals,
    sample: keys.slice(0, SHOWN).map((key) => ({
      key,
      before: before.get(key) ?? {},
      after: outcome.changed.get(key) ?? null,
    })),
  }
}

interface Applied {
  readonly changed: number
  readonly refusals: readonly Refusal[]
  readonly isCancelled: boolean
  /** The values before, by key; null: too many rows to keep them. */
  readonly inverse: ReadonlyMap<string, Row> | null
}

interface RunOptions {
  readonly signal: AbortSignal
  readonly onProgress: (done: number) => void
}

export async function applyChange(
  collection: Collection,
  keys: readonly string[],
  change: Row,
  options: RunOptions,
): Promise<Applied> {
  const fields = Object.keys(change)
  const before = keys.length > MOST ? null : await valuesOf(collection, keys, fields)
  const outcome = await changeRows(collection, sameChange(keys, change), fields, options)
  return {
    changed: outcome.changed.size,
    refusals: outcome.refusals,
    isCancelled: outcome.isCancelled,
    inverse: before === null ? null : inverseOf(before, outcome, fields),
  }
}

/** The changes that bring the values before back, for rows that were changed. */
export function inverseOf(
  before: ReadonlyMap<string, Row>,
  { changed }: Pick<Outcome, 'changed'>,
  fields: readonly string[],
): ReadonlyMap<string, Row> {
  return new Map(
    [...before]
      .filter(([key]) => changed.has(key))
      .map(([key, row]) => [key, Object.fromEntries(fields.map((field) => [field, row[field]]))]),
  )
}

export async function undoChange(
  collection: Collection,
  inverse: ReadonlyMap<string, Row>,
  reload: () => void,
): Promise<void> {
  try {
    const [first] = inverse.values()
    const { changed, refusals } = await changeRows(collection, inverse, Object.keys(first ?? {}))
    const refused = refusals[0]
    toast(
      refused === undefined
        ? `${rowCount(changed.size)} as before.`
        : `${rowCount(changed.size)} as before, ${rowCount(refusals.length)} refused: ${refused.reason}`,
    )
  } catch (error) {
    toast(messageOf(error), { tone: 'danger' })
  }
  afterWrite(collection, reload)
}

const sameChange = (keys: readonly string[], change: Row): ReadonlyMap<string, Row> =>
  new Map(keys.map((key) => [key, change]))
