import { forbidden, invalidPayload, invalidQuery, ServiceError } from '@tain/contract'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import type { Read, Rows } from '../engine/read.ts'
import { parseQuery } from '../query/parse-query.ts'
import { keyParts } from '../query/keys.ts'
import type { Filter } from '../query/query.ts'
import { collectionNames, noCollection } from '../query/resolve.ts'
import { defaultValue } from '../schema/describe.ts'
import { findCollection, type Collection } from '../schema/schema.ts'
import { listRows } from '../system/permission-list.ts'
import type { Named, NamedBy, Search } from './addressed-collection.ts'
import { actorOf, underNewest, type HttpContext } from './context.ts'
import { sendExport } from './export.ts'
import { keyFromUrl } from './key.ts'
import { prepare, signalOf, type Prepared } from './queries.ts'
import { sendJson } from './reply.ts'
import { writeRoutes } from './writes.ts'

/**
 * Routes for items of user collections and of system collections, each below its own path. All share the same routes.
 */
export function itemRoutes(app: FastifyInstance, context: HttpContext): void {
  const named: NamedBy = ({ params }) => ({ name: (params as { collection: string }).collection, isSystem: false })
  writeRoutes(app, context, '/items/:collection', named, readRoutes(app, context, '/items/:collection', named))
  for (const { name, path, isReadOnly } of context.systemCollections) {
    if (path === null) continue
    const own: NamedBy = () => ({ name, isSystem: true })
    const search = readRoutes(app, context, `/${path}`, own)
    if (!isReadOnly) writeRoutes(app, context, `/${path}`, own, search)
  }
}

/** Read routes for lists and items below one path: they only translate between HTTP and the engine. */
function readRoutes(app: FastifyInstance, context: HttpContext, url: string, namedBy: NamedBy): Search {
  const { engine, limits, queryOf } = context

  const readOf = (
    { name: collection, isSystem }: Named,
    { query, queryKey, values, meta, cursor }: Prepared,
  ): Read => ({
    collection,
    isSystem,
    query,
    queryKey,
    values,
    meta,
    cursor,
    key: null,
  })

  async function sendList(
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor,
    prepared: Prepared,
  ): Promise<void> {
    const named = namedBy(request)
    const signal = signalOf(reply)
    if (prepared.export !== null)
      return sendExport(reply, await engine.stream(actor, readOf(named, prepared), signal), named.name, prepared.export)
    sendJson(reply, await collectionBody(named, actor, prepared, signal))
  }

  async function collectionBody(named: Named, actor: Actor, prepared: Prepared, signal: AbortFlag): Promise<string> {
    const singleton = singletonOf(named)
    const read = readOf(named, prepared)
    const body =
      singleton === undefined || prepared.query.aggregate !== null
        ? listBody(await listRows(engine, actor, read, signal, { system: true }))
        : await singletonBody(named, singleton, actor, prepared, signal)
    // The read may have loaded a newer schema in which the collection became a singleton or stopped being one.
    const isAsBefore = (singletonOf(named) === undefined) === (singleton === undefined)
    return isAsBefore ? body : collectionBody(named, actor, prepared, signal)
  }

  const collectionOf = ({ name, isSystem }: Named) => findCollection(engine.schema(), name, isSystem)

  function singletonOf(named: Named): Collection | undefined {
    const collection = collectionOf(named)
    return collection?.meta?.singleton === true ? collection : undefined
  }

  async function singletonBody(
    named: Named,
    collection: Collection,
    actor: Actor,
    prepared: Prepared,
    signal: AbortFlag,
  ) {
    const query = { ...prepared.query, limit: 1 }
    const read = { ...readOf(named, prepared), query, queryKey: JSON.stringify(query) }
    const { rows } = await engine.list(actor, read, signal)
    if (rows[0] !== undefined) return `{"data":${rows[0]}}`
    const reader = actor.isAdmin ? actor : await engine.renew(actor)
    return `{"data":${JSON.stringify(defaultsOf(collection, reader, prepared))}}`
  }

  app.get(url, async (request, reply) => {
    await sendList(request, reply, await actorOf(request, context), queryOf(request))
    return reply
  })

  const search = async (request: FastifyRequest, reply: FastifyReply) => {
    const actor = await actorOf(request, context)
    const body = request.body ?? {}
    if (typeof body !== 'object' || Array.isArray(body)) throw invalidPayload('The body has to be an object')
    for (const key of Object.keys(body)) {
      if (key !== 'query' && key !== 'keys') throw invalidPayload(`"${key}" is not allowed; a body has query and keys`)
    }
    const { query = {}, keys } = body as { query?: unknown; keys?: unknown }
    if (typeof query !== 'object' || query === null || Array.isArray(query))
      throw invalidPayload('"query" has to be an object')
    const prepared = prepare(parseQuery(query as Record<string, unknown>, limits))
    if (keys === undefined) await sendList(request, reply, actor, prepared)
    else await sendKeys(reply, actor, namedBy(request), prepared, keys)
    return reply
  }

  /** Returns all named items or none: one missing item makes the whole request forbidden. */
  async function sendKeys(
    reply: FastifyReply,
    actor: Actor,
    named: Named,
    prepared: Prepared,
    keys: unknown,
  ): Promise<void> {
    if (!Array.isArray(keys)) throw invalidPayload('"keys" has to be a list')
    const collection = await underNewest(actor, context, (caller) => {
      const found = collectionOf(named)
      if (found === undefined || !caller.may('read', found))
        throw noCollection(
          named.name,
          'root',
          collectionNames(engine.schema(), (entry) => caller.may('read', entry)),
        )
      return found
    })
    const wanted = new Map(
      keys.map((key: unknown) => keyParts(key, collection)).map((parts) => [JSON.stringify(parts), parts]),
    )
    const values = [...prepared.values]
    const filter = keysFilter([...wanted.values()], collection, values)
    const query = {
      ...prepared.query,
      limit: -1,
      filter:
        prepared.query.filter === null ? filter : ({ kind: 'and', parts: [prepared.query.filter, filter] } as const),
    }
    const read: Read = { ...readOf(named, prepared), query, queryKey: JSON.stringify(query), values }
    const found = await engine.list(actor, read, signalOf(reply)).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'INVALID_QUERY' && prepared.values.length === 0
        ? forbidden()
        : error
    })
    if (found.rows.length < wanted.size) throw forbidden()
    sendJson(reply, listBody(found))
  }

  app.route({ method: ['SEARCH', 'QUERY'], url, handler: search })

  app.get(`${url}/:key`, async (request, reply) => {
    const actor = await actorOf(request, context)
    const named = namedBy(request)
    const prepared = queryOf(request)
    if (prepared.query.aggregate !== null) throw invalidQuery('One item cannot be aggregated')
    const read: Read = {
      ...readOf(named, prepared),
      meta: [],
      cursor: null,
      key: keyFromUrl(request.raw.url ?? ''),
    }
    if (prepared.export !== null) {
      await sendExport(reply, await engine.stream(actor, read, signalOf(reply)), named.name, prepared.export)
      return reply
    }
    const item = await engine.item(actor, read, signalOf(reply))
    const tag = `"${item.rowVersion}"`
    void reply.header('etag', tag)
    if (matches(request.headers['if-none-match'], tag)) return reply.code(304).send()
    sendJson(reply, `{"data":${item.data}}`)
    return reply
  })

  return search
}

/** Whether the client already has this row version. */
export const matches = (header: string | undefined, tag: string) =>
  header !== undefined &&
  header.split(',').some((entry) => entry.trim().replace(/^W\//u, '') === tag || entry.trim() === '*')

function listBody({ rows, meta }: Rows): string {
  const data = `"data":[${rows.join(',')}]`
  return meta === null ? `{${data}}` : `{"meta":${JSON.stringify(meta)},${data}}`
}

function keysFilter(keys: readonly (readonly string[])[], collection: Collection, values: unknown[]): Filter {
  const add = (value: unknown) => values.push(value) - 1
  const [first, ...others] = collection.key
  if (first === undefined || keys.length === 0) return { kind: 'constant', value: false }
  if (others.length === 0) {
    return {
      kind: 'test',
      field: { name: first.name, fn: null },
      operator: '_in',
      operand: add(keys.map(([part]) => part)),
    }
  }
  return {
    kind: 'or',
    parts: keys.map((parts) => ({
      kind: 'and',
      parts: collection.key.map(({ name }, index) => ({
        kind: 'test',
        field: { name, fn: null },
        operator: '_eq',
        operand: add(parts[index] ?? ''),
      })),
    })),
  }
}

/** An empty singleton shows the default values of its first item, limited to fields that the caller may read. */
function defaultsOf(collection: Collection, actor: Actor, { query }: Prepared): Record<string, unknown> {
  const readable = actor.fieldsFor(collection, 'read')
  const wanted = new Set(query.select.flatMap((selection) => (selection.kind === 'all' ? [] : [selection.name])))
  const isAll = query.select.some(({ kind }) => kind === 'all')
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const field of collection.columns.values()) {
    if ((!isAll && !wanted.has(field.name)) || (readable !== 'all' && !readable.has(field.name))) continue
    if (collection.key.includes(field)) values[field.name] = null
    else if (defaultValue(field) !== null) values[field.name] = defaultValue(field)
  }
  return values
}
