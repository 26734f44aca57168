import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { LockStrength } from '../../sql/bulk.ts'
import type { Row } from '../../sql/driver.ts'
import { typed } from '../../schema/typed-column.ts'
import { storedRow } from '../../changes/stored-row.ts'
import { tableOf } from '../columns.ts'
import { sharedBy, sharedKey } from '../shared-key.ts'
import { checkRows, type RuleCheck } from './row-rules.ts'
import { recordset, statementKey } from './statements.ts'
import { ALIAS, columnsSql } from './tree-state.ts'

/** Callers with an access learn of a shared key only if they may read it. */
type Locking = Pick<RuleCheck, 'statements' | 'transaction'> & Partial<RuleCheck>

/**
 * Locks rows by their encoded keys. Returns, for each row that exists, its position among the keys, its fields and, if
 * wanted, the whole row as JSON. Refuses a key that several rows have.
 */
export async function lockRows(
  collection: Collection,
  fields: readonly ColumnField[],
  keys: readonly (readonly string[])[],
  strength: LockStrength,
  run: Locking,
  withRow = false,
): Promise<readonly Row[]> {
  const { statements, transaction } = run
  const rows = await statements.run(
    `lock ${strength}${withRow ? ' row' : ''} ${statementKey(collection, fields)}`,
    () =>
      statements.dialect.bulk.lock(
        tableOf(collection),
        { columns: collection.key.map(typed), parameter: 0 },
        [...columnsSql(fields), ...(withRow ? [statements.dialect.bulk.rowJson(storedRow(collection), ALIAS)] : [])],
        ALIAS,
        strength,
      ),
    [recordset(keys)],
    transaction,
  )
  const [shared] = sharedBy(collection, rows, 1)
  if (shared === undefined) return rows
  const { access } = run
  const cells = keys[Number(shared[0]) - 1] ?? []
  if (access !== undefined) await checkRows('read', collection, collection.key, [{ cells }], { ...run, access })
  throw sharedKey(collection)
}
