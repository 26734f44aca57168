import { invalidPayload, ServiceError } from '@tain/contract'
import {
  deleteAt,
  showingMany,
  showingNothing,
  showingOne,
  updateAt,
  upsertAt,
  type ItemWrite,
} from '../engine/items/item-write.ts'
import { asPayload, isObject } from '../engine/items/payload.ts'
import { takesWrite, type AddressedWrite } from '../engine/items/singleton.ts'
import { targetLimits } from '../engine/items/write-items.ts'
import { queryTarget, readAll } from '../engine/items/write-target.ts'
import type { MutationRoot, Payload, Target } from '../query/mutation.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import type { Collection } from '../schema/schema.ts'
import { prepare } from './queries.ts'

/** Method, path and body of a request. */
export interface Call {
  readonly method: string
  /** The path without the query string, for messages. */
  readonly path: string
  readonly key: readonly string[] | null
  readonly body: unknown
  readonly onConflict: string | null
}

/** The writes that methods stand for. */
const writes: Readonly<Record<string, AddressedWrite>> = {
  POST: 'create',
  PATCH: 'update',
  DELETE: 'delete',
  PUT: 'upsert',
}

/** Maps method, path and body to a write. */
export function itemWrite(call: Call, root: MutationRoot, collection: Collection, limits: QueryLimits): ItemWrite {
  const { method, path, key, body } = call
  const write = Object.hasOwn(writes, method) ? writes[method] : undefined
  if (write === undefined || !takesWrite(write, collection, key !== null))
    throw new ServiceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path })
  switch (write) {
    case 'create':
      return createOf(body, root)
    case 'update':
      return updateAt(root, key, body, collection) ?? updateOf(body, root, collection, limits)
    case 'delete':
      return key === null ? deleteOf(body, root, collection, limits) : deleteAt(root, key)
    case 'upsert':
      return key === null ? upsertOf(call, root) : upsertAt(root, key, body, collection)
  }
}

const createOf = (body: unknown, root: MutationRoot): ItemWrite =>
  Array.isArray(body)
    ? showingMany({ ...root, kind: 'create', items: body.map(asPayload) })
    : showingOne({ ...root, kind: 'create', items: [asPayload(body ?? {})] })

function updateOf(body: unknown, root: MutationRoot, collection: Collection, limits: QueryLimits): ItemWrite {
  if (Array.isArray(body)) return showingMany({ ...root, kind: 'update-each', items: body.map(asPayload) })
  if (!isObject(body) || !isObject(body['data'])) throw invalidPayload('"data" has to be an object')
  return showingMany({
    ...root,
    kind: 'update',
    target: targetOf(body, ['data'], collection, limits),
    data: body['data'],
  })
}

function deleteOf(body: unknown, root: MutationRoot, collection: Collection, limits: QueryLimits): ItemWrite {
  const target: Target = Array.isArray(body)
    ? { kind: 'keys', keys: body }
    : targetOf(isObject(body) ? body : {}, [], collection, limits)
  return showingNothing({ ...root, kind: 'delete', target })
}

function upsertOf({ body, onConflict: on }: Call, root: MutationRoot): ItemWrite {
  return Array.isArray(body)
    ? showingMany({ ...root, kind: 'upsert', items: body.map(asPayload), on })
    : showingOne({ ...root, kind: 'upsert', items: [asPayload(body)], on })
}

function targetOf(body: Payload, other: readonly string[], collection: Collection, limits: QueryLimits): Target {
  for (const key of Object.keys(body))
    if (!['keys', 'query', 'all', ...other].includes(key)) throw invalidPayload(`"${key}" is not allowed`)
  const { keys, query, all } = body
  if ((keys === undefined) === (query === undefined && all === undefined))
    throw invalidPayload('Either "keys" is needed, or "query" or "all"')
  if (keys !== undefined) {
    if (!Array.isArray(keys)) throw invalidPayload('"keys" has to be a list')
    return { kind: 'keys', keys }
  }
  const isAll = readAll(all)
  if (query !== undefined && !isObject(query)) throw invalidPayload('"query" has to be an object')
  return queryTarget(prepare(parseQuery(query ?? {}, targetLimits(limits))), isAll, collection)
}
