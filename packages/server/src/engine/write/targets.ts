import { forbidden, invalidQuery } from '@tain/contract'
import { keyParts } from '../../query/keys.ts'
import type { Target } from '../../query/mutation.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Collection } from '../../schema/schema.ts'
import { addressOf } from '../address.ts'
import { type Read, keysReply } from '../read.ts'
import { ask, plain, prepare } from './read-in-transaction.ts'
import type { Run } from './request.ts'

/** Keys of the rows that a mutation selects, by key or by query. */
export async function targetKeys(target: Target, collection: Collection, run: Run): Promise<string[][]> {
  if (target.kind !== 'query') {
    const parts =
      target.kind === 'parts' ? target.keys.map((key) => [...key]) : target.keys.map((key) => keyParts(key, collection))
    if (parts.some((key) => key.length !== collection.key.length)) throw forbidden()
    return [...new Map(parts.map((key) => [JSON.stringify(key), key])).values()]
  }
  const { maxBatch } = run.services
  const wanted = target.query.limit
  const limit = wanted < 0 || wanted > maxBatch ? maxBatch + 1 : wanted
  const query = { ...target.query, select: [], limit }
  const keys = await findKeys({ query, queryKey: queryKeyOf(query), values: target.values }, collection, run)
  if (keys.length > maxBatch) throw invalidQuery(`The query matches more than ${maxBatch} items; nothing was changed`)
  return keys
}

export const firstKey = (collection: Collection, run: Run): Promise<string[][]> => {
  const query = { ...plain, limit: 1 }
  return findKeys({ query, queryKey: queryKeyOf(query), values: [] }, collection, run)
}

async function findKeys(
  read: Pick<Read, 'query' | 'queryKey' | 'values'>,
  collection: Collection,
  run: Run,
): Promise<string[][]> {
  const prepared = prepare(
    { ...read, ...addressOf(collection), meta: [], cursor: null, key: null, wantsKeys: true },
    run,
  )
  return keysReply(prepared, await ask(prepared, run))
}
