import { isForBody, keyInBody, keyInPath, needsBody, pathOf, queryString } from './address.ts'
import { assertConditions } from './defined.ts'
import { TainError } from './errors.ts'
import { isQuery, operationsOf } from './operations.ts'
import type { CallOptions, WriteOptions } from './options.ts'
import { dataOf, jsonOf, type Reply, type Send } from './transport.ts'
import type { LooseRow } from './types/schema.ts'
import type { KeyedOptions, Write } from './write.ts'

type Query = Readonly<Record<string, unknown>>

interface Page {
  readonly data: LooseRow[]
  readonly meta?: LooseRow
}

/** SEARCH, or POST in its place where a proxy refuses the method. */
async function search(send: Send, path: string, body: object, options?: CallOptions): Promise<Reply> {
  const request = { path, body, isRepeatable: true }
  const reply = await send({ ...request, method: 'SEARCH', accepts: [405, 501] }, options)
  if (reply.status < 400) return reply
  return send({ ...request, method: 'POST', headers: { 'x-http-method-override': 'SEARCH' } }, options)
}

function readsOf(send: Send, base: string) {
  const get = (path: string, query: Query, options?: CallOptions) => {
    const address = `${path}${queryString(query)}`
    if (needsBody(address)) return null
    return send({ method: 'GET', path: address, isRepeatable: true }, options)
  }

  const page = async (query: Query, options?: CallOptions) => {
    const reply = await (get(base, query, options) ?? search(send, base, { query }, options))
    return jsonOf(reply) as Page
  }

  const one = async (key: unknown, query: Query, options?: CallOptions) => {
    const reply = isForBody(key) ? null : get(`${base}/${keyInPath(key)}`, query, options)
    if (reply !== null) return { data: dataOf(await reply), etag: (await reply).headers.get('etag') }
    assertConditions(query)
    const body = { keys: [keyInBody(key)], query: { ...query, meta: ['etag'] } }
    const { data, meta } = jsonOf(await search(send, base, body, options)) as Page
    if (data[0] === undefined) throw new TainError(403, [{ message: 'Not found.', extensions: { code: 'FORBIDDEN' } }])
    return { data: data[0], etag: (meta?.['etags'] as readonly string[] | undefined)?.[0] ?? null }
  }

  const list = async (query: Query = {}, options?: CallOptions) => (await page(query, options)).data
  return {
    list,
    listWithMeta: page,
    aggregate: list,
    find: async (query: Query = {}, options?: CallOptions) => (await list({ ...query, limit: 1 }, options))[0] ?? null,
    async *each(query: Query = {}, options?: CallOptions) {
      let { cursor } = query
      do {
        const { data, meta } = await page({ ...query, meta: ['cursor'], cursor }, options)
        yield* data
        cursor = meta?.['next_cursor']
      } while (typeof cursor === 'string')
    },
    readWithMeta: (key: unknown, query: Query = {}, options?: CallOptions) => one(key, query, options),
    /** A singleton has no key. */
    read: async (...given: readonly unknown[]) => {
      if (given.length === 0 || isQuery(given[0]))
        return (await page((given[0] ?? {}) as Query, given[1] as CallOptions)).data
      return (await one(given[0], (given[1] ?? {}) as Query, given[2] as CallOptions)).data
    },
  }
}

function writesOf(write: Write, base: string) {
  const operations = operationsOf(base)
  return {
    create: (items: unknown, query?: Query, options?: WriteOptions) => write(operations.create(items), query, options),
    upsert: (items: unknown, query?: Query, options?: WriteOptions) => write(operations.upsert(items), query, options),
    /** A singleton has no key. */
    update: async (...given: readonly unknown[]) => {
      const [first, second, third, fourth] = given
      if (isQuery(first)) return write({ method: 'PATCH', path: base, body: first }, second, third as WriteOptions)
      return write(operations.update(first, second), third, fourth as KeyedOptions)
    },
    updateMany: async (which: unknown, patch: unknown, query?: Query, options?: WriteOptions) =>
      write(operations.updateMany(which, patch), query, options),
    delete: async (key: unknown, options?: KeyedOptions) => {
      await write(operations.delete(key), {}, options)
    },
    deleteMany: async (which: unknown, options?: WriteOptions) => {
      await write(operations.deleteMany(which), {}, options)
    },
  }
}

/** All methods of a collection; its type says which of them the caller may use. */
export const itemsOf = (send: Send, write: Write, collection: string) => ({
  ...readsOf(send, pathOf(collection)),
  ...writesOf(write, pathOf(collection)),
})
