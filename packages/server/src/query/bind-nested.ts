import { aggregates, fieldTypes, invalidQuery, isNumber } from '@tain/contract'
import type { Collection, ColumnField } from '../schema/schema.ts'
import { bindFilter } from './bind-filter.ts'
import { bindPath } from './bind-value.ts'
import type { BoundAggregate, BoundColumn, BoundPath, BoundQuery, BoundSort } from './bound.ts'
import type { Aggregate, NestedQuery, Sort } from './query.ts'
import { columnNamed, type BindContext } from './resolve.ts'

/** Binds everything in a node except its fields. `first` sorts before the default order of the collection. */
export function bindNested(
  query: NestedQuery,
  collection: Collection,
  first: readonly ColumnField[],
  context: BindContext,
): Omit<BoundQuery, 'select'> {
  const aggregate = query.aggregate === null ? null : bindAggregate(query.aggregate, collection, context)
  return {
    collection,
    filter: query.filter === null ? null : bindFilter(query.filter, collection, context),
    rowRule: null,
    search: query.search === null ? null : { term: query.search, fields: searchable(collection, context) },
    sort:
      aggregate !== null && query.aggregate !== null
        ? bindGroupSort(query.sort ?? [], aggregate, query.aggregate)
        : withKey(
            query.sort?.map((sort) => bindSort(sort, collection, context)) ?? defaultSort(collection, first, context),
            collection,
            context,
          ),
    limit: query.limit,
    offset: query.offset,
    aggregate,
    marked: 'row',
    // Nobody sees a secret, administrators included.
    keyMask: collection.key.some(({ specials }) => specials.includes('conceal'))
      ? { kind: 'constant', value: false }
      : null,
  }
}

// sort

const ascending = (field: ColumnField, isTie: boolean): BoundSort => ({
  kind: 'path',
  path: { steps: [], value: { kind: 'column', field, mask: null } },
  descending: false,
  isTie,
})

function bindSort({ path, descending }: Sort, collection: Collection, context: BindContext): BoundSort {
  const bound = bindPath(path, collection, context)
  refuseSecret(bound, 'sorted')
  return { kind: 'path', path: bound, descending, isTie: false }
}

/** Sorting or grouping by a secret would reveal which values are equal, and eventually the values themselves. */
function refuseSecret({ value }: BoundPath, what: string): void {
  if (value.kind === 'column' && value.field.specials.includes('conceal'))
    throw invalidQuery(`"${value.field.name}" cannot be ${what}`)
}

/** The default order uses only fields that the caller can see, so it reveals nothing about the others. */
function defaultSort(collection: Collection, first: readonly ColumnField[], { visibility }: BindContext): BoundSort[] {
  const own = collection.meta?.sort_field ? collection.columns.get(collection.meta.sort_field) : undefined
  return [...first, ...(own === undefined ? [] : [own])]
    .filter(({ name }) => visibility.field(name, collection))
    .map((field) => ascending(field, false))
}

/**
 * Appends the key, so that equal rows have a stable order. A collection without a key sorts by all comparable columns.
 */
function withKey(terms: readonly BoundSort[], collection: Collection, { visibility }: BindContext): BoundSort[] {
  const present = new Set(
    terms.flatMap((term) =>
      term.kind === 'path' && term.path.steps.length === 0 && term.path.value.kind === 'column'
        ? [term.path.value.field]
        : [],
    ),
  )
  const hasKey = collection.key.length > 0
  const key = hasKey
    ? [...collection.key, ...collection.beyondKey]
    : [...collection.columns.values()].filter(
        ({ column, name }) => column.isComparable && visibility.field(name, collection),
      )
  return [...terms, ...key.filter((field) => !present.has(field)).map((field) => ascending(field, hasKey))]
}

const searchable = (collection: Collection, { visibility }: BindContext): BoundColumn[] =>
  [...collection.columns.values()].flatMap((field) => {
    const { name, type, meta, specials } = field
    const isSearched = fieldTypes[type].search !== null && meta?.searchable !== false && !specials.includes('conceal')
    return isSearched && visibility.field(name, collection) ? [{ field, mask: null }] : []
  })

// aggregates

function bindAggregate(aggregate: Aggregate, collection: Collection, context: BindContext): BoundAggregate {
  return {
    functions: aggregate.functions.map(({ fn, name }) => {
      if (name === null) return { fn, field: null, mask: null }
      const field = columnNamed(name, collection, context)
      const { input } = aggregates[fn]
      const fits =
        !field.specials.includes('conceal') &&
        (input === 'any' ||
          (input === 'number' && (isNumber(field.type) || field.column.isUntyped === true)) ||
          (input === 'ordered' && hasExtremes(field)))
      if (!fits || (fn === 'countDistinct' && !field.column.isComparable))
        throw invalidQuery(`${fn} cannot be used on "${name}"`)
      return { fn, field, mask: null }
    }),
    groups: aggregate.groups.map((segments) => {
      const path = bindPath(segments, collection, context)
      refuseSecret(path, 'grouped')
      if (path.steps.some(({ kind }) => kind !== 'one')) throw invalidQuery('groupBy cannot follow a to-many relation')
      if (path.value.kind === 'column' && !path.value.field.column.isComparable)
        throw invalidQuery(`groupBy cannot use "${path.value.field.name}"`)
      return { path, keys: segments.map(({ name, fn }) => (fn === null ? name : `${name}_${fn}`)) }
    }),
  }
}

/** Keys, booleans and documents can be compared for equality, but have no minimum or maximum. */
function hasExtremes({ type, column }: ColumnField): boolean {
  const family = fieldTypes[type].operators
  return column.isComparable && (family === 'ordered' || family === 'text' || family === 'any')
}

function bindGroupSort(terms: readonly Sort[], bound: BoundAggregate, aggregate: Aggregate): BoundSort[] {
  // A sort term refers to the first of equal groups, or to the first function that it can mean.
  const groups = new Map<string, number>()
  aggregate.groups.forEach((path, index) => {
    const name = JSON.stringify(path)
    if (!groups.has(name)) groups.set(name, index)
  })
  const functions = new Map<string, number>()
  bound.functions.forEach(({ fn, field }, index) => {
    for (const name of [JSON.stringify([fn]), JSON.stringify([fn, field?.name])])
      if (!functions.has(name)) functions.set(name, index)
  })
  const chosen = terms.map(({ path, descending }): BoundSort => {
    const group = groups.get(JSON.stringify(path))
    if (group !== undefined) return { kind: 'group', index: group, descending }
    const index = functions.get(JSON.stringify(path.slice(0, 2).map(({ name }) => name)))
    if (index === undefined)
      throw invalidQuery(
        `Groups can be sorted by what groupBy or aggregate names; "${path.map(({ name }) => name).join('.')}" is neither`,
      )
    return { kind: 'aggregate', index, descending }
  })
  const used = new Set(chosen.flatMap((sort) => (sort.kind === 'group' ? [sort.index] : [])))
  return [
    ...chosen,
    ...bound.groups.flatMap((_, index): BoundSort[] =>
      used.has(index) ? [] : [{ kind: 'group', index, descending: false }],
    ),
  ]
}
