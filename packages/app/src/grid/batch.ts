import { ApiError, messageOf } from '../api/api-error.ts'
import { createItem, readItems, updateItems } from '../api/items.ts'
import { keyFilter, keyOf, keyPaths, type Row } from '../model/key.ts'
import type { RowSource } from './row-source.ts'
import type { Step } from './undo.ts'
import { undoTab } from './undo-tab.ts'

/** A change of one row, or a new one. */
export interface RowChange {
  /** Null: a new row. */
  readonly key: string | null
  readonly change: Row
  /** As they were and as they are shown, for taking it back. */
  readonly before: Row
  readonly shown: Row
}

export interface BatchResult {
  readonly written: number
  /** The reasons of refused rows, by their place in the list. */
  readonly refused: ReadonlyMap<number, string>
  /** The keys of new rows. */
  readonly created: readonly string[]
  /** The number of this act, to undo it; null: nothing was written. */
  readonly act: number | null
}

const AT_ONCE = 100

interface Each {
  readonly status: number
  readonly data?: Row
  readonly errors?: readonly { readonly message: string }[]
}

/** Writes many rows, 100 in a request, each written or refused by itself. One act to undo. */
export async function writeRows(
  source: RowSource,
  changes: readonly RowChange[],
  label: string,
  onProgress: (done: number) => void,
  signal?: AbortSignal,
): Promise<BatchResult> {
  const refused = new Map<number, string>()
  const created: string[] = []
  const steps: Step[] = []
  let done = 0
  const parts = [true, false].flatMap((isNew) => {
    const places = changes.flatMap((change, place) => ((change.key === null) === isNew ? [place] : []))
    return Array.from({ length: Math.ceil(places.length / AT_ONCE) }, (_, part) => ({
      isNew,
      places: places.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
    }))
  })
  for (const { isNew, places } of parts.toReversed()) {
    if (signal?.aborted === true) break
    const results = await sent(
      source,
      places.flatMap((place) => changes[place] ?? []),
      isNew,
    )
    const versions = await versionsOf(source, results)
    for (const [index, place] of places.entries()) {
      const result = results[index]
      const change = changes[place]
      if (change === undefined) continue
      if (result === undefined || result.status >= 400) {
        refused.set(place, result?.errors?.[0]?.message ?? 'The service did not say why.')
        continue
      }
      const key = change.key ?? keyOf(source.query.collection, result.data ?? {})
      if (key === null) continue
      const now = versions.get(key)
      steps.push(stepOf(source, key, change, now?.etag ?? null, result.data ?? {}))
      if (isNew) created.push(key)
      else source.put(key, now?.row ?? change.shown, now?.etag ?? '')
    }
    done += places.length
    onProgress(done)
  }
  const act = steps.length > 0 ? undoTab.push({ label, steps }) : null
  return { written: steps.length, refused, created, act }
}

function stepOf(source: RowSource, key: string, change: RowChange, etag: string | null, made: Row): Step {
  const { collection } = source.query
  if (change.key === null) return { kind: 'create', collection, key, row: { ...change.change, ...made }, etag }
  return {
    kind: 'update',
    collection,
    key,
    before: change.before,
    after: change.change,
    shownBefore: pick(source.rowOf(key) ?? {}, Object.keys(change.change)),
    shownAfter: change.shown,
    etag,
  }
}

const pick = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]))

async function sent(source: RowSource, changes: readonly RowChange[], isNew: boolean): Promise<readonly Each[]> {
  const { collection } = source.query
  const options = { isEach: true, fields: keyPaths(collection) }
  try {
    const { data } = isNew
      ? await createItem(
          collection,
          changes.map(({ change }) => change),
          options,
        )
      : await updateItems(
          collection,
          changes.map((change) => withKey(source, change)),
          options,
        )
    return data as readonly Each[]
  } catch (error) {
    // the request as a whole was refused: so was every row of it
    const message = messageOf(error)
    const status = error instanceof ApiError ? Math.max(400, error.status) : 500
    return changes.map(() => ({ status, errors: [{ message }] }))
  }
}

/** A change with the key of its row, in the types that the row has. */
function withKey({ query: { collection }, rowOf }: RowSource, { key, change }: RowChange): Row {
  const row = rowOf(key ?? '') ?? {}
  return { ...Object.fromEntries(collection.key.map((name) => [name, plainKey(row[name])])), ...change }
}

const plainKey = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.values(value)[0] : value

/** The rows as they are after writing, with their versions. */
async function versionsOf(
  { query: { collection, fields } }: RowSource,
  results: readonly Each[],
): Promise<ReadonlyMap<string, { readonly row: Row; readonly etag: string | null }>> {
  const keys = results.flatMap(({ data }) => (data === undefined ? [] : (keyOf(collection, data) ?? [])))
  if (keys.length === 0) return new Map()
  try {
    const { data, meta } = await readItems(collection, {
      fields,
      filter: { _or: keys.map((key) => keyFilter(collection, key)) },
      limit: -1,
      meta: ['etag'],
      cut: 200,
    })
    const etags = (meta['etags'] ?? []) as readonly (string | null)[]
    return new Map(data.map((row, index) => [keyOf(collection, row) ?? '', { row, etag: etags[index] ?? null }]))
  } catch {
    return new Map()
  }
}
