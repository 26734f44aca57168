import type { Filter, Query, Selection } from './ast.ts'
import { type Model, type Relation, type Row, type Table, tableOf } from '../database/model.ts'
import { randomQuery, randomWalk } from './query.ts'
import { randomFilter } from './filter.ts'
import type { Rng } from '../rng.ts'
import { toText } from '../database/values.ts'
import type { Read } from '../rights/answer.ts'
import { incomplete } from './incomplete.ts'
import { spoiled } from './spoiled.ts'
import type { View } from '../rights/view.ts'
import { canWalk } from './walk.ts'

/** A read that mostly uses names the caller may use; its operands may be hidden values. */
export function randomRead(rng: Rng, view: View): Read {
  const read = readOfAnyKind(rng, view)
  return rng.chance(0.1) ? (readByHiddenKey(rng, view) ?? read) : read
}

/** A list that is read page by page, or null. */
export function walkedRead(rng: Rng, view: View): Read | null {
  const model = openModel(view)
  const query = model.tables.size === 0 ? null : randomWalk(rng, model)
  return query === null || !canWalk(view, query) ? null : { query: withoutDouble(view.model, query), key: null }
}

/** Sorts by a key that is masked in several rows: only the stored key can decide their order. */
function readByHiddenKey(rng: Rng, view: View): Read | null {
  const isHidden =
    ({ collection, key }: Table) =>
    (row: Row) =>
      view.isVisible(collection, row) && !key.every((name) => view.sees(collection, row, name))
  const tables = [...openModel(view).tables.values()].filter(
    (table) => table.key.length > 0 && view.model.rows.get(table.collection)!.filter(isHidden(table)).length > 1,
  )
  if (tables.length === 0) return null
  const { collection, columns, key } = rng.pick(tables)
  const fields = columns.map(({ name }): Selection => ({ kind: 'field', subject: { name } }))
  const sort = key.map((name) => ({ path: [], subject: { name }, desc: rng.chance(0.5) }))
  return { query: { collection, fields, sort }, key: null }
}

function readOfAnyKind(rng: Rng, view: View): Read {
  const open = openModel(view)
  const over = rng.chance(0.12) ? readOverAny(rng, view, open) : null
  if (over !== null) return { query: over, key: null }
  const model = open.tables.size > 0 && rng.chance(0.78) ? open : view.model
  const plain = withoutDouble(view.model, addAnys(rng, model, randomQuery(rng, model)))
  const query = rng.weighted<() => Query>([
    [22, () => plain],
    [1, () => incomplete(rng, model, plain)],
    [1.5, () => spoiled(rng, model, plain)],
  ])()
  const { key } = tableOf(view.model, query.collection)
  const rows = view.model.rows.get(query.collection)!
  if (query.grouping !== undefined || key.length === 0 || rows.length === 0 || !rng.chance(0.08))
    return { query, key: null }
  const { collection, fields } = query
  const chosen: Query = { collection, ...(fields === undefined ? {} : { fields }) }
  return { query: chosen, key: keyText(view.model, collection, rng.pick(rows)) }
}

/** Reads over a many-to-any field, which few collections have. Its own columns may or may not be readable. */
function readOverAny(rng: Rng, { model }: View, open: Model): Query | null {
  const [entry] = [...(model.anys ?? [])]
  if (entry === undefined) return null
  const [collection, { field, allowed }] = entry
  const targets = allowed.filter((target) => open.tables.has(target))
  if (targets.length === 0) return null
  const target = rng.pick(targets)
  const branch = { target, fields: branchFields(rng, open, target) }
  if (rng.chance(0.5)) return { collection, fields: [{ kind: 'any', field, branches: [branch] }] }
  const { key } = tableOf(model, collection)
  const filter: Filter = { kind: 'any', field, target, filter: randomFilter(rng, open, target, 0) }
  return { collection, fields: key.map((name) => ({ kind: 'field', subject: { name } })), filter }
}

/** The parts of a row's key as they appear in a URL. */
export function keyText(model: Model, collection: string, row: Row): string[] {
  const { key, columns } = tableOf(model, collection)
  return key.map((name) => toText(columns.find((column) => column.name === name)!.type, row.get(name)!))
}

/** The part of the database whose names the caller may use, with all of its rows. */
export function openModel(view: View): Model {
  const { model } = view
  const tables = [...model.tables.values()].flatMap((table): Table[] => {
    const columns = table.columns.filter(({ name }) => view.has(table.collection, name))
    if (!view.isReadable(table.collection) || columns.length === 0) return []
    const hasKey = table.key.every((name) => columns.some((column) => column.name === name))
    return [{ ...table, columns, key: hasKey ? table.key : [] }]
  })
  const names = new Set(tables.map(({ collection }) => collection))
  const relations = tables.map(({ collection }): [string, Map<string, Relation>] => {
    const usable = [...model.relations.get(collection)!.values()].filter(
      (relation) => names.has(relation.target) && view.canFollow(collection, relation),
    )
    return [collection, new Map(usable.map((relation) => [relation.field, relation]))]
  })
  const anys = [...(model.anys ?? [])].flatMap(([collection, any]) => {
    const allowed = any.allowed.filter((target) => names.has(target))
    const isOpen = [any.field, any.collectionColumn].every((name) => view.has(collection, name))
    return isOpen && allowed.length > 0 ? [[collection, { ...any, allowed }] as const] : []
  })
  return {
    ...model,
    tables: new Map(tables.map((table) => [table.collection, table])),
    relations: new Map(relations),
    anys: new Map(anys),
  }
}

/** Adds steps over many-to-any fields, which the base queries do not contain. */
function addAnys(rng: Rng, model: Model, query: Query): Query {
  const any = model.anys?.get(query.collection)
  const filter: Filter | undefined =
    any !== undefined && rng.chance(0.3) ? withAnyFilter(rng, model, query.collection, query.filter) : query.filter
  const { fields, filter: _, ...rest } = query
  return {
    ...rest,
    ...(filter === undefined ? {} : { filter }),
    ...(fields === undefined ? {} : { fields: withAnyFields(rng, model, query.collection, fields) }),
  }
}

function withAnyFilter(rng: Rng, model: Model, collection: string, filter: Filter | undefined): Filter {
  const { field, allowed } = model.anys!.get(collection)!
  const target = rng.pick(allowed)
  const added: Filter = { kind: 'any', field, target, filter: randomFilter(rng, model, target, rng.int(0, 1)) }
  if (filter === undefined) return added
  return { kind: rng.chance(0.5) ? 'or' : 'and', items: [filter, added], flat: false }
}

function withAnyFields(rng: Rng, model: Model, collection: string, fields: readonly Selection[]): Selection[] {
  const below = fields.map((field): Selection =>
    field.kind === 'relation' && field.fields !== null
      ? {
          ...field,
          fields: withAnyFields(rng, model, model.relations.get(collection)!.get(field.field)!.target, field.fields),
        }
      : field,
  )
  const any = model.anys?.get(collection)
  const isTaken = fields.some((field) => field.kind === 'starstar')
  if (any === undefined || isTaken || !rng.chance(0.6)) return below
  const others = below.filter(
    (field) => !(field.kind === 'field' && field.subject.name === any.field && field.as === undefined),
  )
  const branches = rng.sample(any.allowed, 1, 3).map((target) => ({
    target,
    fields: branchFields(rng, model, target),
  }))
  return [...others, { kind: 'any', field: any.field, branches }]
}

function branchFields(rng: Rng, model: Model, target: string): Selection[] {
  if (rng.chance(0.3)) return [{ kind: 'star' }]
  const names = rng.sample(tableOf(model, target).columns, 1, 3).map(({ name }) => name)
  return names.map((name): Selection => ({ kind: 'field', subject: { name } }))
}

/**
 * `*.*` over a many-to-any field would lead to several collections at once, and a list selected together with `*.*`
 * would appear in two forms.
 */
function withoutDouble(model: Model, query: Query): Query {
  return query.fields === undefined ? query : { ...query, fields: singleFields(model, query.collection, query.fields) }
}

function singleFields(model: Model, collection: string, fields: readonly Selection[]): Selection[] {
  const isFollowed = fields.some((field) => field.kind === 'starstar')
  const hasAny = model.anys?.get(collection) !== undefined
  return fields.flatMap((field): Selection[] => {
    if (field.kind === 'starstar' && hasAny) return [{ kind: 'star' }]
    if (field.kind !== 'relation') return [field]
    if (isFollowed && field.as === undefined) return []
    const { target } = model.relations.get(collection)!.get(field.field)!
    return [field.fields === null ? field : { ...field, fields: singleFields(model, target, field.fields) }]
  })
}
