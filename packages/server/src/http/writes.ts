import { createHash } from 'node:crypto'
import { invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { createClaim, isReplay, type Replay } from '../engine/write/idempotency.ts'
import type { WriteReply, WriteRequest } from '../engine/write/request.ts'
import type { MutationRoot } from '../query/mutation.ts'
import { parseQuery } from '../query/parse-query.ts'
import { collectionNames, noCollection } from '../query/resolve.ts'
import { findCollection, type Collection } from '../schema/schema.ts'
import type { NamedBy, Search } from './addressed-collection.ts'
import { actorOf, wantsDryRun, originOf, pathOf, underNewest, type HttpContext } from './context.ts'
import { honoured } from './dry-run.ts'
import { keyFromUrl } from './key.ts'
import { isObject, operationOf, type Operation } from './operations.ts'
import { prepare, wireOf, type Prepared } from './queries.ts'
import { sendJson } from './reply.ts'

type KeyOf = (request: FastifyRequest, actor: Actor) => readonly string[] | null

const keyInAddress: KeyOf = ({ params, raw }) =>
  (params as { key?: string }).key === undefined ? null : keyFromUrl(raw.url ?? '')

/** Write routes below one path: they only translate between HTTP and the engine. */
export function writeRoutes(
  app: FastifyInstance,
  context: HttpContext,
  url: string,
  namedBy: NamedBy,
  search: Search,
): void {
  const write = writeHandler(context, namedBy)
  app.post(url, honoured, async (request, reply) => {
    const override = request.headers['x-http-method-override']
    if (typeof override === 'string' && /^(SEARCH|QUERY)$/iu.test(override)) return search(request, reply)
    return write(request, reply)
  })
  app.route({ method: ['PATCH', 'DELETE', 'PUT'], url, ...honoured, handler: write })
  app.route({ method: ['PATCH', 'DELETE', 'PUT'], url: `${url}/:key`, ...honoured, handler: write })
}

export const writeHandler =
  (context: HttpContext, namedBy: NamedBy, keyOf: KeyOf = keyInAddress) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const actor = await actorOf(request, context)
    const { name, isSystem } = namedBy(request)
    const root = { collection: name, isSystem }
    const key = keyOf(request, actor)
    const collection = await underNewest(actor, context, (caller) => writableOf(root, caller, context))
    const { prepared, onConflict } = preparedOf(request, context)
    const call = { method: request.method, path: pathOf(request), key, body: request.body, onConflict }
    const operation = operationOf(call, root, collection, context.limits)
    const header = request.headers['if-match']
    const ifMatch = header === undefined || key === null ? null : header.split(',').map((tag) => tag.trim())
    const answerOf = (replies: readonly WriteReply[]) => answer(operation, replies)
    return send(
      actor,
      [requestOf({ ...operation, ifMatch }, prepared, request, context)],
      request,
      reply,
      answerOf,
      context,
    )
  }

/**
 * The collection, if it exists and is visible to the caller. A read-only collection is refused before the body is
 * interpreted.
 */
function writableOf({ collection: name, isSystem }: MutationRoot, actor: Actor, { engine }: HttpContext): Collection {
  const schema = engine.schema()
  const collection = findCollection(schema, name, isSystem)
  if (collection === undefined || !actor.mayUse(collection))
    throw noCollection(name, 'root', collectionNames(schema, actor.mayUse))
  if (collection.isReadOnly && actor.may('update', collection)) {
    throw new ServiceError('UNPROCESSABLE_CONTENT', `The items of "${name}" can only be read.`)
  }
  return collection
}

function preparedOf(
  request: FastifyRequest,
  { queryOf, limits }: HttpContext,
): { prepared: Prepared; onConflict: string | null } {
  if (request.method !== 'PUT') return { prepared: queryOf(request), onConflict: null }
  const { on_conflict: onConflict, ...wire } = wireOf(request)
  if (onConflict !== undefined && typeof onConflict !== 'string')
    throw invalidQuery('"on_conflict" has to be one field')
  return { prepared: prepare(parseQuery(wire, limits)), onConflict: onConflict ?? null }
}

const requestOf = (
  { mutation, answer: form, ifMatch }: Operation,
  { query, queryKey, values }: Prepared,
  request: FastifyRequest,
  context: HttpContext,
): WriteRequest => ({
  mutation,
  read: form === 'nothing' ? null : { query, queryKey, values },
  ifMatch,
  origin: originOf(request, context),
})

/** Handles the headers that apply to every write: dry run and idempotency. */
async function send(
  actor: Actor,
  requests: readonly WriteRequest[],
  request: FastifyRequest,
  reply: FastifyReply,
  answerOf: (replies: readonly WriteReply[]) => Replay,
  { engine }: HttpContext,
): Promise<FastifyReply> {
  const isDryRun = wantsDryRun(request)
  const key = request.headers['idempotency-key']
  const claim =
    typeof key === 'string' && key !== '' && !isDryRun
      ? createClaim(key, actor.user ?? actor.grantKey, fingerprint(request), answerOf)
      : null
  if (isDryRun) void reply.header('preference-applied', 'tx=rollback')
  const result = await engine.write(actor, requests, { isDryRun, claim })
  if (isReplay(result)) void reply.header('idempotency-replayed', 'true')
  const { status, body, etag } = isReplay(result) ? result : answerOf(result)
  if (etag !== null) void reply.header('etag', etag)
  if (body === null) return reply.code(status).send()
  sendJson(reply.code(status), body)
  return reply
}

/** Several writes below /items in one transaction. */
export function batchRoute(app: FastifyInstance, context: HttpContext): void {
  app.post('/batch', honoured, async (request, reply) => {
    const actor = await actorOf(request, context)
    if (!Array.isArray(request.body)) throw invalidPayload('A batch is a list of {method, path, body}')
    const entries: readonly unknown[] = request.body
    const operations = await underNewest(actor, context, (caller) =>
      entries.map((entry, index) => {
        try {
          return batched(entry, caller, context)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          throw new ServiceError(error.code, error.message, { ...error.details, operation: index })
        }
      }),
    )
    const all = prepare(parseQuery({}, context.limits))
    const answerOf = (replies: readonly WriteReply[]): Replay => {
      const parts = operations.map((operation, index) => {
        const { status, body } = answer(operation, replies.slice(index, index + 1))
        return body === null ? `{"status":${status}}` : `{"status":${status},${body.slice(1)}`
      })
      return { status: 200, body: `{"data":[${parts.join(',')}]}`, etag: null }
    }
    const requests = operations.map((operation) => requestOf(operation, all, request, context))
    return send(actor, requests, request, reply, answerOf, context)
  })
}

function batched(entry: unknown, actor: Actor, context: HttpContext): Operation {
  if (!isObject(entry)) throw invalidPayload('Each operation has to be an object')
  const { method, path, body } = entry
  const found = typeof path === 'string' ? /^\/items\/([^/?]+)(?:\/([^/?]+))?$/u.exec(path) : null
  if (typeof path === 'string' && path.includes('?'))
    throw invalidPayload('The path of an operation takes no query: its answer holds every field that may be read')
  if (found === null || typeof method !== 'string')
    throw invalidPayload('Each operation needs a method and a path below /items')
  const root = { collection: decoded(found[1] ?? '') }
  const collection = writableOf(root, actor, context)
  const key = found[2] === undefined ? null : keyFromUrl(String(path))
  const call = { method: method.toUpperCase(), path: String(path), key, body, onConflict: null }
  return operationOf(call, root, collection, context.limits)
}

/** A name that cannot be decoded matches no collection. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const fingerprint = (request: FastifyRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([request.method, request.raw.url, request.body ?? null]))
    .digest('base64url')

function answer({ answer: form }: Operation, [reply]: readonly WriteReply[]): Replay {
  const { rows = [], rowVersion = null, isHidden = false } = reply ?? {}
  const etag = rowVersion === null || form !== 'one' ? null : `"${rowVersion}"`
  if (form === 'nothing') return { status: 204, body: null, etag: null }
  if (isHidden) return { status: 204, body: null, etag: null }
  if (form === 'many') return { status: 200, body: `{"data":[${rows.join(',')}]}`, etag: null }
  return rows[0] === undefined
    ? { status: 204, body: null, etag: null }
    : { status: 200, body: `{"data":${rows[0]}}`, etag }
}
