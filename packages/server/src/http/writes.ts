import { createHash } from 'node:crypto'
import { invalidPayload, invalidQuery, itemWriteRoutes, routes } from '@tain/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { writesOfEach, type ItemWrite } from '../engine/items/item-write.ts'
import { isObject } from '../engine/items/payload.ts'
import { underNewest } from '../engine/items/under-newest.ts'
import { eachOfBatch, shownRows, writableCollection, writeItems, writeRequest } from '../engine/items/write-items.ts'
import { isReplay, type Replay } from '../engine/write/idempotency.ts'
import type { WriteReply, WriteRequest } from '../engine/write/write-request.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { NamedBy, Search } from './addressed-collection.ts'
import { actorOf, originOf, pathOf, wantsDryRun, wantsEach, type HttpContext } from './context.ts'
import { honoured } from './dry-run.ts'
import { keyFromUrl } from './key.ts'
import { itemWrite } from './operations.ts'
import { prepare, wireOf, type Prepared } from './queries.ts'
import { isReadOverride } from './reading.ts'
import { sendJson } from './reply.ts'
import { at } from './route-at.ts'

type KeyOf = (request: FastifyRequest, actor: Actor) => readonly string[] | null

const keyInAddress: KeyOf = ({ params, raw }) =>
  (params as { key?: string }).key === undefined ? null : keyFromUrl(raw.url ?? '')

export type WriteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Write routes below one path: they only translate between HTTP and the engine. `around` may serve some requests
 * itself, whose bodies are read while they arrive.
 */
export function writeRoutes(
  app: FastifyInstance,
  context: HttpContext,
  url: string,
  namedBy: NamedBy,
  search: Search,
  around: ((write: WriteHandler) => WriteHandler) | null = null,
): void {
  const own = writeHandler(context, namedBy)
  const write = around === null ? own : around(own)
  const config = { ...honoured.config, ...(around === null ? {} : { isSlow: true }) }
  app.route({
    ...at(itemWriteRoutes.create, url),
    config: { ...config, mayRead: 'override' },
    handler: async (request, reply) => {
      if (isReadOverride(request.headers)) return search(request, reply)
      return write(request, reply)
    },
  })
  app.route({ ...at(itemWriteRoutes.change, url), config, handler: write })
  app.route({ ...at(itemWriteRoutes.changeOne, url), config, handler: write })
}

export const writeHandler =
  (context: HttpContext, namedBy: NamedBy, keyOf: KeyOf = keyInAddress) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const actor = await actorOf(request, context)
    const { name, isSystem } = namedBy(request)
    const root = { collection: name, isSystem }
    const key = keyOf(request, actor)
    const { engine, limits } = context
    const collection = await underNewest(engine, actor, (caller) => writableCollection(root, caller, engine.schema()))
    const { prepared, onConflict } = preparedOf(request, context)
    const call = { method: request.method, path: pathOf(request), key, body: request.body, onConflict }
    const write = itemWrite(call, root, collection, limits)
    const header = request.headers['if-match']
    const ifMatch = header === undefined || key === null ? null : header.split(',').map((tag) => tag.trim())
    const origin = originOf(request, context)
    if (wantsEach(request)) {
      if (isSystem) throw invalidPayload('"Prefer: results=each" is for items of your own collections')
      const writes = writesOfEach(write)
      const requests = writes.map((each) => writeRequest(each, () => prepared, origin))
      return send(actor, requests, request, reply, (replies) => partsOf(writes, replies), context)
    }
    const requests = [writeRequest({ ...write, ifMatch }, () => prepared, origin)]
    const answerOf = ([first]: readonly WriteReply[]) => answer(write, first)
    return send(actor, requests, request, reply, answerOf, context)
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
  const isEach = wantsEach(request)
  const key = request.headers['idempotency-key']
  const repeatable =
    typeof key === 'string' && key !== '' ? { key, request: fingerprint(request), answer: answerOf } : null
  const applied = [...(isDryRun ? ['tx=rollback'] : []), ...(isEach ? ['results=each'] : [])]
  if (applied.length > 0) void reply.header('preference-applied', applied.join(', '))
  const result = await writeItems(engine, actor, requests, { isDryRun, isEach }, repeatable)
  if (isReplay(result)) void reply.header('idempotency-replayed', 'true')
  const { status, body, etag } = isReplay(result) ? result : answerOf(result)
  if (etag !== null) void reply.header('etag', etag)
  if (body === null) return reply.code(status).send()
  sendJson(reply.code(status), body)
  return reply
}

/** Several writes below /items in one transaction. */
export function batchRoute(app: FastifyInstance, context: HttpContext): void {
  app.post(routes.batch.path, honoured, async (request, reply) => {
    const actor = await actorOf(request, context)
    if (wantsEach(request)) throw invalidPayload('A batch is kept or refused as a whole, without "results=each"')
    if (!Array.isArray(request.body)) throw invalidPayload('A batch is a list of {method, path, body}')
    const entries: readonly unknown[] = request.body
    const writes = await underNewest(context.engine, actor, (caller) =>
      eachOfBatch(entries, (entry) => batched(entry, caller, context)),
    )
    const all = prepare(parseQuery({}, context.limits))
    const origin = originOf(request, context)
    const requests = writes.map((write) => writeRequest(write, () => all, origin))
    return send(actor, requests, request, reply, (replies) => partsOf(writes, replies), context)
  })
}

/** The response to several writes, each with a status of its own. */
function partsOf(writes: readonly ItemWrite[], replies: readonly WriteReply[]): Replay {
  const parts = writes.map((write, index) => {
    const { status, body } = answer(write, replies[index])
    return body === null ? `{"status":${status}}` : `{"status":${status},${body.slice(1)}`
  })
  return { status: 200, body: `{"data":[${parts.join(',')}]}`, etag: null, isKept: replies.some(isRefused) }
}

const isRefused = ({ refusal }: WriteReply) => refusal !== undefined

function batched(entry: unknown, actor: Actor, { engine, limits }: HttpContext): ItemWrite {
  if (!isObject(entry)) throw invalidPayload('Each operation has to be an object')
  const { method, path, body } = entry
  const found = typeof path === 'string' ? /^\/items\/([^/?]+)(?:\/([^/?]+))?$/u.exec(path) : null
  if (typeof path === 'string' && path.includes('?'))
    throw invalidPayload('The path of an operation takes no query: its answer holds every field that may be read')
  if (found === null || typeof method !== 'string')
    throw invalidPayload('Each operation needs a method and a path below /items')
  const root = { collection: decoded(found[1] ?? '') }
  const collection = writableCollection(root, actor, engine.schema())
  const key = found[2] === undefined ? null : keyFromUrl(String(path))
  const call = { method: method.toUpperCase(), path: String(path), key, body, onConflict: null }
  return itemWrite(call, root, collection, limits)
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
    .update(JSON.stringify([request.method, request.raw.url, request.body ?? null, wantsEach(request)]))
    .digest('base64url')

const nothing: Replay = { status: 204, body: null, etag: null }

/** Sends what a write has made. */
export function sendReply(reply: FastifyReply, shows: 'one' | 'many', write: WriteReply): FastifyReply {
  const { status, body, etag } = answer({ shows }, write)
  if (etag !== null) void reply.header('etag', etag)
  if (body === null) return reply.code(status).send()
  sendJson(reply.code(status), body)
  return reply
}

function answer(write: Pick<ItemWrite, 'shows'>, reply: WriteReply | undefined): Replay {
  const [first] = reply?.refusal ?? []
  if (first !== undefined) {
    const errors = reply?.refusal?.map((error) => error.toWire())
    return { status: first.status, body: JSON.stringify({ errors }), etag: null }
  }
  const rows = shownRows(write, reply)
  if (rows === null) return nothing
  if (write.shows === 'many') return { status: 200, body: `{"data":[${rows.join(',')}]}`, etag: null }
  const rowVersion = reply?.rowVersion ?? null
  return { status: 200, body: `{"data":${rows[0] ?? 'null'}}`, etag: rowVersion === null ? null : `"${rowVersion}"` }
}
