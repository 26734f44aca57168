import { forbidden } from '@tain/contract'
import type { Access } from '../../access/grants.ts'
import type { WriteContext } from '../../query/bind-write.ts'
import type { ChildList, WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import type { Returned } from '../../sql/bulk.ts'
import { column, type Sql } from '../../sql/sql.ts'
import { typed } from '../columns.ts'
import type { Change } from './change.ts'
import type { WriteStatements } from './statements.ts'

export interface TreeRun {
  readonly statements: WriteStatements
  readonly transaction: Transaction
  readonly context: WriteContext
  readonly access: Access
}

/** What is known of a row that has been read or written: column → text as the database prints it. */
export type Known = ReadonlyMap<string, string | null>

export interface State extends TreeRun {
  readonly tree: WriteTree
  readonly known: Map<WriteNode, Known>
  /** Rows found by their key; a `save` that is not here is created. */
  readonly found: Map<WriteNode, Known>
  readonly changes: Change[]
  /** Values that orders took, see WriteNode.order. */
  readonly orders: Map<WriteNode, number>
}

export const ALIAS = 't'

export const keepsRevisions = ({ meta }: Collection) => meta === null || meta.accountability === 'all'

export const columnsSql = (fields: readonly ColumnField[]): Sql[] => fields.map(({ name }) => column(ALIAS, name))

/** What a write is to give back: fields, and for a revision the whole row. */
export const returnedOf = (
  fields: readonly ColumnField[],
  { columns }: Collection,
  withSnapshot: boolean,
): Returned => ({
  columns: fields.map(({ name }) => name),
  row: withSnapshot ? [...columns.values()].map(typed) : null,
})

export function keyText(node: WriteNode, { known }: State): string[] {
  const values = known.get(node)
  return node.collection.key.map(({ name }) => values?.get(name) ?? '')
}

/** A key that cannot be one belongs to nothing. */
export function encodedKey(key: readonly string[], collection: Collection, { context }: State): string[] {
  try {
    return collection.key.map((field, index) => context.encode(field, key[index], []))
  } catch {
    throw forbidden()
  }
}

export const parentCells = ({ parentColumns }: ChildList, parent: WriteNode, { known }: State): string[] =>
  parentColumns.map((name) => JSON.stringify(known.get(parent)?.get(name) ?? null))
