import { forbidden, invalidPayload, ServiceError } from '@tain/contract'
import { isExactNumber } from '../lib/exact-json.ts'
import type { Mutation, MutationRoot, Payload, Target } from '../query/mutation.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import type { Collection } from '../schema/schema.ts'
import { prepare } from './queries.ts'

/** A write and the form of its response: one item, a list, or nothing. */
export interface Operation {
  readonly mutation: Mutation
  readonly answer: 'one' | 'many' | 'nothing'
  readonly ifMatch: readonly string[] | null
}

/** Method, path and body of a request. */
export interface Call {
  readonly method: string
  /** The path without the query string, for messages. */
  readonly path: string
  readonly key: readonly string[] | null
  readonly body: unknown
  readonly onConflict: string | null
}

export const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function asPayload(value: unknown): Payload {
  if (!isObject(value)) throw invalidPayload('An item has to be an object')
  return value
}

const isSingleton = ({ meta }: Collection) => meta?.singleton === true

/** Maps method, path and body to an operation. */
export function operationOf(call: Call, root: MutationRoot, collection: Collection, limits: QueryLimits): Operation {
  const { method, path, key, body } = call
  const noRoute = () => new ServiceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path })
  switch (method) {
    case 'POST':
      if (isSingleton(collection) || key !== null) throw noRoute()
      return createOf(body, root)
    case 'PATCH':
      if (isSingleton(collection)) {
        if (key !== null) throw noRoute()
        return one({ ...root, kind: 'singleton', data: asPayload(body) })
      }
      return updateOf(key, body, root, limits)
    case 'DELETE':
      if (isSingleton(collection) && collection.isSystem) throw noRoute()
      return deleteOf(key, body, root, limits)
    case 'PUT':
      if (isSingleton(collection) && collection.isSystem) throw noRoute()
      return upsertOf(call, root, collection)
    default:
      throw noRoute()
  }
}

const one = (mutation: Mutation): Operation => ({ mutation, answer: 'one', ifMatch: null })
const many = (mutation: Mutation): Operation => ({ mutation, answer: 'many', ifMatch: null })
const nothing = (mutation: Mutation): Operation => ({ mutation, answer: 'nothing', ifMatch: null })

const createOf = (body: unknown, root: MutationRoot): Operation =>
  Array.isArray(body)
    ? many({ ...root, kind: 'create', items: body.map(asPayload) })
    : one({ ...root, kind: 'create', items: [asPayload(body ?? {})] })

function updateOf(key: Call['key'], body: unknown, root: MutationRoot, limits: QueryLimits): Operation {
  if (key !== null)
    return one({ ...root, kind: 'update', target: { kind: 'parts', keys: [key] }, data: asPayload(body) })
  if (Array.isArray(body)) return many({ ...root, kind: 'update-each', items: body.map(asPayload) })
  if (!isObject(body) || !isObject(body['data'])) throw invalidPayload('"data" has to be an object')
  return many({ ...root, kind: 'update', target: targetOf(body, ['data'], limits), data: body['data'] })
}

function deleteOf(key: Call['key'], body: unknown, root: MutationRoot, limits: QueryLimits): Operation {
  if (key !== null) return nothing({ ...root, kind: 'delete', target: { kind: 'parts', keys: [key] } })
  const target: Target = Array.isArray(body)
    ? { kind: 'keys', keys: body }
    : targetOf(isObject(body) ? body : {}, [], limits)
  return nothing({ ...root, kind: 'delete', target })
}

function upsertOf({ key, body, onConflict }: Call, root: MutationRoot, collection: Collection): Operation {
  if (key === null) {
    const items = Array.isArray(body) ? body.map(asPayload) : [asPayload(body)]
    const mutation: Mutation = { ...root, kind: 'upsert', items, on: onConflict }
    return Array.isArray(body) ? many(mutation) : one(mutation)
  }
  if (key.length !== collection.key.length) throw forbidden()
  const payload = asPayload(body)
  const named = Object.fromEntries(collection.key.map((field, index) => [field.name, key[index] ?? '']))
  for (const [name, part] of Object.entries(named))
    if (payload[name] !== undefined && !isSameText(payload[name], part))
      throw invalidPayload(`"${name}" is another one than in the address`)
  return one({ ...root, kind: 'upsert', items: [{ ...payload, ...named }], on: null })
}

const isSameText = (value: unknown, part: string): boolean => {
  const text = isExactNumber(value) ? value.rawJSON : typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.toLowerCase() === part.toLowerCase()
}

function targetOf(body: Payload, other: readonly string[], limits: QueryLimits): Target {
  for (const key of Object.keys(body))
    if (!['keys', 'query', ...other].includes(key)) throw invalidPayload(`"${key}" is not allowed`)
  const { keys, query } = body
  if ((keys === undefined) === (query === undefined)) throw invalidPayload('Either "keys" or "query" is needed')
  if (keys !== undefined) {
    if (!Array.isArray(keys)) throw invalidPayload('"keys" has to be a list')
    return { kind: 'keys', keys }
  }
  if (!isObject(query)) throw invalidPayload('"query" has to be an object')
  // Without a limit, the target is every match instead of one page.
  const parsed = prepare(parseQuery(query, { ...limits, limitDefault: -1, limitMax: null }))
  return { kind: 'query', query: parsed.query, queryKey: parsed.queryKey, values: parsed.values }
}
