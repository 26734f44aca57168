import { invalidQuery, type MetaValue } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { AbortFlag } from '../../lib/abort-flag.ts'
import type { KeyedQuery } from '../../query/keyed-query.ts'
import { findCollection, type Collection } from '../../schema/schema.ts'
import type { CollectionAddress } from '../address.ts'
import type { Engine } from '../engine.ts'
import type { Read, Rows } from '../read.ts'
import { listRows } from './app-permissions.ts'
import { firstRow, isSingleton, knownDefaults } from './singleton.ts'

/** The query of a list, as a protocol has parsed it. */
export interface ListQuery extends KeyedQuery {
  readonly meta: readonly MetaValue[]
  readonly countUpTo?: number | null
  readonly cursor: string | null
  readonly seek?: number | null
}

export const listRead = (
  { collection, isSystem }: CollectionAddress,
  { query, queryKey, values, meta, countUpTo = null, cursor, seek = null }: ListQuery,
): Read => ({ collection, isSystem, query, queryKey, values, meta, countUpTo, cursor, seek, key: null })

/** The key is split last: an invalid query is reported before an invalid key. */
export function itemRead(
  { collection, isSystem }: CollectionAddress,
  { query, queryKey, values }: KeyedQuery,
  keyOf: () => readonly string[],
): Read {
  if (query.aggregate !== null) throw invalidQuery('One item cannot be aggregated')
  return { collection, isSystem, query, queryKey, values, meta: [], cursor: null, key: keyOf() }
}

/** A collection shows its rows, a singleton its only item as JSON text. */
export type CollectionReply = Rows | { readonly item: string }

/** Reads a collection in the form that the newest schema gives it. */
export async function readCollection(
  engine: Pick<Engine, 'list' | 'renew' | 'schema'>,
  actor: Actor,
  read: Read,
  signal?: AbortFlag,
): Promise<CollectionReply> {
  const singleton = singletonOf(read, engine)
  const reply =
    singleton === undefined || read.query.aggregate !== null
      ? await listRows(engine, actor, read, signal, { system: true })
      : {
          item: await readSingleton(engine, actor, read, signal, async () =>
            knownDefaults(singleton, actor.isAdmin ? actor : await engine.renew(actor), read.query),
          ),
        }
  // The read may have loaded a newer schema in which the collection became a singleton or stopped being one.
  const isAsBefore = (singletonOf(read, engine) === undefined) === (singleton === undefined)
  return isAsBefore ? reply : readCollection(engine, actor, read, signal)
}

function singletonOf({ collection: name, isSystem }: Read, engine: Pick<Engine, 'schema'>): Collection | undefined {
  const collection = findCollection(engine.schema(), name, isSystem)
  return collection !== undefined && isSingleton(collection) ? collection : undefined
}

/** The item of a singleton as JSON text. A read creates no row: `defaults` are shown until there is one. */
export async function readSingleton(
  engine: Pick<Engine, 'list'>,
  actor: Actor,
  read: Read,
  signal: AbortFlag | undefined,
  defaults: () => string | Promise<string>,
): Promise<string> {
  const { rows } = await engine.list(actor, firstRow(read), signal)
  return rows[0] ?? defaults()
}
