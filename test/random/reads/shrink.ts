import type { Deep, Filter, Grouping, Query, Selection } from './ast.ts'
import { isComplete } from './conditions.ts'

/** Smaller queries, the largest cuts first. Each is valid if the given query is. */
export function smallerQueries(query: Query): Query[] {
  const { fields, grouping } = query
  return [
    ...without(query, ['filter', 'search', 'sort', 'limit', 'offset', 'page', 'counts', 'fields']),
    ...smallerShape(query),
    ...(fields === undefined ? [] : smallerFields(fields).map((smaller) => ({ ...query, fields: smaller }))),
    ...(grouping === undefined ? [] : smallerGroupings(grouping).map((smaller) => ({ ...query, grouping: smaller }))),
  ]
}

function without<T extends object>(value: T, keys: readonly (keyof T)[]): T[] {
  return keys.filter((key) => value[key] !== undefined).map((key) => Object.assign({ ...value }, { [key]: undefined }))
}

function smallerShape<T extends Deep>(shape: T): T[] {
  const { filter, sort } = shape
  return [
    ...(filter === undefined ? [] : smallerFilters(filter).map((smaller) => ({ ...shape, filter: smaller }))),
    ...(sort === undefined || sort.length < 2 ? [] : dropEach(sort).map((smaller) => ({ ...shape, sort: smaller }))),
  ]
}

function dropEach<T>(list: readonly T[]): T[][] {
  return list.map((_item, index) => list.toSpliced(index, 1))
}

function replaceEach<T>(list: readonly T[], smaller: (item: T) => readonly T[]): T[][] {
  return list.flatMap((item, index) => smaller(item).map((replacement) => list.with(index, replacement)))
}

export function smallerFilters(filter: Filter): Filter[] {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const { items } = filter
      const lists = [...dropEach(items), ...replaceEach(items, smallerFilters)]
      return [...items, ...lists.map((list) => ({ ...filter, items: list }))]
    }
    case 'one':
    case 'none':
    case 'any':
    case 'some':
      return smallerFilters(filter.filter)
        .map((smaller) => ({ ...filter, filter: smaller }))
        .filter((smaller) => isComplete(smaller) || !isComplete(filter))
    case 'test': {
      const isList = filter.op === '_in' || filter.op === '_nin'
      const plain: Filter[] = filter.other ? [{ ...filter, other: false }] : []
      return isList ? [...dropEach(filter.operands).map((operands) => ({ ...filter, operands })), ...plain] : plain
    }
    case 'exists':
    case 'member':
    case 'bare':
    case 'constant':
      return []
  }
  throw new Error('no such filter')
}

function smallerFields(fields: readonly Selection[]): Selection[][] {
  const dropped = fields.length > 1 ? dropEach(fields) : []
  return [...dropped, ...replaceEach(fields, smallerSelections)]
}

function smallerSelections(field: Selection): Selection[] {
  if (field.kind === 'any') return smallerBranches(field)
  if (field.kind !== 'relation') return []
  const { deep, fields } = field
  const shapes = [...without(deep, ['filter', 'search', 'sort', 'limit', 'offset', 'page']), ...smallerShape(deep)]
  return [
    ...(field.bareToo ? [{ ...field, bareToo: false }] : []),
    ...(Object.keys(deep).length > 0 ? [{ ...field, deep: {} }] : []),
    ...shapes.map((smaller) => ({ ...field, deep: smaller })),
    ...(fields === null ? [] : smallerFields(fields).map((smaller) => ({ ...field, fields: smaller }))),
  ]
}

function smallerBranches(field: Selection & { kind: 'any' }): Selection[] {
  const dropped = field.branches.length > 1 ? dropEach(field.branches) : []
  const cut = replaceEach(field.branches, (branch) =>
    smallerFields(branch.fields).map((fields) => ({ ...branch, fields })),
  )
  return [...dropped, ...cut].map((branches) => ({ ...field, branches }))
}

function smallerGroupings(grouping: Grouping): Grouping[] {
  const { aggregates, groupBy, sort } = grouping
  const single = aggregates.flatMap((aggregate, index) =>
    aggregate.fields.length < 2
      ? []
      : dropEach(aggregate.fields).map((fields) => aggregates.with(index, { ...aggregate, fields })),
  )
  // Sort terms refer to groups and aggregates, so they are removed first.
  if (sort.length > 0)
    return [{ ...grouping, sort: [] }, ...dropEach(sort).map((smaller) => ({ ...grouping, sort: smaller }))]
  return [
    ...(aggregates.length > 1 ? dropEach(aggregates).map((smaller) => ({ ...grouping, aggregates: smaller })) : []),
    ...(groupBy.length > 1 ? dropEach(groupBy).map((smaller) => ({ ...grouping, groupBy: smaller })) : []),
    ...single.map((smaller) => ({ ...grouping, aggregates: smaller })),
  ]
}
