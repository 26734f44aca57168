import type { BoundFilter, BoundPath, BoundQuery, BoundSelection, BoundToMany, BoundValue } from '../query/bound.ts'
import { noCollection, noField } from '../query/resolve.ts'
import type { Collection, ColumnField } from '../schema/schema.ts'
import type { Actor, ReadGrant } from './actor.ts'
import { authorize, type Authorized } from './authorized.ts'

/**
 * Writes an actor's rights into a query: row rules become part of every node's filter, every column that is looked at in
 * any way must be readable. What may not be read is answered in the words of what does not exist.
 */
export function authorizeRead(query: BoundQuery, actor: Actor): Authorized<BoundQuery> {
  return authorize(restrict(query, actor, 'root'))
}

function grantOf(collection: Collection, actor: Actor, at: string): ReadGrant {
  const grant = actor.readGrant(collection)
  if (grant === null) throw noCollection(collection.name, at)
  return grant
}

function checkColumn(field: ColumnField, collection: Collection, actor: Actor, at: string): void {
  const { fields } = grantOf(collection, actor, at)
  if (fields !== 'all' && !fields.has(field.name)) throw noField(field.name, collection.name, at)
}

const checkColumns = (names: readonly string[], collection: Collection, actor: Actor, at: string) => {
  for (const name of names) {
    const field = collection.columns.get(name)
    if (field !== undefined) checkColumn(field, collection, actor, at)
  }
}

function both(a: BoundFilter | null, b: BoundFilter | null): BoundFilter | null {
  if (a === null || b === null) return a ?? b
  return { kind: 'and', parts: [a, b] }
}

function restrict(query: BoundQuery, actor: Actor, at: string): BoundQuery {
  const { collection } = query
  const grant = grantOf(collection, actor, at)
  const { fields } = grant
  for (const sort of query.sort) if (sort.kind === 'path') checkPath(sort.path, collection, actor, at)
  for (const group of query.aggregate?.groups ?? []) checkPath(group.path, collection, actor, at)
  for (const { field } of query.aggregate?.functions ?? [])
    if (field !== null) checkColumn(field, collection, actor, at)
  return {
    ...query,
    select: query.select.map((selection) => restrictSelection(selection, collection, actor, at)),
    filter: both(query.filter === null ? null : restrictFilter(query.filter, collection, actor, at), grant.rows),
    rowRule: grant.rows,
    search:
      query.search === null
        ? null
        : { ...query.search, fields: query.search.fields.filter(({ name }) => fields === 'all' || fields.has(name)) },
  }
}

function restrictSelection(
  selection: BoundSelection,
  collection: Collection,
  actor: Actor,
  at: string,
): BoundSelection {
  const inside = at === 'root' ? selection.as : `${at}.${selection.as}`
  switch (selection.kind) {
    case 'column':
    case 'function':
      checkColumn(selection.field, collection, actor, at)
      return selection
    case 'key':
      for (const field of selection.fields) checkColumn(field, collection, actor, at)
      return selection
    case 'count':
      return { ...selection, relation: checkToMany(selection.relation, collection, actor, at) }
    case 'one':
      checkColumns(selection.relation.columns, collection, actor, at)
      return { ...selection, query: restrict(selection.query, actor, inside) }
    case 'many':
    case 'keys':
      checkToMany(selection.relation, collection, actor, at)
      return { ...selection, query: restrict(selection.query, actor, inside) }
    case 'any':
      checkColumns([selection.relation.column, selection.relation.collectionColumn], collection, actor, at)
      return {
        ...selection,
        branches: selection.branches.map((branch) => ({ ...branch, query: restrict(branch.query, actor, inside) })),
      }
  }
}

function checkToMany(relation: BoundToMany, collection: Collection, actor: Actor, at: string): BoundToMany {
  checkColumns(relation.columns, collection, actor, at)
  if (relation.kind === 'many') checkColumns(relation.toColumns, relation.to, actor, at)
  if (relation.kind === 'through')
    checkColumns([...relation.nearColumns, ...relation.farColumns], relation.junction, actor, at)
  if (relation.kind === 'reverse-any')
    checkColumns([relation.any.column, relation.any.collectionColumn], relation.to, actor, at)
  return relation
}

function checkValue(value: BoundValue, collection: Collection, actor: Actor, at: string): void {
  if (value.kind === 'count') checkToMany(value.relation, collection, actor, at)
  else checkColumn(value.field, collection, actor, at)
}

function checkPath({ steps, value }: BoundPath, collection: Collection, actor: Actor, at: string): void {
  let current = collection
  for (const step of steps) {
    grantOf(current, actor, at)
    if (step.kind === 'one') checkColumns(step.relation.columns, current, actor, at)
    if (step.kind === 'many') checkToMany(step.relation, current, actor, at)
    if (step.kind === 'any') checkColumns([step.relation.column, step.relation.collectionColumn], current, actor, at)
    current = step.kind === 'any' ? step.target : step.relation.to
  }
  checkValue(value, current, actor, at)
}

/** Conditions on related rows see those rows only as far as the caller does. */
function restrictFilter(filter: BoundFilter, collection: Collection, actor: Actor, at: string): BoundFilter {
  switch (filter.kind) {
    case 'constant':
      return filter
    case 'and':
    case 'or':
      return { ...filter, parts: filter.parts.map((part) => restrictFilter(part, collection, actor, at)) }
    case 'test':
      checkValue(filter.value, collection, actor, at)
      return filter
    case 'json':
      checkColumn(filter.field, collection, actor, at)
      return filter
    case 'one':
      checkColumns(filter.relation.columns, collection, actor, at)
      return { ...filter, filter: seen(filter.filter, filter.relation.to, actor, at) }
    case 'many':
      checkToMany(filter.relation, collection, actor, at)
      return { ...filter, filter: seen(filter.filter, filter.relation.to, actor, at) }
    case 'any':
      checkColumns([filter.relation.column, filter.relation.collectionColumn], collection, actor, at)
      return { ...filter, filter: seen(filter.filter, filter.target, actor, at) }
  }
}

function seen(filter: BoundFilter, collection: Collection, actor: Actor, at: string): BoundFilter {
  const { rows } = grantOf(collection, actor, at)
  return both(restrictFilter(filter, collection, actor, at), rows) ?? filter
}
