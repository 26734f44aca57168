import { messageOf, type ErrorEntry } from '../../api/api-error.ts'
import { deleteItems, readItems, updateItems } from '../../api/items.ts'
import { queryClient } from '../../app/query-client.ts'
import { relationsQuery } from '../../api/queries.ts'
import type { Collection } from '../../model/collection.ts'
import { keyOf, keyPaths, type Row } from '../../model/key.ts'
import { pathOf } from '../../model/path.ts'
import { relationsTo } from '../../model/relation.ts'
import { batches, keyRow, keysFilter } from './row-keys.ts'

/** A row that a change did not reach, and why. */
export interface Refusal {
  readonly key: string
  readonly reason: string
}

interface EachResult {
  readonly status: number
  readonly data?: Row
  readonly errors?: readonly ErrorEntry[]
}

export interface Outcome {
  /** Rows as they are after the change, by their key. */
  readonly changed: ReadonlyMap<string, Row>
  readonly refusals: readonly Refusal[]
  readonly isCancelled: boolean
}

interface RunOptions {
  readonly isDryRun?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number) => void
}

/** Changes rows one by one in requests of 100: what one row refuses does not keep the others. */
export async function changeRows(
  collection: Collection,
  changes: ReadonlyMap<string, Row>,
  fields: readonly string[],
  { isDryRun = false, signal, onProgress }: RunOptions = {},
): Promise<Outcome> {
  const changed = new Map<string, Row>()
  const refusals: Refusal[] = []
  let done = 0
  for (const batch of batches([...changes])) {
    if (signal?.aborted === true) break
    const body = batch.map(([key, change]) => ({ ...keyRow(collection, key), ...change }))
    const { data } = await updateItems(collection, body, {
      isDryRun,
      isEach: true,
      fields: [...keyPaths(collection), ...fields.map((name) => pathOf(name))],
    })
    for (const [index, [key]] of batch.entries()) {
      const result = data[index] as EachResult | undefined
      if (result?.data === undefined)
        refusals.push({ key, reason: result?.errors?.[0]?.message ?? 'The service did not say why.' })
      else changed.set(key, result.data)
    }
    done += batch.length
    onProgress?.(done)
  }
  return { changed, refusals, isCancelled: signal?.aborted === true }
}

/** The values of rows as they are now, by their key. */
export async function valuesOf(
  collection: Collection,
  keys: readonly string[],
  fields: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>()
  for (const batch of batches(keys)) {
    const { data } = await readItems(collection, {
      filter: keysFilter(collection, batch),
      fields: [...new Set([...collection.key, ...fields])].map((name) => pathOf(name)),
      limit: batch.length,
    })
    for (const row of data) {
      const key = keyOf(collection, row)
      if (key !== null) found.set(key, row)
    }
  }
  return found
}

/** The versions of rows as they are now, by their key. */
export async function versionsOf(
  collection: Collection,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const batch of batches(keys)) {
    const { data, meta } = await readItems(collection, {
      filter: keysFilter(collection, batch),
      fields: keyPaths(collection),
      limit: batch.length,
      meta: ['etag'],
    })
    const etags = (meta['etags'] ?? []) as readonly (string | null)[]
    for (const [index, row] of data.entries()) {
      const [key, etag] = [keyOf(collection, row), etags[index] ?? null]
      if (key !== null && etag !== null) found.set(key, etag)
    }
  }
  return found
}

/** What else a deletion does. */
export interface Consequence {
  readonly collection: string
  readonly field: string
  readonly effect: 'deleted' | 'cleared' | 'refused'
  readonly count: number
}

const effects: Readonly<Record<string, Consequence['effect']>> = {
  CASCADE: 'deleted',
  'SET NULL': 'cleared',
  'SET DEFAULT': 'cleared',
}

/** Rows elsewhere that refer to the given ones, and what a deletion does to them. */
export async function consequencesOf(collection: Collection, keys: readonly string[]): Promise<readonly Consequence[]> {
  const relations = await queryClient.ensureQueryData(relationsQuery).catch(() => [])
  const [only] = collection.key
  if (collection.key.length !== 1 || only === undefined) return []
  const distinct = new Map(
    relationsTo(collection.collection, relations).map((each) => [`${each.collection}.${each.field}`, each]),
  )
  const found = [...distinct.values()].map(async (relation): Promise<Consequence> => {
    const filter = { [relation.field]: { [only]: keysFilter(collection, keys)[only] } }
    const query = { filter, limit: 0, meta: ['filter_count'], count_up_to: 10_000 }
    const count = await readItems({ collection: relation.collection }, query)
      .then(({ meta }) => Number(meta['filter_count']))
      .catch(() => 0)
    return {
      collection: relation.collection,
      field: relation.field,
      effect: effects[relation.schema?.on_delete ?? ''] ?? 'refused',
      count,
    }
  })
  return (await Promise.all(found)).filter(({ count }) => count > 0)
}

/** Why rows cannot be deleted; null: they can. Nothing is kept. */
export async function whyNotDeleted(collection: Collection, keys: readonly string[]): Promise<string | null> {
  try {
    await deleteItems(collection, { query: { filter: keysFilter(collection, keys) } }, { isDryRun: true })
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/** Deletes rows in requests of 100, each of which is all or nothing. */
export async function deleteRows(
  collection: Collection,
  keys: readonly string[],
  { signal, onProgress }: RunOptions = {},
): Promise<number> {
  let done = 0
  for (const batch of batches(keys)) {
    if (signal?.aborted === true) break
    await deleteItems(collection, { query: { filter: keysFilter(collection, batch) } })
    done += batch.length
    onProgress?.(done)
  }
  return done
}
