import { forbidden, invalidPayload, isNumber } from '@tain/contract'
import { keyParts } from '../../query/keys.ts'
import type { Mutation } from '../../query/mutation.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import { typed } from '../../schema/typed-column.ts'
import { tableOf } from '../columns.ts'
import type { AuthorizedRows } from './row-rules.ts'
import type { ChangedRow } from '../../changes/change.ts'
import { movedRows } from './moved-rows.ts'
import { recordset, statementKey, type WriteStatements } from './statements.ts'

export interface SortRun {
  readonly statements: WriteStatements
  readonly transaction: Transaction
  /** Somebody listens to changes of the collection. */
  readonly isHeard: boolean
  readonly encodeKey: (field: ColumnField, part: string) => string
  /** How many of the keys in a set the caller can see. */
  readonly visible: (keys: string) => Promise<number>
  /** Throws unless the caller may change the field in these rows. */
  readonly check: (cells: readonly (readonly string[])[], sent: ReadonlySet<string>) => Promise<AuthorizedRows>
}

function sortField({ name, meta, columns }: Collection): ColumnField {
  const field = columns.get(meta?.sort_field ?? '')
  if (field === undefined) throw invalidPayload(`The collection "${name}" has no sort field`)
  if (!isNumber(field.type)) throw invalidPayload(`"${field.name}" of "${name}" is no number and cannot keep an order`)
  return field
}

/** Moves an item to the position of another. All rows are locked first, so that they cannot change meanwhile. */
export async function moveItem(
  { item, to }: Extract<Mutation, { kind: 'sort' }>,
  collection: Collection,
  { statements, transaction, encodeKey, visible, check, isHeard }: SortRun,
): Promise<readonly ChangedRow[]> {
  const field = sortField(collection)
  const { key } = collection
  const cells = [item, to].map((wanted) => {
    const parts = keyParts(wanted, collection)
    return key.map((part, index) => encodeKey(part, parts[index] ?? ''))
  })
  const names = key.map(({ name }) => name)
  const { bulk } = statements.dialect
  const shape = statementKey(collection, [...key, field])
  await statements.run(`lock all ${shape}`, () => bulk.lockAll(tableOf(collection), names), [], transaction)
  const distinct = [...new Map(cells.map((row) => [row.join(), row])).values()]
  if ((await visible(recordset(distinct))) !== distinct.length) throw forbidden()
  const open = await check(cells, new Set([field.name]))
  const move = () =>
    statements.run(
      `update move ${shape}`,
      () => bulk.move(tableOf(collection), { columns: key.map(typed), parameter: 0 }, field.name),
      [recordset(open)],
      transaction,
    )
  if (isHeard) return movedRows(collection, field, move, { statements, transaction })
  await move()
  return []
}
