import { ServiceError, forbidden } from '@tain/contract'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Collection } from '../../schema/schema.ts'
import { addressOf } from '../address.ts'
import { typed } from '../../schema/typed-column.ts'
import { rowVersionOf, tableOf } from '../columns.ts'
import { itemReply } from '../read.ts'
import { encodeKey } from './encode.ts'
import { ask, plain, prepare } from './read-in-transaction.ts'
import type { Run } from './request.ts'
import { recordset, statementKey } from './statements.ts'

/** Locks the row and checks that its version matches `If-Match`. */
export async function checkMatch(
  keys: readonly (readonly string[])[],
  collection: Collection,
  run: Run,
): Promise<void> {
  const { request, services, transaction, actor } = run
  const [key] = keys
  if (request.ifMatch === null || key === undefined) return
  const { statements } = services
  const stored = rowVersionOf(collection, 't', statements.dialect)
  const rows = await statements.run(
    `match ${statementKey(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), parameter: 0 },
        stored.values,
        't',
        'change',
      ),
    [recordset([collection.key.map((field, index) => encodeKey(field, key[index] ?? '', statements.dialect))])],
    transaction,
  )
  const [row] = rows
  if (row === undefined) throw forbidden()
  const rowVersion = actor.isAdmin ? stored.read(row.slice(1)) : await visibleRowVersion(key, collection, run)
  if (!request.ifMatch.includes('*') && !request.ifMatch.includes(`"${rowVersion}"`))
    throw new ServiceError('PRECONDITION_FAILED')
}

/** The row version as this caller gets it. */
async function visibleRowVersion(key: readonly string[], collection: Collection, run: Run): Promise<string> {
  const query = { ...plain, limit: 1 }
  const read = { query, queryKey: queryKeyOf(query), values: [], meta: [], cursor: null, key }
  const prepared = prepare({ ...read, ...addressOf(collection) }, run)
  return itemReply(prepared, await ask(prepared, run)).rowVersion
}
