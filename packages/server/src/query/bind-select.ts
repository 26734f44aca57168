import { invalidQuery } from '@tain/contract'
import type { Collection, Field } from '../schema/schema.ts'
import { bindNested } from './bind-nested.ts'
import { bindValue } from './bind-value.ts'
import type { BoundQuery, BoundSelection, BoundToMany } from './bound.ts'
import type { Deep, DeepNode, NestedQuery, Selection } from './query.ts'
import { deeper, fieldNamed, noField, toAnyOf, toManyOf, toOneOf, type BindContext } from './resolve.ts'

export interface SelectContext extends BindContext {
  readonly backlink: boolean
  /** The relation that led here, as the columns it joins; wildcards do not walk back over it without backlinks. */
  readonly cameBy: string | null
}

/** A level's selections by the key they come out under; a nested one wins over a plain one of the same key. */
export function bindSelect(
  select: readonly Selection[],
  collection: Collection,
  context: SelectContext,
): BoundSelection[] {
  const chosen = new Map<string, Selection[]>()
  const choose = (as: string, selection: Selection) => {
    const same = chosen.get(as)
    if (same === undefined) chosen.set(as, [selection])
    else same.push(selection)
  }
  for (const selection of select) {
    if (selection.kind === 'all') for (const part of expandAll(selection, collection, context)) choose(part.as, part)
    else choose(selection.as, selection)
  }
  return [...chosen].map(([as, selections]) => bindSame(as, selections, collection, context))
}

type Named = Exclude<Selection, { kind: 'all' }>

function expandAll(all: Selection & { kind: 'all' }, collection: Collection, context: SelectContext): Named[] {
  const fields: Field[] = [...collection.columns.values(), ...[...collection.aliases.values()].filter(isReadable)]
  const expanded = fields.map((field): Named => {
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

const noDeep: Deep = {}
const withDeep = (children: readonly Selection[], node: DeepNode | undefined): Selection[] =>
  children.map((child) => (child.kind === 'all' ? { ...child, deep: node?.deep ?? noDeep } : child))

const isReadable = (field: Field) =>
  field.kind !== 'alias' || (field.relation !== null && !field.specials.includes('no-data'))

/** Two sides of one foreign key have the same join, written from the side that holds the key. */
function joinOf(field: Field, collection: Collection): string | null {
  const { relation } = field
  if (relation?.kind === 'one') return JSON.stringify([collection.name, relation.columns, relation.to])
  if (relation?.kind === 'many') return JSON.stringify([relation.to, relation.toColumns, collection.name])
  return null
}

const walksBack = (field: Field, collection: Collection, { backlink, cameBy }: SelectContext) =>
  !backlink && cameBy !== null && joinOf(field, collection) === cameBy

function bindSame(
  as: string,
  selections: readonly Selection[],
  collection: Collection,
  context: SelectContext,
): BoundSelection {
  const nested = selections.filter((selection) => selection.kind === 'nested')
  if (nested.length > 0) return bindNestedSelection(as, nested, collection, context)
  const [selection] = selections
  if (selection?.kind === 'function') {
    const value = bindValue({ name: selection.name, fn: selection.fn }, selection.path, collection, context)
    if (value.kind === 'count') return { kind: 'count', name: selection.name, as, relation: value.relation }
    if (value.kind === 'function') return { ...value, as }
  }
  if (selection?.kind !== 'field') throw invalidQuery(`"${as}" is selected in two ways`)
  return bindPlain(selection, collection, context)
}

/** A field without a path below it: the value itself, or the key of what it leads to. */
function bindPlain(
  { name, as, query }: Selection & { kind: 'field' },
  collection: Collection,
  context: SelectContext,
): BoundSelection {
  const field = fieldNamed(name, collection, context)
  if (field.kind === 'column') return { kind: 'column', as, field }
  const many = toManyOf(field, context)
  if (many === null) {
    const one = toOneOf(field, context)
    const fields = one?.columns.flatMap((column) => collection.columns.get(column) ?? []) ?? []
    return { kind: 'key', as, fields }
  }
  if (many.to.key.length === 0) throw invalidQuery(`The items of "${name}" have no key; select fields of them`)
  const bound = {
    ...bindNested(query ?? plainQuery(context), many.to, orderOf(field, many), deeper(context, name)),
    select: [],
  }
  return bound.aggregate === null
    ? { kind: 'keys', name, as, relation: many, query: bound }
    : { kind: 'many', name, as, relation: many, query: bound }
}

function bindNestedSelection(
  as: string,
  selections: readonly (Selection & { kind: 'nested' })[],
  collection: Collection,
  context: SelectContext,
): BoundSelection {
  const [first] = selections
  if (first === undefined) throw invalidQuery(`"${as}" selects nothing`)
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
      if (scope !== null && !any.allowed.includes(scope)) throw noField(`${name}:${scope}`, collection.name, context.at)
    }
    return { kind: 'any', name: first.name, as, relation: any, branches }
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
    }
  const many = toManyOf(field, context)
  if (many === null) throw noField(childName(children), first.name, deeper(context, first.name).at)
  const query = bindBelow(children, first.query, many.to, orderOf(field, many), field, collection, context)
  return { kind: 'many', name: first.name, as, relation: many, query }
}

const childName = (children: readonly Selection[]) => {
  const [child] = children
  return child === undefined || child.kind === 'all' ? '*' : child.name
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

/** Children come in the relation's own order before their collection's. */
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
