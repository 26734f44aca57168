import { invalidPayload } from '@tain/contract'
import { collections, type SystemCollection } from '@tain/contract/collections'
import { parsePosition } from '../events/position.ts'
import { joinedKey, keyParts } from '../query/keys.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import { findCollection, type Schema } from '../schema/schema.ts'
import type { ToldKind, Wish } from './hub.ts'
import { isObject, preparedQuery } from './prepared-query.ts'

/** What a client sends to subscribe, as it was sent. */
export interface WrittenWish {
  readonly collection: unknown
  readonly event: unknown
  readonly item: unknown
  readonly query: unknown
  readonly from: unknown
  readonly live: unknown
  readonly positions: unknown
}

const kinds: Readonly<Record<ToldKind, true>> = { create: true, update: true, delete: true }

const isKind = (event: unknown): event is ToldKind => typeof event === 'string' && Object.hasOwn(kinds, event)

const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null

/** Reads what a client wants to hear. Rights are the hub's to check. */
export function wishIn(written: WrittenWish, schema: Schema, limits: QueryLimits): Wish {
  const { collection: name, event, item, query = {}, from, live = false, positions = false } = written
  if (typeof name !== 'string') throw invalidPayload('"collection" has to be the name of a collection')
  if (!isMissing(event) && !isKind(event))
    throw invalidPayload(`"event" has to be one of ${Object.keys(kinds).join(', ')}`)
  if (!isObject(query)) throw invalidPayload('"query" has to be an object')
  if (typeof live !== 'boolean') throw invalidPayload('"live" has to be true or false')
  if (typeof positions !== 'boolean') throw invalidPayload('"positions" has to be true or false')
  if (live && (!isMissing(event) || !isMissing(item)))
    throw invalidPayload('"live" tells results, so it goes with neither "event" nor "item"')
  const isSystem = findCollection(schema, name) === undefined && isReadable(name)
  const position = from === undefined ? null : parsePosition(from)
  return {
    collection: name,
    isSystem,
    query: preparedQuery(query, limits),
    event: isMissing(event) ? null : event,
    item: isMissing(item) ? null : keyOf(item, { name, isSystem }, schema),
    from: position,
    since: null,
    isLive: live,
    hasInit: true,
    hasKeys: false,
    tellsPositions: positions || position !== null,
  }
}

/** Collections of the service that no address reads cannot be subscribed to either. */
const isReadable = (name: string): boolean =>
  Object.values<SystemCollection>(collections).some((declared) => declared.name === name && declared.path !== null)

/** The key as addresses have it. */
function keyOf(item: unknown, { name, isSystem }: { name: string; isSystem: boolean }, schema: Schema): string {
  const collection = findCollection(schema, name, isSystem)
  return collection === undefined ? String(item) : joinedKey(keyParts(item, collection))
}
