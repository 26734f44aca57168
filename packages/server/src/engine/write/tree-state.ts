import { forbidden } from '@tain/contract'
import type { WriteContext } from '../../query/bind-write.ts'
import type { ChildList, WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import { column, sql, type Sql } from '../../sql/sql.ts'
import type { Change } from './change.ts'
import type { WriteStatements } from './statements.ts'

export interface TreeRun {
  readonly statements: WriteStatements
  readonly transaction: Transaction
  readonly context: WriteContext
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

export const returningSql = (fields: readonly ColumnField[], withSnapshot: boolean): Sql[] => [
  ...fields.map(({ name }) => column(ALIAS, name)),
  ...(withSnapshot ? [sql`to_json(${sql.id(ALIAS)}.*)`] : []),
]

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
