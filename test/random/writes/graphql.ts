import type { WriteRequest } from './predict.ts'
import { relationsOf, tableOf, type Relation, type Schema, type Table } from './schema.ts'
import type { GraphNames } from '../graphql-names.ts'
import { NoTwin } from '../reads/graphql.ts'
import type { Request } from '../../lib/server.ts'

type Json = Readonly<Record<string, unknown>>

interface RenderedWrite {
  readonly query: string
  readonly variables: Json
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The write as a mutation of the administrator; null if GraphQL cannot express it. */
export function graphWrite(schema: Schema, names: GraphNames, request: WriteRequest): Request | null {
  try {
    return { method: 'POST', path: '/graphql', body: renderWrite({ schema, names }, request) }
  } catch (error) {
    if (error instanceof NoTwin) return null
    throw error
  }
}

interface Context {
  readonly schema: Schema
  readonly names: GraphNames
}

/** A field that GraphQL does not know keeps its name, and is refused. */
const nameIn = ({ names }: Context, table: Table, field: string, suffix = ''): string =>
  names.field(table.name, field, suffix) ?? `${field}${suffix}`

function renderWrite(context: Context, { method, table: name, key, onConflict, body }: WriteRequest): RenderedWrite {
  const table = tableOf(context.schema, name)
  const shown = `{ ${table.key.map((column) => keyName(context, table, column)).join(' ')} }`
  const one = (value: unknown): Json => payloadOf(context, table, value)
  const many = (value: unknown): Json[] => (Array.isArray(value) ? value : [value]).map(one)
  const data = (value: Json, action = 'update') =>
    [[`data: $data`, `$data: ${action}_${name}_input!`, { data: value }]] as const
  const list = (value: Json[], action = 'update', mark = '') =>
    [[`data: $data`, `$data: [${action}_${name}_input!]${mark}`, { data: value }]] as const
  switch (method) {
    case 'POST':
      return Array.isArray(body)
        ? mutation(`create_${name}_items`, list(many(body), 'create'), shown)
        : mutation(`create_${name}_item`, data(one(body), 'create'), shown)
    case 'PATCH':
      if (key !== null) return mutation(`update_${name}_item`, [idOf(key), ...data(one(body))], shown)
      if (Array.isArray(body)) return mutation(`update_${name}_batch`, list(many(body)), shown)
      return targeted('update', body, [...data(one((body as Json)['data']))], shown)
    case 'DELETE':
      if (key !== null) return mutation(`delete_${name}_item`, [idOf(key)], '{ id }')
      return targeted('delete', Array.isArray(body) ? { keys: body } : body, [], '{ ids }')
    case 'PUT': {
      const on = onConflict === null ? [] : ([[`on_conflict: $on`, `$on: String`, { on: onConflict }]] as const)
      const items = key === null ? many(body) : [{ ...one(body), ...keyed(key) }]
      return mutation(`upsert_${name}_items`, [...list(items, 'create', '!'), ...on], shown)
    }
  }

  function keyed(text: string): Json {
    const parts = text.split(',').map(decodeURIComponent)
    return Object.fromEntries(table.key.map((column, index) => [keyName(context, table, column), parts[index]]))
  }

  /** A single-part key is encoded in a URL, but plain as an argument. */
  function idOf(text: string): Argument {
    return [`id: $id`, `$id: ID!`, { id: table.key.length === 1 ? decodeURIComponent(text) : text }]
  }

  function targeted(
    action: 'update' | 'delete',
    sent: unknown,
    more: readonly Argument[],
    answer: string,
  ): RenderedWrite {
    const { keys, query = {}, all } = sent as { keys?: readonly unknown[]; query?: Json; all?: unknown }
    if (keys !== undefined) {
      const ids = keys.map((entry) => (isObject(entry) ? joined(table, entry) : String(entry)))
      return mutation(`${action}_${name}_items`, [['ids: $ids', '$ids: [ID]!', { ids }], ...more], answer)
    }
    const { filter, sort, limit } = query
    const given: Argument[] = []
    if (filter !== undefined)
      given.push(['filter: $filter', `$filter: ${name}_filter!`, { filter: filterOf(context, table, filter as Json) }])
    if (sort !== undefined) given.push(['sort: $sort', '$sort: [String]', { sort }])
    if (limit !== undefined) given.push(['limit: $limit', '$limit: Int', { limit }])
    if (all !== undefined) given.push(['all: $all', '$all: Boolean', { all }])
    if (given.length + more.length === 0) throw new NoTwin('no arguments')
    return mutation(`${action}_${name}_by_query`, [...given, ...more], answer)
  }
}

const filterOf = (context: Context, table: Table, filter: Json): Json =>
  Object.fromEntries(
    Object.entries(filter).map(([name, test]): [string, unknown] =>
      Array.isArray(test)
        ? [name, test.map((part) => filterOf(context, table, part as Json))]
        : [keyName(context, table, name), test],
    ),
  )

type Argument = readonly [use: string, declaration: string, values: Json]

function mutation(field: string, args: readonly Argument[], answer: string): RenderedWrite {
  return {
    query: `mutation M(${args.map(([, declaration]) => declaration).join(', ')}) { root: ${field}(${args.map(([use]) => use).join(', ')}) ${answer} }`,
    variables: Object.assign({}, ...args.map(([, , values]) => values)) as Json,
  }
}

const joined = (table: Table, key: Json): string =>
  table.key.map((column) => encodeURIComponent(String(key[column]))).join(',')

/** A foreign key column is written as its `_key` field. */
function keyName(context: Context, table: Table, column: string): string {
  const kind = relationsOf(context.schema, table.name).get(column)?.kind
  return nameIn(context, table, column, kind === 'one' || kind === 'any' ? '_key' : '')
}

function payloadOf(context: Context, table: Table, value: unknown): Json {
  if (!isObject(value)) throw new NoTwin('no object')
  const relations = relationsOf(context.schema, table.name)
  const payload: Record<string, unknown> = {}
  for (const [name, sent] of Object.entries(value)) {
    const relation = relations.get(name)
    if (relation === undefined) payload[nameIn(context, table, name)] = sent
    else Object.assign(payload, relationOf(context, table, name, sent, relation, value))
  }
  return payload
}

function relationOf(context: Context, table: Table, name: string, sent: unknown, relation: Relation, item: Json): Json {
  const { schema } = context
  const own = (suffix = '') => nameIn(context, table, name, suffix)
  switch (relation.kind) {
    case 'one':
      return isObject(sent)
        ? { [own()]: payloadOf(context, tableOf(schema, relation.target), sent) }
        : { [own('_key')]: sent }
    case 'any': {
      if (!isObject(sent)) return { [own()]: typeof sent === 'number' ? String(sent) : sent }
      const collection = item[relation.link.collectionColumn]
      if (typeof collection !== 'string' || !relation.link.allowed.includes(collection))
        throw new NoTwin('the collection of an item has to be named')
      return { [own(`__${collection}`)]: payloadOf(context, tableOf(schema, collection), sent) }
    }
    case 'many':
      return listOf(context, own, sent, tableOf(schema, relation.child))
    case 'through':
      return listOf(context, own, sent, tableOf(schema, relation.target))
  }
}

function listOf(context: Context, own: (suffix?: string) => string, sent: unknown, child: Table): Json {
  const text = (key: unknown) => (isObject(key) ? joined(child, key) : key)
  if (sent === null) return { [own()]: null }
  if (Array.isArray(sent)) {
    const objects = sent.filter(isObject)
    const keys = sent.filter((entry) => !isObject(entry))
    return {
      [own()]: objects.map((entry) => payloadOf(context, child, entry)),
      ...(keys.length === 0 ? {} : { [own('_keys')]: keys.map(text) }),
    }
  }
  if (!isObject(sent)) throw new NoTwin('no list')
  const changes = Object.entries(sent).map(([change, entries]) => {
    if (!Array.isArray(entries)) throw new NoTwin('no list of changes')
    return [
      change,
      entries.map((entry: unknown) => (change === 'delete' ? text(entry) : payloadOf(context, child, entry))),
    ] as const
  })
  return { [own('_changes')]: Object.fromEntries(changes) }
}
