import type { Filter, Query, Selection } from './ast.ts'
import { isComplete } from './conditions.ts'
import { type Model, relationOf, tableOf } from '../database/model.ts'
import { functionsOf, relationsOf } from './filter.ts'
import type { Rng } from '../rng.ts'

/** The query with a field, function or relation without an operator in one of its filters. */
export function incomplete(rng: Rng, model: Model, query: Query): Query {
  const { collection, fields = [] } = query
  const nested = fields.filter((field) => field.kind === 'relation').filter((field) => field.fields !== null)
  if (nested.length === 0 || rng.chance(0.7)) return withBare(rng, model, collection, query)
  const chosen = rng.pick(nested)
  const { target } = relationOf(model, collection, chosen.field)
  const changed: Selection = { ...chosen, deep: withBare(rng, model, target, chosen.deep) }
  return { ...query, fields: fields.map((field) => (field === chosen ? changed : field)) }
}

function withBare<T extends { readonly filter?: Filter }>(rng: Rng, model: Model, collection: string, shape: T): T {
  const bare = bareFilter(rng, model, collection, 2)
  const { filter } = shape
  if (filter === undefined) return { ...shape, filter: bare }
  const items = rng.chance(0.5) ? [bare, filter] : [filter, bare]
  return { ...shape, filter: rng.chance(0.5) ? { kind: 'or', items } : { kind: 'and', items, flat: rng.chance(0.5) } }
}

function bareFilter(rng: Rng, model: Model, collection: string, depth: number): Filter {
  const relations = relationsOf(model, collection)
  if (depth > 0 && relations.length > 0 && rng.chance(0.5)) {
    const { field, kind, target } = rng.pick(relations)
    const isEmpty = rng.chance(0.4)
    const filter = isEmpty ? rng.pick(EMPTY) : bareFilter(rng, model, target, depth - 1)
    if (kind === 'one') return { kind, field, filter }
    return isEmpty || rng.chance(0.6) ? { kind: 'some', field, filter, flat: isEmpty } : { kind: 'none', field, filter }
  }
  const functions = functionsOf(model, collection)
  if (functions.length > 0 && rng.chance(0.3)) return { kind: 'bare', subject: rng.pick(functions) }
  return { kind: 'bare', subject: { name: rng.pick(tableOf(model, collection).columns).name } }
}

const NOTHING: Filter = { kind: 'and', items: [], flat: true }
const EMPTY: readonly Filter[] = [NOTHING, { kind: 'and', items: [], flat: false }, { kind: 'or', items: [NOTHING] }]

/** Whether all filters of a query are complete. */
export const isWellFormed = ({ filter, fields = [] }: Pick<Query, 'filter' | 'fields'>): boolean =>
  (filter === undefined || isComplete(filter)) && fields.every(isSelectionWellFormed)

function isSelectionWellFormed(field: Selection): boolean {
  if (field.kind === 'any') return field.branches.every(isWellFormed)
  if (field.kind !== 'relation') return true
  return isWellFormed({ ...field.deep, fields: field.fields ?? [] })
}
