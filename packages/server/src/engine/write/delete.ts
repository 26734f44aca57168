import { forbidden } from '@tain/contract'
import { authorizeCollection } from '../../access/authorize-write.ts'
import type { Target } from '../../query/mutation.ts'
import type { Collection } from '../../schema/schema.ts'
import type { Row } from '../../sql/driver.ts'
import { tableOf, typed } from '../columns.ts'
import { checkVersions } from './check-versions.ts'
import { encodeKey } from './encode.ts'
import { checkMatch } from './if-match.ts'
import type { Done, Run } from './request.ts'
import { checkRows } from './row-rules.ts'
import { ruleCheckOf } from './rule-check.ts'
import { skipped } from './skipped.ts'
import { recordset, statementKey } from './statements.ts'
import { targetKeys } from './targets.ts'
import { checkTransactions } from './transactions.ts'

/** Locks the rows before any decision about them. */
async function lockRows(
  cells: readonly (readonly string[])[],
  collection: Collection,
  run: Run,
): Promise<readonly Row[]> {
  const { statements } = run.services
  return statements.run(
    `lock change ${statementKey(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), parameter: 0 },
        collection.key.map(({ name }) => statements.dialect.bulk.column('t', name)),
        't',
        'change',
      ),
    [recordset(cells)],
    run.transaction,
  )
}

/** Deletes the rows that a mutation selects. */
export async function deleteItems(target: Target, root: Collection, run: Run): Promise<Done> {
  const collection = authorizeCollection(root, 'delete', run.actor)
  const keys = await targetKeys(target, collection, run)
  checkTransactions(collection, keys.length, run.extent)
  await checkMatch(keys, collection, run)
  if (keys.length === 0) return { keys: [], changes: [], deleted: [] }
  if (!collection.isTransactional) await checkVersions(run)
  await run.watch.remove(collection, keys)
  const { statements } = run.services
  const names = collection.key.map(({ name }) => name)
  const cells = keys.map((key) =>
    collection.key.map((field, index) => encodeKey(field, key[index] ?? '', statements.dialect)),
  )
  if (!run.actor.isAdmin) await lockRows(cells, collection, run)
  const named = cells.map((key) => ({ cells: key }))
  const open = await checkRows('delete', collection, collection.key, named, ruleCheckOf(run))
  const rows = await statements.run(
    `delete ${statementKey(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.remove({
        table: tableOf(collection),
        set: { columns: collection.key.map(typed), parameter: 0 },
        match: names,
        kept: null,
        keptMatch: [],
        nullify: null,
        returned: { columns: names, row: null },
        key: collection.key.map(typed),
      }),
    [recordset(open)],
    run.transaction,
  )
  run.seen.isKept ||= !collection.isTransactional
  if (rows.length !== keys.length)
    throw (await lockRows(cells, collection, run)).length > 0 ? skipped('delete') : forbidden()
  const gone = rows.map((row) => collection.key.map((_, index) => row[index] ?? ''))
  const changes = gone.map((key) => ({ kind: 'delete', collection, key, snapshot: null, delta: null }) as const)
  return { keys: [], changes, deleted: keys }
}
