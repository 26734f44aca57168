import { forbidden } from '@tain/contract'
import { authorizeCollection } from '../../access/authorize-write.ts'
import type { Target } from '../../query/mutation.ts'
import type { ChangedRow } from '../../changes/change.ts'
import { itemOf } from '../../changes/recorded-row.ts'
import type { Collection } from '../../schema/schema.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import { sharedBy, sharedKey } from '../shared-key.ts'
import { shownKey } from '../watched-sets.ts'
import type { FoundKey } from '../read.ts'
import { checkVersions } from './check-versions.ts'
import { encodeKey } from './encode.ts'
import { filterDeletes } from './filter-rows.ts'
import type { Filtering } from './filters.ts'
import { checkMatch } from './if-match.ts'
import { lockRows } from './lock-rows.ts'
import type { Done, Run } from './request.ts'
import { checkRows } from './row-rules.ts'
import { ruleCheckOf } from './rule-check.ts'
import { skipped } from './skipped.ts'
import { recordset, statementKey } from './statements.ts'
import { targetRows } from './targets.ts'
import { returnedOf } from './tree-state.ts'
import { checkTransactions } from './transactions.ts'

/** Deletes the rows that a mutation selects. */
export async function deleteItems(target: Target, root: Collection, run: Run, filtering: Filtering): Promise<Done> {
  const collection = authorizeCollection(root, 'delete', run.actor)
  const found = await targetRows(target, collection, run)
  const keys = found.map(({ key }) => key)
  checkTransactions(collection, keys.length, run.extent)
  await checkMatch(keys, collection, run)
  if (keys.length === 0) return { keys: [], changes: [], deleted: [] }
  if (!collection.isTransactional) await checkVersions(run)
  await run.watch.remove(collection, keys)
  const { statements, changeSink } = run.services
  const { before: withRow } = changeSink.wants(collection)
  const names = collection.key.map(({ name }) => name)
  const cells = keys.map((key) =>
    collection.key.map((field, index) => encodeKey(field, key[index] ?? '', statements.dialect)),
  )
  const lock = () => lockRows(collection, collection.key, cells, 'change', ruleCheckOf(run))
  const isFiltered = filtering.isFiltered(collection)
  // Filters look at rows that stay as they are until they are deleted.
  if (!run.actor.isAdmin || isFiltered) await lock()
  const named = cells.map((key) => ({ cells: key }))
  const open = await checkRows('delete', collection, collection.key, named, ruleCheckOf(run))
  await filterDeletes(collection, keys, filtering)
  const rows = await statements.run(
    `delete ${withRow} ${statementKey(collection, collection.key)}`,
    () =>
      statements.dialect.bulk.remove({
        table: tableOf(collection),
        set: { columns: collection.key.map(typed), parameter: 0 },
        match: names,
        kept: null,
        keptMatch: [],
        nullify: null,
        returned: returnedOf(collection.key, collection, withRow),
        key: collection.key.map(typed),
      }),
    [recordset(open)],
    run.transaction,
  )
  run.seen.isKept ||= !collection.isTransactional
  if (sharedBy(collection, rows, names.length).length > 0) throw sharedKey(collection)
  if (rows.length !== keys.length) throw (await lock()).length > 0 ? skipped('delete') : forbidden()
  const changes = rows.map((row): ChangedRow => {
    const key = collection.key.map((_, index) => row[index] ?? '')
    const before = withRow ? (row[key.length] ?? null) : null
    return { action: 'delete', collection, key, before, after: null, delta: null }
  })
  const done = { keys: [], changes }
  return target.kind === 'query' ? { ...done, deleted: toldKeys(found, collection, statements.dialect) } : done
}

/** Keys as JSON in the form of responses; null stands for one that the caller cannot read in its row. */
const toldKeys = (found: readonly FoundKey[], collection: Collection, dialect: Dialect): string[] =>
  found.map(({ key, isShown }) => (isShown ? shownKey(itemOf(key, collection, dialect), collection, dialect) : 'null'))
