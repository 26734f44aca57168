import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { fieldsQuery, relationsQuery } from '../api/queries.ts'
import { titleOf, fieldLabel, type Field } from '../model/field.ts'
import { kindOf, type Kind } from '../model/kind.ts'
import { isPresentation, relationsTo, type Relation } from '../model/relation.ts'
import { pathOf, pathParts } from '../model/path.ts'

/** A field that a path can end with, or go on from. */
export interface PathOption {
  readonly path: string
  readonly label: string
  /** Null: a list of related rows, or their count. */
  readonly field: Field | null
  readonly kind: Kind
  /** The collection that the path leads to; null: it ends here. */
  readonly leadsTo: string | null
}

interface Place {
  readonly fields: readonly Field[]
  readonly relations: readonly Relation[]
  readonly collection: string
}

async function placeOf(client: QueryClient, collection: string): Promise<Place> {
  const [fields, relations] = await Promise.all([
    client.ensureQueryData(fieldsQuery(collection)),
    client.ensureQueryData(relationsQuery).catch((): readonly Relation[] => []),
  ])
  return { fields, relations, collection }
}

/** Where a name of a path leads; null: it is no relation. */
function targetOf({ fields, relations, collection }: Place, name: string): string | null {
  const column = fields.find(({ field }) => field === name)?.schema?.foreign_key_table
  if (typeof column === 'string') return column
  const own = relations.find((each) => each.collection === collection && each.field === name)
  if (own !== undefined) return own.related_collection
  return relationsTo(collection, relations).find((each) => each.meta?.one_field === name)?.collection ?? null
}

async function walk(client: QueryClient, collection: string, names: readonly string[]): Promise<Place | null> {
  let place = await placeOf(client, collection)
  for (const name of names) {
    const target = targetOf(place, name)
    if (target === null) return null
    place = await placeOf(client, target)
  }
  return place
}

/** What can follow a path: the fields of the collection it leads to, then what refers to it. */
export const pathOptionsQuery = (client: QueryClient, collection: string, prefix: string, language: string) =>
  queryOptions({
    queryKey: ['structure', 'path-options', collection, prefix, language],
    staleTime: 300_000,
    queryFn: async (): Promise<readonly PathOption[]> => {
      const place = await walk(client, collection, pathParts(prefix))
      return place === null ? [] : optionsOf(place, prefix, language)
    },
  })

function optionsOf(place: Place, prefix: string, language: string): readonly PathOption[] {
  const before = prefix === '' ? '' : `${prefix}.`
  const own = place.fields
    .filter((field) => !isPresentation(field))
    .map((field): PathOption => ({
      path: `${before}${pathOf(field.field)}`,
      label: fieldLabel(field, language),
      field,
      kind: kindOf(field),
      leadsTo: targetOf(place, field.field),
    }))
  const names = new Set(place.fields.map(({ field }) => field))
  const back = relationsTo(place.collection, place.relations).flatMap((relation): readonly PathOption[] => {
    const name = relation.meta?.one_field
    if (typeof name !== 'string') return []
    const count: PathOption = {
      path: `${before}count(${pathOf(name)})`,
      label: `Number of ${titleOf(name).toLowerCase()}`,
      field: null,
      kind: 'number',
      leadsTo: null,
    }
    const rows: PathOption = {
      path: `${before}${pathOf(name)}`,
      label: titleOf(name),
      field: null,
      kind: 'rows',
      leadsTo: relation.collection,
    }
    return names.has(name) ? [count] : [rows, count]
  })
  return [...own, ...back]
}

/** The field at the end of a path. Counts are numbers; null: there is no such field. */
export const fieldAtQuery = (client: QueryClient, collection: string, path: string) =>
  queryOptions({
    queryKey: ['structure', 'field-at', collection, path],
    staleTime: 300_000,
    queryFn: async (): Promise<Field | null> => {
      const names = pathParts(path)
      const last = names.at(-1)
      if (last === undefined) return null
      const place = await walk(client, collection, names.slice(0, -1))
      if (place === null) return null
      return place.fields.find(({ field }) => field === last) ?? computedField(place.collection, last)
    },
  })

/** A field that has no column: a count, or a list of related rows. */
const computedField = (collection: string, name: string): Field => ({
  collection,
  field: name,
  type: name.includes('(') ? 'integer' : 'alias',
  schema: null,
  meta: null,
})
