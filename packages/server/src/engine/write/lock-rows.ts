import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { LockStrength } from '../../sql/bulk.ts'
import type { Row, Transaction } from '../../sql/driver.ts'
import { typed } from '../../schema/typed-column.ts'
import { storedRow } from '../../changes/stored-row.ts'
import { tableOf } from '../columns.ts'
import { recordset, statementKey, type WriteStatements } from './statements.ts'
import { ALIAS, columnsSql } from './tree-state.ts'

/**
 * Locks rows by their encoded keys. Returns, for each row that exists, its position among the keys, its fields and, if
 * wanted, the whole row as JSON.
 */
export const lockRows = (
  collection: Collection,
  fields: readonly ColumnField[],
  keys: readonly (readonly string[])[],
  strength: LockStrength,
  { statements, transaction }: { readonly statements: WriteStatements; readonly transaction: Transaction },
  withRow = false,
): Promise<readonly Row[]> =>
  statements.run(
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
