import { ServiceError } from '@tain/contract'
import type { Origin } from '../changes/change.ts'
import { asPayload } from '../engine/items/payload.ts'
import { itemRead, listRead } from '../engine/items/read-items.ts'
import { showingNothing, showingOne, type ItemWrite } from '../engine/items/item-write.ts'
import { writeRequest } from '../engine/items/write-items.ts'
import type { Read } from '../engine/read.ts'
import type { WriteReply, WriteRequest } from '../engine/write/write-request.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import { keyParts } from '../query/keys.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { findCollection, type Collection, type Schema } from '../schema/schema.ts'
import type { Items, Values } from './api.ts'

/** Where reads and writes go: to the engine as some caller, or into an open transaction. */
export interface ItemPort {
  readonly list: (read: Read) => Promise<readonly string[]>
  /** Throws FORBIDDEN if there is no such item. */
  readonly item: (read: Read) => Promise<string>
  readonly write: (request: WriteRequest) => Promise<WriteReply | undefined>
}

export interface ItemOptions {
  readonly schema: () => Schema
  readonly limits: QueryLimits
  readonly origin: Origin
}

/** Rows of the user's own collections, as extensions read and write them. */
export function createItems(port: ItemPort, { schema, limits, origin }: ItemOptions): Items {
  const queryOf = (query: Values) => {
    const parsed = parseQuery(query, limits)
    return { ...parsed, queryKey: queryKeyOf(parsed.query) }
  }
  const collectionOf = (name: string): Collection => {
    const collection = findCollection(schema(), name, false)
    if (collection === undefined || collection.isSystem) throw new TypeError(`There is no collection "${name}".`)
    return collection
  }
  const targetOf = (name: string, key: unknown) =>
    ({ kind: 'parts', keys: [keyParts(key, collectionOf(name))] }) as const
  const write = async (item: ItemWrite): Promise<unknown> => {
    const reply = await port.write(writeRequest(item, () => queryOf({}), origin))
    return JSON.parse(reply?.rows[0] ?? 'null') as unknown
  }
  return {
    list: async <Row>(name: string, query: Values = {}) => {
      const rows = await port.list(listRead({ collection: collectionOf(name).name, isSystem: false }, queryOf(query)))
      return rows.map((row) => JSON.parse(row) as Row)
    },
    read: async <Row>(name: string, key: unknown, query: Values = {}) => {
      const collection = collectionOf(name)
      const parsed = queryOf(query)
      try {
        const address = { collection: collection.name, isSystem: false }
        return JSON.parse(await port.item(itemRead(address, parsed, () => keyParts(key, collection)))) as Row
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'FORBIDDEN') return null
        throw error
      }
    },
    create: async <Row>(collection: string, values: Values) =>
      (await write(
        showingOne({ collection: collectionOf(collection).name, kind: 'create', items: [asPayload(values)] }),
      )) as Row,
    update: async <Row>(collection: string, key: unknown, values: Values) => {
      const target = targetOf(collection, key)
      return (await write(showingOne({ collection, kind: 'update', target, data: asPayload(values) }))) as Row
    },
    delete: async (collection, key) => {
      await write(showingNothing({ collection, kind: 'delete', target: targetOf(collection, key) }))
    },
  }
}
