import { createHash } from 'node:crypto'
import { forbidden, invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { createClaim, isReplay, type Replay } from '../engine/write/idempotency.ts'
import type { WriteReply, WriteRequest } from '../engine/write/run-write.ts'
import type { Mutation, Payload, Target } from '../query/mutation.ts'
import { parseQuery } from '../query/parse-query.ts'
import { noCollection } from '../query/resolve.ts'
import { findCollection, type Collection } from '../schema/schema.ts'
import { actorOf, type HttpContext } from './context.ts'
import type { Search } from './items.ts'
import { keyFromUrl } from './key.ts'
import { prepare, wireOf, type Prepared } from './queries.ts'
import { sendJson } from './reply.ts'

interface Params {
  readonly collection: string
}

/** A write and the form of its answer: one item, a list, or nothing. */
interface Operation {
  readonly mutation: Mutation
  readonly answer: 'one' | 'many' | 'nothing'
  readonly ifMatch: readonly string[] | null
}

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Writes of /items and /batch: they only translate between HTTP and the engine. */
export function writeRoutes(app: FastifyInstance, context: HttpContext, search: Search): void {
  const { engine, limits, queryOf } = context

  /** Known and not closed; what cannot be written says so before anything is read from the body. */
  function collectionOf(name: string, actor: Actor): Collection {
    const collection = findCollection(engine.schema(), name)
    if (collection === undefined || actor.readGrant(collection) === null) throw noCollection(name)
    if (collection.isReadOnly && actor.mayWrite(collection, 'update')) {
      throw new ServiceError('UNPROCESSABLE_CONTENT', `The items of "${name}" can only be read.`)
    }
    return collection
  }

  const isSingleton = ({ meta }: Collection) => meta?.singleton === true

  function targetOf(body: Payload, other: readonly string[]): Target {
    for (const key of Object.keys(body))
      if (!['keys', 'query', ...other].includes(key)) throw invalidPayload(`"${key}" is not allowed`)
    const { keys, query } = body
    if ((keys === undefined) === (query === undefined)) throw invalidPayload('Either "keys" or "query" is needed')
    if (keys !== undefined) {
      if (!Array.isArray(keys)) throw invalidPayload('"keys" has to be a list')
      return { kind: 'keys', keys }
    }
    if (!isObject(query)) throw invalidPayload('"query" has to be an object')
    // Without a limit every match is meant, not a page of them.
    const parsed = prepare(parseQuery(query, { ...limits, limitDefault: -1, limitMax: null }))
    return { kind: 'query', query: parsed.query, queryKey: parsed.queryKey, values: parsed.values }
  }

  const asPayload = (value: unknown): Payload => {
    if (!isObject(value)) throw invalidPayload('An item has to be an object')
    return value
  }

  /** Method, address and body → what to do. */
  function operationOf(
    method: string,
    collection: Collection,
    key: readonly string[] | null,
    body: unknown,
    onConflict: string | null,
  ): Operation {
    const { name } = collection
    const plain = { ifMatch: null }
    const noRoute = () => new ServiceError('ROUTE_NOT_FOUND', undefined, { path: `/items/${name}` })
    switch (method) {
      case 'POST':
        if (isSingleton(collection) || key !== null) throw noRoute()
        if (Array.isArray(body))
          return {
            ...plain,
            mutation: { kind: 'create', collection: name, items: body.map(asPayload) },
            answer: 'many',
          }
        return {
          ...plain,
          mutation: { kind: 'create', collection: name, items: [asPayload(body ?? {})] },
          answer: 'one',
        }
      case 'PATCH':
        if (key !== null) {
          if (isSingleton(collection)) throw noRoute()
          return {
            ...plain,
            mutation: {
              kind: 'update',
              collection: name,
              target: { kind: 'parts', keys: [key] },
              data: asPayload(body),
            },
            answer: 'one',
          }
        }
        if (isSingleton(collection))
          return { ...plain, mutation: { kind: 'singleton', collection: name, data: asPayload(body) }, answer: 'one' }
        if (Array.isArray(body))
          return {
            ...plain,
            mutation: { kind: 'update-each', collection: name, items: body.map(asPayload) },
            answer: 'many',
          }
        if (!isObject(body) || !isObject(body['data'])) throw invalidPayload('"data" has to be an object')
        return {
          ...plain,
          mutation: { kind: 'update', collection: name, target: targetOf(body, ['data']), data: body['data'] },
          answer: 'many',
        }
      case 'DELETE': {
        if (key !== null)
          return {
            ...plain,
            mutation: { kind: 'delete', collection: name, target: { kind: 'parts', keys: [key] } },
            answer: 'nothing',
          }
        const target: Target = Array.isArray(body)
          ? { kind: 'keys', keys: body }
          : targetOf(isObject(body) ? body : {}, [])
        return { ...plain, mutation: { kind: 'delete', collection: name, target }, answer: 'nothing' }
      }
      case 'PUT': {
        if (key !== null) {
          if (key.length !== collection.key.length) throw forbidden()
          const item = {
            ...asPayload(body),
            ...Object.fromEntries(collection.key.map((field, index) => [field.name, key[index]])),
          }
          return { ...plain, mutation: { kind: 'upsert', collection: name, items: [item], on: null }, answer: 'one' }
        }
        const items = Array.isArray(body) ? body.map(asPayload) : [asPayload(body)]
        return {
          ...plain,
          mutation: { kind: 'upsert', collection: name, items, on: onConflict },
          answer: Array.isArray(body) ? 'many' : 'one',
        }
      }
      default:
        throw noRoute()
    }
  }

  function preparedOf(request: FastifyRequest): { prepared: Prepared; onConflict: string | null } {
    if (request.method !== 'PUT') return { prepared: queryOf(request), onConflict: null }
    const { on_conflict: onConflict, ...wire } = wireOf(request)
    if (onConflict !== undefined && typeof onConflict !== 'string')
      throw invalidQuery('"on_conflict" has to be one field')
    return { prepared: prepare(parseQuery(wire, limits)), onConflict: onConflict ?? null }
  }

  const write = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = actorOf(request, context)
    const { collection: name } = request.params as Params
    const collection = collectionOf(name, actor)
    const { prepared, onConflict } = preparedOf(request)
    const key = (request.params as { key?: string }).key === undefined ? null : keyFromUrl(request.raw.url ?? '')
    const operation = operationOf(request.method, collection, key, request.body, onConflict)
    const header = request.headers['if-match']
    const ifMatch = header === undefined || key === null ? null : header.split(',').map((tag) => tag.trim())
    const answerOf = (replies: readonly WriteReply[]) => answer(operation, replies)
    const replies = await send(
      actor,
      [requestOf({ ...operation, ifMatch }, prepared, request)],
      request,
      reply,
      answerOf,
    )
    return replies
  }

  const requestOf = (
    { mutation, answer: form, ifMatch }: Operation,
    { query, queryKey, values }: Prepared,
    request: FastifyRequest,
  ): WriteRequest => ({
    mutation,
    read: form === 'nothing' ? null : { query, queryKey, values },
    ifMatch,
    origin: { ip: request.ip, userAgent: request.headers['user-agent'] ?? null },
  })

  /** Headers that hold for every write: rehearsal and idempotency. */
  async function send(
    actor: Actor,
    requests: readonly WriteRequest[],
    request: FastifyRequest,
    reply: FastifyReply,
    answerOf: (replies: readonly WriteReply[]) => Replay,
  ): Promise<FastifyReply> {
    const isRehearsal = /(^|[;,\s])tx=rollback\b/u.test(String(request.headers.prefer ?? ''))
    const key = request.headers['idempotency-key']
    const claim =
      typeof key === 'string' && key !== '' && !isRehearsal
        ? createClaim(key, actor.user ?? actor.grantKey, fingerprint(request), answerOf)
        : null
    if (isRehearsal) void reply.header('preference-applied', 'tx=rollback')
    const result = await engine.write(actor, requests, { isRehearsal, claim })
    if (isReplay(result)) void reply.header('idempotency-replayed', 'true')
    const { status, body, etag } = isReplay(result) ? result : answerOf(result)
    if (etag !== null) void reply.header('etag', etag)
    if (body === null) return reply.code(status).send()
    sendJson(reply.code(status), body)
    return reply
  }

  app.post('/items/:collection', async (request, reply) => {
    const override = request.headers['x-http-method-override']
    if (typeof override === 'string' && /^(SEARCH|QUERY)$/iu.test(override)) return search(request, reply)
    return write(request, reply)
  })
  app.route({ method: ['PATCH', 'DELETE', 'PUT'], url: '/items/:collection', handler: write })
  app.route({ method: ['PATCH', 'DELETE', 'PUT'], url: '/items/:collection/:key', handler: write })

  app.post('/batch', async (request, reply) => {
    const actor = actorOf(request, context)
    if (!Array.isArray(request.body)) throw invalidPayload('A batch is a list of {method, path, body}')
    const operations = request.body.map((entry: unknown, index) => {
      try {
        return batched(entry, actor)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        throw new ServiceError(error.code, error.message, { ...error.details, operation: index })
      }
    })
    const all = prepare(parseQuery({}, limits))
    const answerOf = (replies: readonly WriteReply[]): Replay => {
      const parts = operations.map((operation, index) => {
        const { status, body } = answer(operation, replies.slice(index, index + 1))
        return body === null ? `{"status":${status}}` : `{"status":${status},${body.slice(1)}`
      })
      return { status: 200, body: `{"data":[${parts.join(',')}]}`, etag: null }
    }
    return send(
      actor,
      operations.map((operation) => requestOf(operation, all, request)),
      request,
      reply,
      answerOf,
    )
  })

  function batched(entry: unknown, actor: Actor): Operation {
    if (!isObject(entry)) throw invalidPayload('Each operation has to be an object')
    const { method, path, body } = entry
    const found = typeof path === 'string' ? /^\/items\/([^/?]+)(?:\/([^/?]+))?$/u.exec(path) : null
    if (found === null || typeof method !== 'string')
      throw invalidPayload('Each operation needs a method and a path below /items')
    const collection = collectionOf(decodeURIComponent(found[1] ?? ''), actor)
    const key = found[2] === undefined ? null : keyFromUrl(String(path))
    return operationOf(method.toUpperCase(), collection, key, body, null)
  }
}

const fingerprint = (request: FastifyRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([request.method, request.raw.url, request.body ?? null]))
    .digest('base64url')

function answer({ answer: form }: Operation, [reply]: readonly WriteReply[]): Replay {
  const { rows = [], rowVersion = null } = reply ?? {}
  const etag = rowVersion === null || form !== 'one' ? null : `"${rowVersion}"`
  if (form === 'nothing') return { status: 204, body: null, etag: null }
  if (form === 'many') return { status: 200, body: `{"data":[${rows.join(',')}]}`, etag: null }
  return rows[0] === undefined
    ? { status: 204, body: null, etag: null }
    : { status: 200, body: `{"data":${rows[0]}}`, etag }
}
