import { invalidPayload, invalidQuery } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import {
  deleteAt,
  showingMany,
  showingNothing,
  showingOne,
  updateAt,
  type ItemWrite,
} from '../engine/items/item-write.ts'
import { asPayload } from '../engine/items/payload.ts'
import { itemRead, listRead, readCollection } from '../engine/items/read-items.ts'
import { readKeys } from '../engine/items/read-keys.ts'
import { takesWrite } from '../engine/items/singleton.ts'
import { underNewest } from '../engine/items/under-newest.ts'
import { queryTarget, readAll } from '../engine/items/write-target.ts'
import {
  deletedKeys,
  shownRows,
  targetLimits,
  writableCollection,
  writeOne,
  writeRequest,
} from '../engine/items/write-items.ts'
import { keyParts } from '../query/keys.ts'
import type { Target } from '../query/mutation.ts'
import { findCollection, type Collection } from '../schema/schema.ts'
import { isOpen, type Connection } from './connection.ts'
import { checkMembers, type Message } from './message.ts'
import { isObject, preparedQuery } from './prepared-query.ts'
import { actorOf, say, type SocketServices } from './socket-services.ts'

const members = ['collection', 'action', 'id', 'ids', 'all', 'data', 'query'] as const

/** A message about items, its parts checked. */
interface Asked {
  readonly collection: string
  readonly id: unknown
  readonly ids: readonly unknown[] | null
  /** Whether the message asks for every item. */
  readonly all: boolean
  readonly data: unknown
  readonly query: WireQuery | undefined
}

type WireQuery = Readonly<Record<string, unknown>>

/** JSON texts of an answer. */
interface Answer {
  readonly data: string
  readonly meta?: string
}

type Action = (asked: Asked, actor: Actor, connection: Connection, services: SocketServices) => Promise<Answer>

const actions: Readonly<Record<string, Action>> = Object.assign(Object.create(null) as Record<string, Action>, {
  read,
  create,
  update,
  delete: remove,
} satisfies Record<string, Action>)

/** Reads or writes items of a collection of the user. */
export async function answerItems(message: Message, connection: Connection, services: SocketServices): Promise<void> {
  const { body, uid } = message
  checkMembers(body, members)
  const action = typeof body['action'] === 'string' ? actions[body['action']] : undefined
  if (action === undefined) throw invalidPayload(`"action" has to be one of ${Object.keys(actions).join(', ')}`)
  const asked = askedIn(body)
  const { data, meta } = await action(asked, await actorOf(connection, services), connection, services)
  const parts = [
    `"type":"items","data":${data}`,
    ...(meta === undefined ? [] : [`"meta":${meta}`]),
    ...(uid === undefined ? [] : [`"uid":${JSON.stringify(uid)}`]),
  ]
  say(connection, `{${parts.join(',')}}`, services)
}

function askedIn({ collection, action, id = null, ids = null, all, data, query }: Message['body']): Asked {
  if (typeof collection !== 'string') throw invalidPayload('"collection" has to be the name of a collection')
  if (id !== null && ids !== null) throw invalidPayload('Either "id" or "ids" can be sent')
  if (ids !== null && !Array.isArray(ids)) throw invalidPayload('"ids" has to be a list')
  if (query !== undefined && !isObject(query)) throw invalidPayload('"query" has to be an object')
  const isAll = readAll(all)
  if (isAll && ((action !== 'update' && action !== 'delete') || id !== null || ids !== null || Array.isArray(data)))
    throw invalidPayload('"all" is for updates and deletions that name no items')
  return { collection, id, ids, all: isAll, data, query }
}

async function read(
  { collection: name, id, ids, query }: Asked,
  actor: Actor,
  connection: Connection,
  { engine, limits }: SocketServices,
): Promise<Answer> {
  const prepared = preparedQuery(query ?? {}, limits)
  const root = { collection: name, isSystem: false }
  const signal = {
    get aborted() {
      return !isOpen(connection)
    },
  }
  if (id !== null) {
    const keyOf = () => keyIn(id, findCollection(engine.schema(), name))
    return { data: (await engine.item(actor, itemRead(root, prepared, keyOf), signal)).data }
  }
  const listed = listRead(root, prepared)
  const found =
    ids === null
      ? await readCollection(engine, actor, listed, signal)
      : await readKeys(engine, actor, listed, ids, signal)
  if ('item' in found) return { data: found.item }
  const data = `[${found.rows.join(',')}]`
  return found.meta === null ? { data } : { data, meta: JSON.stringify(found.meta) }
}

/** A name that stands for no collection has keys of any form: the read refuses it. */
const keyIn = (key: unknown, collection: Collection | undefined): readonly string[] =>
  collection === undefined ? [String(key)] : keyParts(key, collection)

async function create(asked: Asked, actor: Actor, connection: Connection, services: SocketServices): Promise<Answer> {
  const { collection: name, id, ids, data, query } = asked
  if (id !== null || ids !== null) throw invalidPayload('New items are sent as "data", without "id" and "ids"')
  const collection = await writable(asked, actor, services)
  if (!takesWrite('create', collection, false)) throw invalidPayload('A singleton has one item; update it instead')
  const root = { collection: name }
  const write = Array.isArray(data)
    ? showingMany({ ...root, kind: 'create', items: data.map(asPayload) })
    : showingOne({ ...root, kind: 'create', items: [asPayload(data ?? {})] })
  return written(write, shapeOnly(query), actor, connection, services)
}

async function update(asked: Asked, actor: Actor, connection: Connection, services: SocketServices): Promise<Answer> {
  const { collection: name, id, ids, data, query } = asked
  const collection = await writable(asked, actor, services)
  const root = { collection: name }
  const key = id === null ? null : keyParts(id, collection)
  if (!takesWrite('update', collection, key !== null)) throw invalidPayload('A singleton has one item, without a key')
  const addressed = Array.isArray(data) ? null : updateAt(root, key, data, collection)
  if (addressed !== null && asked.all) throw invalidPayload('A singleton has one item; leave "all" out')
  if (addressed !== null) return written(addressed, shapeOnly(query), actor, connection, services)
  if (Array.isArray(data)) {
    if (key !== null || ids !== null) throw invalidPayload('Items of a list have their keys in themselves')
    const write = showingMany({ ...root, kind: 'update-each', items: data.map(asPayload) })
    return written(write, shapeOnly(query), actor, connection, services)
  }
  const { shape, target } = targetOf(asked, collection, services)
  const write = showingMany({ ...root, kind: 'update', target, data: asPayload(data) })
  return written(write, shape, actor, connection, services)
}

async function remove(asked: Asked, actor: Actor, connection: Connection, services: SocketServices): Promise<Answer> {
  const { collection: name, id, ids, data } = asked
  const collection = await writable(asked, actor, services)
  if (data !== undefined) throw invalidPayload('What is deleted is named by "id", "ids" or "query"')
  if (!takesWrite('delete', collection, id !== null)) throw invalidPayload('The item of a singleton stays')
  const root = { collection: name }
  const write =
    id === null
      ? showingNothing({ ...root, kind: 'delete', target: targetOf(asked, collection, services).target })
      : deleteAt(root, keyParts(id, collection))
  const reply = await writeOne(services.engine, actor, writeRequest(write, noShape, originOf(connection)), false)
  const given = id ?? ids
  return { data: given === null ? `[${deletedKeys(reply).join(',')}]` : JSON.stringify(given) }
}

const noShape = (): never => {
  throw new TypeError('an answer without items has no shape')
}

const originOf = ({ client: { ip, userAgent } }: Connection) => ({ ip, userAgent })

const writable = ({ collection }: Asked, actor: Actor, { engine }: SocketServices): Promise<Collection> =>
  underNewest(engine, actor, (caller) => writableCollection({ collection }, caller, engine.schema()))

async function written(
  write: ItemWrite,
  shape: WireQuery,
  actor: Actor,
  connection: Connection,
  { engine, limits }: SocketServices,
): Promise<Answer> {
  const request = writeRequest(write, () => preparedQuery(shape, limits), originOf(connection))
  const rows = shownRows(write, await writeOne(engine, actor, request, false))
  if (write.shows === 'one') return { data: rows?.[0] ?? 'null' }
  return { data: rows === null ? 'null' : `[${rows.join(',')}]` }
}

/** The parts of a query that choose items. The others say how those are shown. */
const choosing: ReadonlySet<string> = new Set(['filter', 'search', 'sort', 'limit', 'offset', 'page'])

function split(query: WireQuery): { readonly chosen: WireQuery; readonly shape: WireQuery } {
  const entries = Object.entries(query)
  return {
    chosen: Object.fromEntries(entries.filter(([name]) => choosing.has(name))),
    shape: Object.fromEntries(entries.filter(([name]) => !choosing.has(name))),
  }
}

/** The query of a write that names its items otherwise. */
function shapeOnly(query: WireQuery = {}): WireQuery {
  const { chosen, shape } = split(query)
  const [name] = Object.keys(chosen)
  if (name !== undefined) throw invalidQuery(`"${name}" chooses items, and they are named already`)
  return shape
}

/** The items of a write, by their keys or by a query. */
function targetOf(
  { ids, query, all }: Asked,
  collection: Collection,
  { limits }: SocketServices,
): { readonly target: Target; readonly shape: WireQuery } {
  if (ids !== null) return { target: { kind: 'keys', keys: ids }, shape: shapeOnly(query) }
  if (query === undefined && !all)
    throw invalidPayload('The items have to be named by "id", "ids", a "query" with a filter, or "all"')
  const { chosen, shape } = split(query ?? {})
  return { target: queryTarget(preparedQuery(chosen, targetLimits(limits)), all, collection), shape }
}
