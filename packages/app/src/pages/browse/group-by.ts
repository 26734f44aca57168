import { queryOptions } from '@tanstack/react-query'
import { readItems } from '../../api/items.ts'
import { condition, toFilter, type Filter } from '../../filter/tree.ts'
import type { Column } from '../../grid/column.ts'
import type { SourceQuery } from '../../grid/source.ts'
import { relatedKey, relatedText } from '../../grid/value-at.ts'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { keyPaths, type Row } from '../../model/key.ts'
import { kindOf, type Kind } from '../../model/kind.ts'
import { templatePaths } from '../../model/template.ts'

/** The kinds whose values are few enough to head groups, or may be. */
const grouped: ReadonlySet<Kind> = new Set(['text', 'number', 'boolean', 'date', 'time', 'choice', 'relation'])

export const canGroupBy = (field: Field): boolean =>
  field.schema !== null && !field.schema.is_primary_key && grouped.has(kindOf(field))

/** More are not listed: the largest come first. */
export const MOST_GROUPS = 100

export interface RowGroup {
  readonly value: unknown
  readonly count: number
  /** What heads the group in words; null: the value is shown as its field shows it. */
  readonly words: string | null
}

/** The groups of a view with the counts of their rows, the largest first. */
export const groupsQuery = (
  { collection, filter, search }: Pick<SourceQuery, 'collection' | 'filter' | 'search'>,
  column: Column,
  collections: readonly Collection[],
) =>
  queryOptions({
    queryKey: ['groups', collection.collection, column.path, filter, search],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<readonly RowGroup[]> => {
      const { data } = await readItems(
        collection,
        {
          groupBy: [column.path],
          aggregate: { count: ['*'] },
          sort: ['-count', column.path],
          limit: MOST_GROUPS,
          ...(filter === null ? {} : { filter }),
          ...(search === '' ? {} : { search }),
        },
        signal,
      )
      const groups = data.map((row) => ({ value: row[column.field.field] ?? null, count: Number(row['count']) }))
      const words = await wordsOf(
        groups.map(({ value }) => value),
        column,
        collections,
        signal,
      )
      return groups.map((group) => ({ ...group, words: words.get(relatedKey(group.value, [])) ?? null }))
    },
  })

/** Related rows in words, by their key. */
async function wordsOf(
  values: readonly unknown[],
  column: Column,
  collections: readonly Collection[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { related } = column
  const target = collections.find((each) => each.collection === related?.collection)
  const [key] = related?.key ?? []
  const keys = values.filter((value) => value !== null)
  if (related === undefined || target === undefined || key === undefined || keys.length === 0) return new Map()
  const fields = [...new Set([...keyPaths(related), ...templatePaths(related.template)])]
  const { data } = await readItems(target, { fields, filter: { [key]: { _in: keys } }, limit: -1 }, signal)
  return new Map(data.map((row: Row) => [relatedKey(row, [key]), relatedText(row, column)]))
}

/** The rows of a group. */
export const groupFilter = (path: string, value: unknown): Filter | null =>
  toFilter(value === null ? condition(path, '_null', true) : condition(path, '_eq', value))
