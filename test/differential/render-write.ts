import type { WriteRequest } from '../model/model.ts'
import { relationsOf, tableOf, type Relation, type Schema, type Table } from '../model/schema.ts'
import { NoTwin } from './render.ts'

type Json = Readonly<Record<string, unknown>>

export interface RenderedWrite {
  readonly query: string
  readonly variables: Json
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Renders a REST write as a GraphQL mutation. All names of these databases are valid in GraphQL. */
export function renderWrite(
  schema: Schema,
  { method, table: name, key, onConflict, body }: WriteRequest,
): RenderedWrite {
  const table = tableOf(schema, name)
  const shown = `{ ${table.key.map((column) => keyName(schema, table, column)).join(' ')} }`
  const one = (value: unknown): Json => payloadOf(schema, table, value)
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
    return Object.fromEntries(table.key.map((column, index) => [keyName(schema, table, column), parts[index]]))
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
    const { keys, query } = sent as { keys?: readonly unknown[]; query?: Json }
    if (keys !== undefined) {
      const ids = keys.map((entry) => (isObject(entry) ? joined(table, entry) : String(entry)))
      return mutation(`${action}_${name}_items`, [['ids: $ids', '$ids: [ID]!', { ids }], ...more], answer)
    }
    const { filter, sort, limit } = query ?? {}
    const [[column, test]] = Object.entries(filter as Json) as [[string, unknown]]
    const given: Argument[] = [
      ['filter: $filter', `$filter: ${name}_filter!`, { filter: { [keyName(schema, table, column)]: test } }],
    ]
    if (sort !== undefined) given.push(['sort: $sort', '$sort: [String]', { sort }])
    if (limit !== undefined) given.push(['limit: $limit', '$limit: Int', { limit }])
    return mutation(`${action}_${name}_by_query`, [...given, ...more], answer)
  }
}

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
function keyName(schema: Schema, table: Table, column: string): string {
  const kind = relationsOf(schema, table.name).get(column)?.kind
  return kind === 'one' || kind === 'any' ? `${column}_key` : column
}

function payloadOf(schema: Schema, table: Table, value: unknown): Json {
  if (!isObject(value)) throw new NoTwin('no object')
  const relations = relationsOf(schema, table.name)
  const payload: Record<string, unknown> = {}
  for (const [name, sent] of Object.entries(value)) {
    const relation = relations.get(name)
    if (relation === undefined) payload[name] = sent
    else Object.assign(payload, relationOf(schema, name, sent, relation, value))
  }
  return payload
}

function relationOf(schema: Schema, name: string, sent: unknown, relation: Relation, item: Json): Json {
  switch (relation.kind) {
    case 'one':
      return isObject(sent)
        ? { [name]: payloadOf(schema, tableOf(schema, relation.target), sent) }
        : { [`${name}_key`]: sent }
    case 'any': {
      if (!isObject(sent)) return { [name]: typeof sent === 'number' ? String(sent) : sent }
      const collection = item[relation.link.collectionColumn]
      if (typeof collection !== 'string' || !relation.link.allowed.includes(collection))
        throw new NoTwin('the collection of an item has to be named')
      return { [`${name}__${collection}`]: payloadOf(schema, tableOf(schema, collection), sent) }
    }
    case 'many':
      return listOf(schema, name, sent, tableOf(schema, relation.child))
    case 'through':
      return listOf(schema, name, sent, tableOf(schema, relation.target))
  }
}

function listOf(schema: Schema, name: string, sent: unknown, child: Table): Json {
  const text = (key: unknown) => (isObject(key) ? joined(child, key) : key)
  if (sent === null) return { [name]: null }
  if (Array.isArray(sent)) {
    const objects = sent.filter(isObject)
    const keys = sent.filter((entry) => !isObject(entry))
    return {
      [name]: objects.map((entry) => payloadOf(schema, child, entry)),
      ...(keys.length === 0 ? {} : { [`${name}_keys`]: keys.map(text) }),
    }
  }
  if (!isObject(sent)) throw new NoTwin('no list')
  const changes = Object.entries(sent).map(([change, entries]) => {
    if (!Array.isArray(entries)) throw new NoTwin('no list of changes')
    return [
      change,
      entries.map((entry: unknown) => (change === 'delete' ? text(entry) : payloadOf(schema, child, entry))),
    ] as const
  })
  return { [`${name}_changes`]: Object.fromEntries(changes) }
}
