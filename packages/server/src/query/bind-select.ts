import { invalidQuery } from '@tain/contract'
import type { Collection, Field } from '../schema/schema.ts'
import { bindNested } from './bind-nested.ts'
import { bindValue } from './bind-value.ts'
import type { BoundQuery, BoundSelection, BoundToMany } from './bound.ts'
import type { Deep, DeepNode, NestedQuery, Selection } from './query.ts'
import {
  columnNamed,
  deeper,
  fieldNamed,
  noField,
  noRelation,
  toAnyOf,
  toManyOf,
  toOneOf,
  type BindContext,
} from './resolve.ts'

export interface SelectContext extends BindContext {
  readonly backlink: boolean
  /** The relation that led here, as the columns it joins; without backlinks, wildcards do not follow it back. */
  readonly cameBy: string | null
}

/** Groups the selections of a level by response key; a nested selection wins over a plain one with the same key. */
export function bindSelect(
  select: readonly Selection[],
  collection: Collection,
  context: SelectContext,
): BoundSelection[] {
  const chosen = new Map<string, Named[]>()
  const choose = (as: string, selection: Named) => {
    const same = chosen.get(as)
    if (same === undefined) chosen.set(as, [selection])
    else same.push(selection)
  }
  for (const selection of select) {
    if (selection.kind === 'all') for (const part of expandAll(selection, collection, context)) choose(part.as, part)
    else choose(placeOf(selection), selection)
  }
  context.spend?.('nodes', chosen.size)
  return [...chosen.values()].map((selections) => bindSame(selections, collection, context))
}

type Named = Exclude<Selection, { kind: 'all' }>

/** A selection with an `under` key shares a response key only with others inside the same object. */
const placeOf = (selection: Named) =>
  'under' in selection && selection.under !== undefined ? `${selection.under}\u0000${selection.as}` : selection.as

function expandAll(all: Selection & { kind: 'all' }, collection: Collection, context: SelectContext): Named[] {
  const fields: Field[] = [...collection.columns.values(), ...[...collection.aliases.values()].filter(isReadable)]
  const isThere = (field: Field) =>
    context.visibility.field(field.name, collection) && leadsSomewhere(field, all, collection, context)
  const expanded = fields.filter(isThere).map((field): Named => {
    const node = Object.hasOwn(all.deep, field.name) ? all.deep[field.name] : undefined
    const query = node?.query ?? null
    const follows = all.children !== null && field.relation !== null && !walksBack(field, collection, context)
    if (!follows || all.children === null) return { kind: 'field', name: field.name, as: field.name, query }
    return {
      kind: 'nested',
      name: field.name,
      scope: null,
      as: field.name,
      query,
      children: withDeep(all.children, node),
    }
  })
  return [...expanded, ...all.aliased.flatMap((selection) => (selection.kind === 'all' ? [] : [selection]))]
}

/** A wildcard leaves out relations that it would have to follow into a collection that the caller cannot see. */
function leadsSomewhere(
  field: Field,
  { children }: Selection & { kind: 'all' },
  collection: Collection,
  context: SelectContext,
): boolean {
  const { relation } = field
  if (relation === null) return true
  const isThere = (name: string) => {
    const target = context.schema.collections.get(name)
    return target !== undefined && context.visibility.collection(target)
  }
  if (relation.kind === 'any')
    return children === null || context.visibility.field(relation.collectionColumn, collection)
  if (relation.kind !== 'many') return children === null || isThere(relation.to)
  if (!isThere(relation.to)) return false
  // A to-many field without nested fields shows the keys of the children.
  const to = context.schema.collections.get(relation.to)
  return (
    children !== null || (to?.key ?? []).every(({ name }) => to !== undefined && context.visibility.field(name, to))
  )
}

const noDeep: Deep = {}
const withDeep = (children: readonly Selection[], node: DeepNode | undefined): Selection[] =>
  children.map((child) => (child.kind === 'all' ? { ...child, deep: node?.deep ?? noDeep } : child))

const isReadable = (field: Field) =>
  field.kind !== 'alias' || (field.relation !== null && !field.specials.includes('no-data'))

/** Identifies the join of a foreign key from the side that holds the key, so both sides have the same join. */
function joinOf(field: Field, collection: Collection): string | null {
  const { relation } = field
  if (relation?.kind === 'one') return JSON.stringify([collection.name, relation.columns, relation.to])
  if (relation?.kind === 'many') return JSON.stringify([relation.to, relation.toColumns, collection.name])
  return null
}

const walksBack = (field: Field, collection: Collection, { backlink, cameBy }: SelectContext) =>
  !backlink && cameBy !== null && joinOf(field, collection) === cameBy

function bindSame(selections: readonly Named[], collection: Collection, context: SelectContext): BoundSelection {
  const nested = selections.filter((selection) => selection.kind === 'nested')
  const [selection] = selections
  if (nested.length > 0) return bindNestedSelection(nested, collection, context)
  if (selection?.kind === 'function') {
    const { as, under = null } = selection
    const value = bindValue({ name: selection.name, fn: selection.fn }, selection.path, collection, context)
    if (value.kind === 'count') return { ...value, as, under }
    if (value.kind === 'function') return { ...value, as, under }
  }
  if (selection?.kind === 'constant') {
    const { kind, name, as, under = null, text } = selection
    return { kind, name, as, under, text, mask: null }
  }
  if (selection?.kind !== 'field') throw invalidQuery(`"${selection?.as ?? ''}" is selected in two ways`)
  return bindPlain(selection, collection, context)
}

/** A field without nested fields: its value, or the keys of the related items. */
function bindPlain(
  { name, as, query, form }: Selection & { kind: 'field' },
  collection: Collection,
  context: SelectContext,
): BoundSelection {
  const field = fieldNamed(name, collection, context)
  if (field.kind === 'column') return { kind: 'column', as, field, mask: null, form: form ?? null }
  const many = toManyOf(field, context)
  if (many === null) {
    const one = toOneOf(field, context)
    const fields = one?.columns.map((column) => columnNamed(column, collection, context)) ?? []
    return { kind: 'key', name, as, fields, mask: null }
  }
  for (const key of many.to.key) columnNamed(key.name, many.to, deeper(context, name))
  if (many.to.key.length === 0) throw invalidQuery(`The items of "${name}" have no key; select fields of them`)
  const bound = {
    ...bindNested(query ?? plainQuery(context), many.to, orderOf(field, many), deeper(context, name)),
    select: [],
  }
  return bound.aggregate === null
    ? { kind: 'keys', name, as, relation: many, query: bound, mask: null, keyMask: null }
    : { kind: 'many', name, as, relation: many, query: bound, mask: null }
}

function bindNestedSelection(
  selections: readonly (Selection & { kind: 'nested' })[],
  collection: Collection,
  context: SelectContext,
): BoundSelection {
  const [first] = selections
  if (first === undefined) throw invalidQuery('A relation selects nothing')
  const { as, isStrict = false } = first
  const field = fieldNamed(first.name, collection, context)
  const any = toAnyOf(field, context)
  if (any !== null) {
    const branches = any.targets.flatMap((target) => {
      const chosen = selections.filter(({ scope }) => scope === null || scope === target.name)
      if (chosen.length === 0) return []
      const query = chosen.find((selection) => selection.query !== null)?.query ?? null
      const children = chosen.flatMap((selection) => selection.children)
      return [{ collection: target, query: bindBelow(children, query, target, [], field, collection, context) }]
    })
    for (const { scope, name } of selections) {
      if (scope !== null && !any.targets.some((target) => target.name === scope))
        throw noField(`${name}:${scope}`, collection.name, context.at)
    }
    return { kind: 'any', name: first.name, as, relation: any, branches, isStrict, mask: null }
  }
  if (first.scope !== null) throw noField(`${first.name}:${first.scope}`, collection.name, context.at)
  const children = selections.flatMap((selection) => selection.children)
  const one = toOneOf(field, context)
  if (one !== null)
    return {
      kind: 'one',
      name: first.name,
      as,
      relation: one,
      query: bindBelow(children, first.query, one.to, [], field, collection, context),
      mask: null,
    }
  const many = toManyOf(field, context)
  if (many === null) throw noRelation(first.name, collection, context)
  const query = bindBelow(children, first.query, many.to, orderOf(field, many), field, collection, context)
  return { kind: 'many', name: first.name, as, relation: many, query, mask: null }
}

function bindBelow(
  children: readonly Selection[],
  query: NestedQuery | null,
  to: Collection,
  order: ReturnType<typeof orderOf>,
  field: Field,
  from: Collection,
  context: SelectContext,
): BoundQuery {
  const inside: SelectContext = { ...context, at: deeper(context, field.name).at, cameBy: joinOf(field, from) }
  const nested = bindNested(query ?? plainQuery(context), to, order, inside)
  return { ...nested, select: nested.aggregate === null ? bindSelect(children, to, inside) : [] }
}

/** Children are sorted by the sort field of the relation before the default order of their collection. */
function orderOf(field: Field, { to }: BoundToMany) {
  const name = field.relation?.kind === 'many' ? field.relation.sortField : null
  const column = name === null ? undefined : to.columns.get(name)
  return column === undefined ? [] : [column]
}

const plainQuery = ({ limitDefault }: BindContext): NestedQuery => ({
  filter: null,
  search: null,
  sort: null,
  limit: limitDefault,
  offset: null,
  aggregate: null,
})
