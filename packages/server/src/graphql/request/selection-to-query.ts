import { invalidQuery } from '@tain/contract'
import {
  getArgumentValues,
  isListType,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type SelectionSetNode,
} from 'graphql'
import { rowsOf, type Spend } from '../../query/cost.ts'
import { filterContext } from '../../query/parse-filter.ts'
import { parseNested, type QueryLimits } from '../../query/parse-query.ts'
import type { NestedQuery, Query, Selection } from '../../query/query.ts'
import { parseJsonPath } from '../../query/segments.ts'
import { collectValues, type Values } from '../../query/values.ts'
import type { Collection } from '../../schema/schema.ts'
import { collect, setsOf, type Reading } from './collect.ts'
import { filterOf } from './filter.ts'
import type { Arguments, SelectedQuery } from './selected-query.ts'
import { meaningOf } from '../schema/field-mapping.ts'
import type { Types } from '../schema/types.ts'

/** The context for reading a selection. */
export interface SelectionContext extends Reading {
  readonly types: Types
  readonly limits: QueryLimits
  /** Counts the cost of a request, over all its root fields. */
  readonly spend: Spend
}

export const argumentsOf = (field: GraphQLField, node: FieldNode, { variables }: Reading): Arguments =>
  getArgumentValues(field, node, variables)

/** Converts list arguments and the selected fields below them to a query. */
export const selectionToQuery = (
  args: Arguments,
  sets: readonly SelectionSetNode[],
  collection: Collection,
  context: SelectionContext,
): SelectedQuery => selectionsToQuery(args, [{ prefix: '', sets }], collection, context)

/** The same for several selections of one item; the prefix of its fields tells them apart. */
export function selectionsToQuery(
  args: Arguments,
  groups: readonly { readonly prefix: string; readonly sets: readonly SelectionSetNode[] }[],
  collection: Collection,
  context: SelectionContext,
): SelectedQuery {
  const values = collectValues(context.spend)
  const nested = nestedOf(args, collection, 0, values, context)
  const place = { depth: 1, rows: rowsOf(nested) }
  const type = context.types.output(collection, 'item')
  const select = groups.flatMap(({ prefix, sets }) => {
    const found = selectionsOf(sets, type, place, values, context)
    return prefix === '' ? found : found.map((selection) => prefixed(selection, prefix))
  })
  return selectedQuery({ ...nested, select }, values.list)
}

function prefixed(selection: Selection, prefix: string): Selection {
  if (selection.kind === 'all') return selection
  if ('under' in selection && selection.under !== undefined)
    return { ...selection, under: `${prefix}${selection.under}` }
  return { ...selection, as: `${prefix}${selection.as}` }
}

export function selectedQuery(query: NestedQuery & Pick<Query, 'select'>, values: readonly unknown[]): SelectedQuery {
  const whole: Query = { ...query, backlink: true, alias: {}, deep: {} }
  return { query: whole, queryKey: JSON.stringify(whole), values }
}

export function nestedOf(
  args: Arguments,
  collection: Collection,
  depth: number,
  values: Values,
  { limits, types }: SelectionContext,
): NestedQuery {
  const { filter, ...others } = args
  const query = parseNested(others, '', {}, values, limits)
  if (typeof filter !== 'object' || filter === null) return query
  const place = { schema: types.visibility.schema, context: filterContext(values, limits), depth }
  const found = filterOf(filter as Arguments, collection, place)
  return { ...query, filter: found.kind === 'constant' && found.value ? null : found }
}

interface Place {
  readonly depth: number
  /** Maximum number of objects at this place. */
  readonly rows: number
}

/** Converts the fields of an object to selections under their response keys. */
function selectionsOf(
  sets: readonly SelectionSetNode[],
  type: GraphQLObjectType,
  { depth, rows }: Place,
  values: Values,
  context: SelectionContext,
): Selection[] {
  if (depth > context.limits.depth) throw invalidQuery('Max relational depth exceeded')
  const selections: Selection[] = []
  const fields = collect(type, sets, context)
  context.spend('rows', rows * fields.size)
  for (const [key, nodes] of fields) {
    const [node] = nodes
    if (node === undefined) continue
    if (node.name.value === '__typename') {
      selections.push({ kind: 'constant', name: '__typename', as: key, text: type.name })
      continue
    }
    const field = type.getFields()[node.name.value]
    if (field !== undefined) select(key, field, nodes, selections)
  }
  return selections

  function select(key: string, field: GraphQLField, nodes: readonly FieldNode[], found: Selection[]): void {
    const meaning = meaningOf(field)
    const [node] = nodes
    if (node === undefined) return
    switch (meaning?.kind) {
      case 'value': {
        const { name, form } = meaning
        found.push({ kind: 'field', name, as: key, query: null, ...(form === null ? {} : { form }) })
        break
      }
      case 'relation': {
        const { name, to } = meaning
        const query = nestedOf(argumentsOf(field, node, context), to, 0, values, context)
        const inside = { depth: depth + 1, rows: isListType(field.type) ? rows * rowsOf(query) : rows }
        const children = selectionsOf(setsOf(nodes), context.types.output(to, 'item'), inside, values, context)
        found.push({ kind: 'nested', name, scope: null, as: key, query, children })
        break
      }
      case 'union': {
        const { name, targets } = meaning
        for (const target of targets) {
          const inside = { depth: depth + 1, rows }
          const children = selectionsOf(setsOf(nodes), context.types.output(target, 'item'), inside, values, context)
          found.push({ kind: 'nested', name, scope: target.name, as: key, query: null, children, isStrict: true })
        }
        break
      }
      case 'functions':
        found.push(...functionsOf(key, meaning.name, nodes, field.type as GraphQLObjectType, values, context))
        break
      default:
    }
  }
}

/** `published_func { year }`: function values under one key. */
function functionsOf(
  under: string,
  name: string,
  nodes: readonly FieldNode[],
  type: GraphQLObjectType,
  values: Values,
  context: SelectionContext,
): Selection[] {
  return [...collect(type, setsOf(nodes), context)].flatMap(([as, [node]]): Selection[] => {
    if (node === undefined) return []
    if (node.name.value === '__typename') return [{ kind: 'constant', name: '__typename', as, under, text: type.name }]
    const field = type.getFields()[node.name.value]
    const meaning = field && meaningOf(field)
    if (field === undefined || meaning?.kind !== 'function') return []
    const { fn } = meaning
    if (fn !== 'json') return [{ kind: 'function', fn, name, path: null, as, under }]
    const path = values.add(parseJsonPath(String(argumentsOf(field, node, context)['path']), context.limits.jsonDepth))
    return [{ kind: 'function', fn, name, path, as, under }]
  })
}
