import { forbidden, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import type { AbortFlag } from '../../lib/abort-flag.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import { keyParts } from '../../query/keys.ts'
import type { Filter } from '../../query/query.ts'
import { collectionNames, noCollection } from '../../query/resolve.ts'
import { findCollection, type Collection } from '../../schema/schema.ts'
import type { Engine } from '../engine.ts'
import type { Read, Rows } from '../read.ts'
import { underNewest } from './under-newest.ts'

/** Returns all named items or none: one missing item makes the whole request forbidden. */
export async function readKeys(
  engine: Pick<Engine, 'list' | 'renew' | 'schema'>,
  actor: Actor,
  read: Read,
  keys: readonly unknown[],
  signal?: AbortFlag,
): Promise<Rows> {
  const collection = await underNewest(engine, actor, (caller) => readableCollection(read, caller, engine))
  const wanted = new Map(keys.map((key) => keyParts(key, collection)).map((parts) => [JSON.stringify(parts), parts]))
  const values = [...read.values]
  const named = keysFilter([...wanted.values()], collection, values)
  const { filter } = read.query
  const query = {
    ...read.query,
    limit: -1,
    filter: filter === null ? named : ({ kind: 'and', parts: [filter, named] } as const),
  }
  const found = await engine
    .list(actor, { ...read, query, queryKey: queryKeyOf(query), values }, signal)
    .catch((error: unknown) => {
      // Without values of the caller, only a key can be invalid: it is the key of an item that does not exist.
      throw error instanceof ServiceError && error.code === 'INVALID_QUERY' && read.values.length === 0
        ? forbidden()
        : error
    })
  if (found.rows.length < wanted.size) throw forbidden()
  return found
}

function readableCollection(
  { collection: name, isSystem }: Read,
  actor: Actor,
  engine: Pick<Engine, 'schema'>,
): Collection {
  const schema = engine.schema()
  const found = findCollection(schema, name, isSystem)
  if (found === undefined || !actor.may('read', found))
    throw noCollection(
      name,
      'root',
      collectionNames(schema, (entry) => actor.may('read', entry)),
    )
  return found
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
