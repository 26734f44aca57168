import { readItems, type ItemQuery } from '../../api/items.ts'
import type { Selection } from '../../grid/selection.ts'
import type { SourceQuery } from '../../grid/source.ts'
import type { Collection } from '../../model/collection.ts'
import { keyOf, keyPaths, type Row } from '../../model/key.ts'
import { batches, keysFilter } from './row-keys.ts'

const PAGE = 1000

/** The query that finds the selected rows. */
export function selectedQuery({ collection, filter, search }: SourceQuery, selection: Selection): ItemQuery {
  if (!selection.isAll) return { filter: keysFilter(collection, [...selection.keys]) }
  return { ...(filter === null ? {} : { filter }), ...(search === '' ? {} : { search }) }
}

/** The keys of the selected rows; of all matching rows they are read page by page. */
export async function selectedKeys(
  query: SourceQuery,
  selection: Selection,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (!selection.isAll) return [...selection.keys]
  const rows = await readAll(
    query.collection,
    { ...selectedQuery(query, selection), fields: keyPaths(query.collection) },
    signal,
  )
  return rows.flatMap((row) => keyOf(query.collection, row) ?? [])
}

/** All rows of a query, page by page. */
export async function readAll(
  collection: Collection,
  query: ItemQuery,
  signal?: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = { ...query, limit: Math.min(PAGE, most - rows.length), meta: ['cursor'] }
    const { data, meta } = await readItems(collection, cursor === undefined ? page : { ...page, cursor }, signal)
    rows.push(...data)
    cursor = typeof meta['next_cursor'] === 'string' ? meta['next_cursor'] : undefined
  } while (cursor !== undefined && rows.length < most)
  return rows
}

/** The selected rows with the fields of the view, in batches short enough for any filter. */
export async function readSelected(query: SourceQuery, selection: Selection, most: number): Promise<readonly Row[]> {
  const { collection, fields, sort } = query
  const shape = { fields, ...(sort.length === 0 ? {} : { sort }) }
  if (selection.isAll)
    return await readAll(collection, { ...selectedQuery(query, selection), ...shape }, undefined, most)
  const rows: Row[] = []
  for (const keys of batches([...selection.keys].slice(0, most), 500))
    rows.push(...(await readAll(collection, { filter: keysFilter(collection, keys), ...shape })))
  return rows
}
