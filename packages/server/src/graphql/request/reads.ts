import { aggregates, ServiceError, type AggregateFunction } from '@tain/contract'
import type { AbortFlag } from '../../lib/abort-flag.ts'
import type { FieldNode, GraphQLField, GraphQLObjectType } from 'graphql'
import type { Actor } from '../../access/actor.ts'
import { addressOf } from '../../engine/address.ts'
import type { Engine } from '../../engine/engine.ts'
import { listRows } from '../../engine/items/app-permissions.ts'
import { itemRead, listRead, readSingleton } from '../../engine/items/read-items.ts'
import { isSingleton, selectedDefaults } from '../../engine/items/singleton.ts'
import type { Read } from '../../engine/read.ts'
import { keyParts } from '../../query/keys.ts'
import { parseNested, parseSeek, refuseBesideSeek } from '../../query/parse-query.ts'
import { collectValues } from '../../query/values.ts'
import type { Collection } from '../../schema/schema.ts'
import { collect, setsOf } from './collect.ts'
import { meaningOf, type Meaning } from '../schema/field-mapping.ts'
import { argumentsOf, nestedOf, selectedQuery, selectionToQuery, type SelectionContext } from './selection-to-query.ts'
import type { Arguments, SelectedQuery } from './selected-query.ts'

export interface ReadContext extends SelectionContext {
  readonly engine: Engine
  readonly actor: Actor
  readonly signal: AbortFlag | undefined
}

type QueryMeaning = Extract<Meaning, { kind: 'query' }>

/** A prepared root field: the engine read, and how its result becomes JSON. */
export interface PreparedRead {
  readonly read: Read
  readonly form: 'list' | 'item' | 'singleton' | 'groups'
  readonly collection: Collection
  /** For groups: converts a row of the engine to an entry of the response. */
  readonly writeGroup: ((row: string) => string) | null
}

const listOf = (collection: Collection, selected: SelectedQuery): Read =>
  listRead(addressOf(collection), { ...selected, meta: [], cursor: null })

export function prepareRead(
  { role, collection }: QueryMeaning,
  field: GraphQLField,
  nodes: readonly FieldNode[],
  context: SelectionContext,
): PreparedRead {
  const [node] = nodes
  if (node === undefined) throw new TypeError('a root field has a node')
  const args = argumentsOf(field, node, context)
  switch (role) {
    case 'list': {
      const isOne = isSingleton(collection)
      const { seek, ...others } = args
      const given = isOne ? { limit: 1 } : others
      const read = listOf(collection, selectionToQuery(given, setsOf(nodes), collection, context))
      return {
        read: isOne ? read : { ...read, seek: soughtShare(seek, others) },
        form: isOne ? 'singleton' : 'list',
        collection,
        writeGroup: null,
      }
    }
    case 'byId': {
      const key = keyParts(args['id'], collection)
      const selected = selectionToQuery({}, setsOf(nodes), collection, context)
      const read = itemRead(addressOf(collection), selected, () => key)
      return { read, form: 'item', collection, writeGroup: null }
    }
    case 'aggregated':
      return prepareGroups(args, nodes, collection, context)
  }
}

function soughtShare(wire: unknown, others: Arguments): number | null {
  const seek = parseSeek(wire)
  if (seek !== null) refuseBesideSeek(others)
  return seek
}

export async function runRead(
  { read, form, collection, writeGroup }: PreparedRead,
  { engine, actor, signal }: Pick<ReadContext, 'engine' | 'actor' | 'signal'>,
): Promise<string> {
  if (form === 'item') return (await engine.item(actor, read, signal)).data
  if (form === 'singleton')
    return readSingleton(engine, actor, read, signal, () => selectedDefaults(collection, read.query))
  const { rows } = await listRows(engine, actor, read, signal)
  return `[${(writeGroup === null ? rows : rows.map(writeGroup)).join(',')}]`
}

// groups

interface Asked {
  readonly key: string
  readonly write: (row: Readonly<Record<string, unknown>>) => string
}

/** `articles_aggregated { group countAll sum { score } }` → functions and groups, and a writer for their rows. */
function prepareGroups(
  args: Arguments,
  nodes: readonly FieldNode[],
  collection: Collection,
  context: SelectionContext,
): PreparedRead {
  const values = collectValues(context.spend)
  const { groupBy, ...others } = args
  const type = context.types.output(collection, 'aggregated')
  const functions: { fn: AggregateFunction; name: string | null }[] = []
  const add = (fn: AggregateFunction, name: string | null) => {
    if (!functions.some((entry) => entry.fn === fn && entry.name === name)) functions.push({ fn, name })
  }
  const groupNames: string[] = []
  const asked = [...collect(type, setsOf(nodes), context)].flatMap(([key, same]): Asked[] => {
    const [node] = same
    const field = node && type.getFields()[node.name.value]
    if (node?.name.value === '__typename') return [{ key, write: () => JSON.stringify(type.name) }]
    const meaning = field && meaningOf(field)
    if (meaning?.kind === 'group') return [{ key, write: (row) => groupText(row, groupNames) }]
    if (field === undefined || meaning?.kind !== 'aggregate') return []
    const { fn } = meaning
    if (aggregates[fn].input === 'none') {
      add(fn, null)
      return [{ key, write: (row) => numberText(row[fn]) }]
    }
    const inner = aggregatedOf(field.type as GraphQLObjectType, same, context, (name) => add(fn, name))
    return [{ key, write: (row) => inner(row[fn] as Readonly<Record<string, unknown>> | undefined) }]
  })
  // The statement has to compute something, even if only groups or type names are selected.
  const wanted = Array.isArray(groupBy) ? groupBy : []
  if (functions.length === 0 && wanted.length === 0) add('countAll', null)
  const groups = wanted.length === 0 ? [] : parseGroups(wanted, values, context)
  for (const path of groups) groupNames.push(topName(path))
  const nested = nestedOf(others, collection, 0, values, context)
  const shape = selectedQuery({ ...nested, aggregate: { functions, groups }, select: [] }, values.list)
  const writeGroup = (row: string) => {
    const parsed = JSON.parse(row) as Readonly<Record<string, unknown>>
    return `{${asked.map(({ key, write }) => `${JSON.stringify(key)}:${write(parsed)}`).join(',')}}`
  }
  return { read: listOf(collection, shape), form: 'groups', collection, writeGroup }
}

function parseGroups(groupBy: readonly unknown[], values: ReturnType<typeof collectValues>, context: SelectionContext) {
  const { aggregate } = parseNested({ groupBy }, '', {}, values, context.limits)
  return aggregate?.groups ?? []
}

/** A group appears under the first name of its path. */
function topName(path: readonly { readonly name: string; readonly fn: string | null }[]): string {
  const [first] = path
  if (first === undefined) return ''
  return first.fn === null ? first.name : `${first.name}_${first.fn}`
}

const groupText = (row: Readonly<Record<string, unknown>>, names: readonly string[]): string =>
  JSON.stringify(Object.fromEntries([...new Set(names)].map((name) => [name, row[name]])))

/** Numbers in text form become JSON numbers with all their digits. */
const numberText = (value: unknown): string =>
  typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/iu.test(value) ? value : JSON.stringify(value ?? null)

function aggregatedOf(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  context: SelectionContext,
  add: (name: string) => void,
): (values: Readonly<Record<string, unknown>> | undefined) => string {
  const parts = [...collect(type, setsOf(nodes), context)].map(([key, [node]]): Asked => {
    if (node?.name.value === '__typename') return { key, write: () => JSON.stringify(type.name) }
    const field = node && type.getFields()[node.name.value]
    const meaning = field && meaningOf(field)
    if (meaning?.kind !== 'aggregated') throw new ServiceError('INTERNAL_SERVER_ERROR')
    const { name, isNumber } = meaning
    add(name)
    return { key, write: (row) => (isNumber ? numberText(row[name]) : JSON.stringify(row[name] ?? null)) }
  })
  return (values) => `{${parts.map(({ key, write }) => `${JSON.stringify(key)}:${write(values ?? {})}`).join(',')}}`
}
