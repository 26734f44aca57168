import { invalidPayload, itemRoutes as reads, ITEMS_PATH } from '@tain/contract'
import { files } from '@tain/contract/collections'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import type { CollectionAddress } from '../engine/address.ts'
import type { Explanation } from '../engine/explain-read.ts'
import { itemRead, listRead, readCollection } from '../engine/items/read-items.ts'
import { readKeys } from '../engine/items/read-keys.ts'
import type { Rows } from '../engine/read.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { Named, NamedBy, Search } from './addressed-collection.ts'
import { actorOf, wantsPlan, type HttpContext } from './context.ts'
import { sendExport } from './export.ts'
import { keyFromUrl } from './key.ts'
import { allowSharedCaches, bodyTag } from './public-cache.ts'
import { prepare, signalOf, type Prepared } from './queries.ts'
import { sendData, sendJson } from './reply.ts'
import { at } from './route-at.ts'
import { fileRoutes } from './files.ts'
import { writeRoutes } from './writes.ts'
import { isUnchanged, isUnchangedRow } from './entity-tag.ts'

/**
 * Routes for items of user collections and of system collections, each below its own path. All share the same routes.
 */
export function itemRoutes(app: FastifyInstance, context: HttpContext): void {
  const named: NamedBy = ({ params }) => ({ name: (params as { collection: string }).collection, isSystem: false })
  writeRoutes(app, context, ITEMS_PATH, named, readRoutes(app, context, ITEMS_PATH, named))
  for (const { name, path, isReadOnly } of context.systemCollections) {
    if (path === null) continue
    const own: NamedBy = () => ({ name, isSystem: true })
    const search = readRoutes(app, context, `/${path}`, own)
    if (name === files.name && context.files !== null) fileRoutes(app, context, context.files, own, search)
    else if (!isReadOnly) writeRoutes(app, context, `/${path}`, own, search)
  }
}

/** Read routes for lists and items below one path. */
function readRoutes(app: FastifyInstance, context: HttpContext, url: string, namedBy: NamedBy): Search {
  app.route({
    ...at(reads.list, url),
    handler: async (request, reply) => {
      await sendList(request, reply, await actorOf(request, context), context.queryOf(request), namedBy, context)
      return reply
    },
  })
  const search: Search = (request, reply) => sendSearch(request, reply, namedBy, context)
  app.route({ ...at(reads.search, url), handler: search })
  app.route({ ...at(reads.read, url), handler: (request, reply) => sendItem(request, reply, namedBy, context) })
  return search
}

const addressOf = ({ name: collection, isSystem }: Named): CollectionAddress => ({ collection, isSystem })

async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor,
  prepared: Prepared,
  namedBy: NamedBy,
  context: HttpContext,
): Promise<void> {
  const { engine } = context
  const named = namedBy(request)
  const signal = signalOf(reply)
  const read = listRead(addressOf(named), prepared)
  if (wantsPlan(request)) return sendPlan(reply, await engine.explain(actor, read))
  if (prepared.export !== null)
    return sendExport(reply, await engine.stream(actor, read, signal), named.name, prepared.export)
  const found = await readCollection(engine, actor, read, signal)
  if ('item' in found) return sendJson(reply, `{"data":${found.item}}`)
  const body = listBody(found)
  if (allowSharedCaches(request, reply, found.isShared, context) && isUnchanged(request, reply, bodyTag(body)))
    return void reply.code(304).send()
  sendJson(reply, body)
}

async function sendSearch(
  request: FastifyRequest,
  reply: FastifyReply,
  namedBy: NamedBy,
  context: HttpContext,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const { query, keys } = searchIn(request.body ?? {})
  const prepared = prepare(parseQuery(query, context.limits))
  if (keys === undefined) {
    await sendList(request, reply, actor, prepared, namedBy, context)
    return reply
  }
  if (!Array.isArray(keys)) throw invalidPayload('"keys" has to be a list')
  const read = listRead(addressOf(namedBy(request)), prepared)
  sendJson(reply, listBody(await readKeys(context.engine, actor, read, keys, signalOf(reply))))
  return reply
}

function searchIn(body: unknown): { readonly query: Record<string, unknown>; readonly keys: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidPayload('The body has to be an object')
  for (const key of Object.keys(body)) {
    if (key !== 'query' && key !== 'keys') throw invalidPayload(`"${key}" is not allowed; a body has query and keys`)
  }
  const { query = {}, keys } = body as { query?: unknown; keys?: unknown }
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    throw invalidPayload('"query" has to be an object')
  return { query: query as Record<string, unknown>, keys }
}

async function sendItem(
  request: FastifyRequest,
  reply: FastifyReply,
  namedBy: NamedBy,
  context: HttpContext,
): Promise<FastifyReply> {
  const actor = await actorOf(request, context)
  const named = namedBy(request)
  const prepared = context.queryOf(request)
  const read = itemRead(addressOf(named), prepared, () => keyFromUrl(request.raw.url ?? ''))
  if (wantsPlan(request)) {
    sendPlan(reply, await context.engine.explain(actor, read))
    return reply
  }
  if (prepared.export !== null) {
    await sendExport(reply, await context.engine.stream(actor, read, signalOf(reply)), named.name, prepared.export)
    return reply
  }
  const item = await context.engine.item(actor, read, signalOf(reply))
  const body = `{"data":${item.data}}`
  const isPublic = allowSharedCaches(request, reply, item.isShared, context)
  const isKnown =
    isPublic && !item.isOfRowAlone ? isUnchanged(request, reply, bodyTag(body)) : isUnchangedRow(request, reply, item)
  if (isKnown) return reply.code(304).send()
  sendJson(reply, body)
  return reply
}

const sendPlan = (reply: FastifyReply, explanation: Explanation): void =>
  sendData(reply.header('preference-applied', 'explain'), explanation)

function listBody({ rows, meta }: Rows): string {
  const data = `"data":[${rows.join(',')}]`
  return meta === null ? `{${data}}` : `{"meta":${JSON.stringify(meta)},${data}}`
}
