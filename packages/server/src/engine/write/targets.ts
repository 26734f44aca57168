import { forbidden, invalidQuery } from '@tain/contract'
import { keyParts } from '../../query/keys.ts'
import type { Target } from '../../query/mutation.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Collection } from '../../schema/schema.ts'
import { addressOf } from '../address.ts'
import { type FoundKey, type Read, foundKeys } from '../read.ts'
import { ask, plain, prepare } from './read-in-transaction.ts'
import type { Run } from './request.ts'

/** Keys of the rows that a mutation selects, by key or by query. */
export const targetKeys = async (target: Target, collection: Collection, run: Run): Promise<(readonly string[])[]> =>
  (await targetRows(target, collection, run)).map(({ key }) => key)

/** The same keys, each with whether the caller can see it; those that the caller has sent count as seen. */
export async function targetRows(target: Target, collection: Collection, run: Run): Promise<FoundKey[]> {
  if (target.kind !== 'query') {
    const parts =
      target.kind === 'parts' ? target.keys.map((key) => [...key]) : target.keys.map((key) => keyParts(key, collection))
    if (parts.some((key) => key.length !== collection.key.length)) throw forbidden()
    return [...new Map(parts.map((key) => [JSON.stringify(key), { key, isShown: true }])).values()]
  }
  const { maxBatch } = run.services
  const wanted = target.query.limit
  const limit = wanted < 0 || wanted > maxBatch ? maxBatch + 1 : wanted
  const query = { ...target.query, select: [], limit }
  const keys = await findKeys({ query, queryKey: queryKeyOf(query), values: target.values }, collection, run)
  if (keys.length > maxBatch) throw invalidQuery(`The query matches more than ${maxBatch} items; nothing was changed`)
  return keys
}

export async function firstKey(collection: Collection, run: Run): Promise<readonly string[] | undefined> {
  const query = { ...plain, limit: 1 }
  const [first] = await findKeys({ query, queryKey: queryKeyOf(query), values: [] }, collection, run)
  return first?.key
}

async function findKeys(
  read: Pick<Read, 'query' | 'queryKey' | 'values'>,
  collection: Collection,
  run: Run,
): Promise<FoundKey[]> {
  const prepared = prepare(
    { ...read, ...addressOf(collection), meta: [], cursor: null, key: null, wantsKeys: true },
    run,
  )
  return foundKeys(prepared, await ask(prepared, run))
}
