import { ServiceError, forbidden } from '@tain/contract'
import { parseExactJson } from '../../lib/exact-json.ts'
import { queryKeyOf } from '../../query/keyed-query.ts'
import type { Query } from '../../query/query.ts'
import type { Collection } from '../../schema/schema.ts'
import { addressOf } from '../address.ts'
import { typed } from '../../schema/typed-column.ts'
import { rowVersionOf, tableOf } from '../columns.ts'
import { itemReply, type Item } from '../read.ts'
import { encodeKey } from './encode.ts'
import { ask, plain, prepare } from './read-in-transaction.ts'
import type { Run } from './request.ts'
import { recordset, statementKey } from './statements.ts'

/** Locks the row and checks that its version matches `If-Match`. The refusal shows the row, so that a client can merge. */
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
  const read = async (query: Query) => currentItem(query, key, collection, run)
  const rowVersion = actor.isAdmin ? stored.read(row.slice(1)) : (await read(nothing)).rowVersion
  if (request.ifMatch.includes('*') || request.ifMatch.includes(`"${rowVersion}"`)) return
  const { data } = await read(everything)
  throw new ServiceError('PRECONDITION_FAILED', undefined, { current: parseExactJson(data), etag: `"${rowVersion}"` })
}

const nothing: Query = { ...plain, limit: 1 }
const everything: Query = { ...nothing, select: [{ kind: 'all', children: null, deep: {}, aliased: [] }] }

/** The row as this caller sees it. */
function currentItem(query: Query, key: readonly string[], collection: Collection, run: Run): Promise<Item> {
  const read = { query, queryKey: queryKeyOf(query), values: [], meta: [], cursor: null, key }
  const prepared = prepare({ ...read, ...addressOf(collection) }, run)
  return ask(prepared, run).then((rows) => itemReply(prepared, rows))
}
