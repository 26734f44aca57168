import { authorizeCollection } from '../../access/authorize-write.ts'
import type { Mutation } from '../../query/mutation.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Collection } from '../../schema/schema.ts'
import { addressOf } from '../address.ts'
import { foundKeys } from '../read.ts'
import { encodeKey } from './encode.ts'
import { ask, plain, prepare } from './read-in-transaction.ts'
import type { Done, Run } from './request.ts'
import { checkRows } from './row-rules.ts'
import { ruleCheckOf } from './rule-check.ts'
import { moveItem } from './sort.ts'
import { checkTransactions } from './transactions.ts'

/** Moves an item within the order of its collection. */
export async function sortItems(
  mutation: Extract<Mutation, { kind: 'sort' }>,
  root: Collection,
  run: Run,
): Promise<Done> {
  const collection = authorizeCollection(root, 'update', run.actor)
  checkTransactions(collection, Infinity, run.extent)
  const changes = await moveItem(mutation, collection, {
    isHeard: run.services.changeSink.wants(collection).before,
    statements: run.services.statements,
    transaction: run.transaction,
    encodeKey: (field, part) => encodeKey(field, part, run.services.statements.dialect),
    visible: async (keys) => {
      const query = { ...plain, limit: -1 }
      const read = { query, queryKey: queryKeyOf(query), values: [], meta: [], cursor: null, key: null, keys }
      const prepared = prepare({ ...read, ...addressOf(collection), wantsKeys: true }, run)
      return foundKeys(prepared, await ask(prepared, run)).length
    },
    check: (cells, sent) =>
      checkRows(
        'update',
        collection,
        collection.key,
        cells.map((key) => ({ cells: key, sent })),
        ruleCheckOf(run),
      ),
  })
  return { keys: [], changes }
}
