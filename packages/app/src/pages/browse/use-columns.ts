import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fieldsQuery, permissionsQuery, relationsQuery } from '../../api/queries.ts'
import { useIsAdministrator, useLanguage, useStart } from '../../app/use-start.ts'
import type { Column } from '../../grid/column.ts'
import type { Collection } from '../../model/collection.ts'
import type { Field } from '../../model/field.ts'
import { columnsOf, countedList } from './columns.ts'
import type { ShownField } from './view-state.ts'
import { pathParts } from '../../model/path.ts'

/** The columns of a view. Fields of related collections are loaded beside the rows, which do not wait for them. */
export function useColumns(
  collection: Collection,
  fields: readonly Field[],
  shown: readonly ShownField[],
): readonly Column[] {
  const { collections } = useStart()
  const language = useLanguage()
  const isAdministrator = useIsAdministrator()
  const permissions = useQuery({ ...permissionsQuery, enabled: !isAdministrator })
  const isCounting = shown.some(({ path }) => countedList(path) !== null)
  const relations = useQuery({ ...relationsQuery, enabled: isCounting }).data
  const names = relatedNames(shown, fields, collections)
  const related = useQueries({
    queries: names.map((name) => fieldsQuery(name)),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(() => {
    const byName = new Map<string, readonly Field[] | undefined>(names.map((name, index) => [name, related[index]]))
    byName.set(collection.collection, fields)
    const allowed = permissions.data?.[collection.collection]?.['update']?.fields
    const writable = isAdministrator || allowed === undefined || allowed.includes('*') ? null : new Set(allowed)
    return columnsOf(shown, {
      collection,
      collections,
      relations,
      language,
      writable,
      fieldsOf: (name) => byName.get(name),
    })
    // The names follow from the fields shown.
  }, [collection, collections, relations, fields, shown, language, related, permissions.data, isAdministrator])
}

/** The collections that paths of a view lead to, as far as they can be told from what is loaded. */
function relatedNames(
  shown: readonly ShownField[],
  fields: readonly Field[],
  collections: readonly Collection[],
): readonly string[] {
  const names = new Set<string>()
  for (const { path } of shown) {
    const [first, ...rest] = pathParts(path)
    const target = fields.find(({ field }) => field === first)?.schema?.foreign_key_table
    if (rest.length > 0 && typeof target === 'string' && collections.some((each) => each.collection === target))
      names.add(target)
  }
  return [...names]
}
