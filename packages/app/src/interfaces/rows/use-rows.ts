import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { readItem, readItems } from '../../api/items.ts'
import type { Collection } from '../../model/collection.ts'
import { keyFilter, type Row } from '../../model/key.ts'
import { below, pathOf } from '../../model/path.ts'

export const PAGE = 25

interface RowsPage {
  readonly rows: readonly Row[]
  readonly count: number
}

/** One page of the rows of a list, read through the row that has it: lists with and without a junction alike. */
export function useRows(parent: Collection, key: string | null, field: string, paths: readonly string[], page: number) {
  return useQuery({
    queryKey: ['items', parent.collection, 'rows', key, field, paths, page],
    enabled: key !== null && paths.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<RowsPage> => {
      const { data } = await readItem(
        parent,
        key ?? '',
        {
          fields: [`count(${pathOf(field)})`, ...paths.map((path) => below(field, path))],
          deep: { [field]: { _limit: PAGE, _offset: page * PAGE } },
        },
        signal,
      )
      const rows = data[field]
      return { rows: Array.isArray(rows) ? (rows as readonly Row[]) : [], count: Number(data[`${field}_count`] ?? 0) }
    },
  })
}

/** Rows by their keys: those that are staged and not on the page that is shown. */
export function useRowsByKey(collection: Collection, keys: readonly string[], paths: readonly string[]) {
  return useQuery({
    queryKey: ['items', collection.collection, 'by key', keys, paths],
    enabled: keys.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await readItems(
          collection,
          { fields: paths, filter: { _or: keys.map((key) => keyFilter(collection, key)) }, limit: keys.length },
          signal,
        )
      ).data,
  })
}
