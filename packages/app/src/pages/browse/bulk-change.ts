import type { Selection } from '../../grid/selection.ts'
import type { SourceQuery } from '../../grid/source.ts'
import { undoTab } from '../../grid/undo-tab.ts'
import type { Step } from '../../grid/undo.ts'
import type { Collection } from '../../model/collection.ts'
import type { Row } from '../../model/key.ts'
import { rowCount } from './delete-selected.ts'
import { changeRows, valuesOf, versionsOf, type Refusal } from './row-writes.ts'
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
  /** Its number among the acts of this tab; null: too many rows to keep their values, or none was changed. */
  readonly act: number | null
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
  const { changed, refusals, isCancelled } = await changeRows(collection, sameChange(keys, change), fields, options)
  const versions = before === null ? new Map<string, string>() : await versionsOf(collection, [...changed.keys()])
  const steps = stepsOf(collection, before ?? new Map(), change, versions)
  const act =
    steps.length === 0 ? null : undoTab.push({ label: `${rowCount(steps.length)} changed`, steps, isReadAgain: true })
  return { changed: changed.size, refusals, isCancelled, act }
}

/** What brings the values before back, for the rows whose version after the change is known. */
export const stepsOf = (
  collection: Collection,
  before: ReadonlyMap<string, Row>,
  after: Row,
  versions: ReadonlyMap<string, string>,
): readonly Step[] =>
  [...before].flatMap(([key, row]): readonly Step[] => {
    const etag = versions.get(key)
    if (etag === undefined) return []
    const values = Object.fromEntries(Object.keys(after).map((field) => [field, row[field]]))
    return [{ kind: 'update', collection, key, before: values, after, shownBefore: values, shownAfter: after, etag }]
  })

const sameChange = (keys: readonly string[], change: Row): ReadonlyMap<string, Row> =>
  new Map(keys.map((key) => [key, change]))
