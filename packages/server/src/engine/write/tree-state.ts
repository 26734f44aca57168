import type { Access } from '../../access/grants.ts'
import type { Authorized } from '../../access/authorized.ts'
import type { ChildList, WriteNode, WriteTree } from '../../query/bound-write.ts'
import type { Collection, ColumnField } from '../../schema/schema.ts'
import type { Transaction } from '../../sql/driver.ts'
import { storedRow } from '../../changes/stored-row.ts'
import type { ChangeSink } from '../../changes/sink.ts'
import type { Returned } from '../../sql/bulk.ts'
import { column, type Sql } from '../../sql/sql.ts'
import type { ChangedRow } from '../../changes/change.ts'
import type { StageContext } from './context.ts'
import { encodeKey } from './encode.ts'
import type { Filtering } from './filters.ts'
import type { WriteStatements } from './statements.ts'
import type { Extent } from './transactions.ts'

export interface TreeRun {
  readonly statements: WriteStatements
  readonly transaction: Transaction
  readonly context: StageContext
  readonly access: Access
  readonly extent: Extent
  readonly changeSink: ChangeSink
  readonly filtering: Filtering
}

/** Values of a row that has been read or written: column → text as the database prints it. */
export type Known = ReadonlyMap<string, string | null>

export interface State extends TreeRun {
  readonly tree: Authorized<WriteTree>
  readonly known: Map<WriteNode, Known>
  /** Rows found by their key. A `save` without an entry is created. */
  readonly found: Map<WriteNode, Known>
  /** Rows that are to be changed, as JSON, where a consumer of changes wants them. */
  readonly before: Map<WriteNode, string | null>
  readonly changes: ChangedRow[]
  /** The nodes whose rows were created. */
  readonly created: Map<ChangedRow, WriteNode>
  /** Positions of new children, see WriteNode.order; null: the list has children without one. */
  readonly orders: Map<WriteNode, number | null>
}

export const ALIAS = 't'

export const columnsSql = (fields: readonly ColumnField[]): Sql[] => fields.map(({ name }) => column(ALIAS, name))

/** The data that a write returns: fields, and the whole row if a consumer of changes wants it. */
export const returnedOf = (fields: readonly ColumnField[], collection: Collection, withRow: boolean): Returned => ({
  columns: fields.map(({ name }) => name),
  row: withRow ? storedRow(collection) : null,
})

export function keyText(node: WriteNode, { known }: State): string[] {
  const values = known.get(node)
  return node.collection.key.map(({ name }) => values?.get(name) ?? '')
}

/** Identifies a row within a payload. */
export const rowName = (node: WriteNode, state: State): string =>
  JSON.stringify([node.collection.name, ...keyText(node, state)])

/** An invalid key gives the same error as a key that does not exist. */
export const encodedKey = (key: readonly string[], collection: Collection, { statements }: State): string[] =>
  collection.key.map((field, index) => encodeKey(field, key[index] ?? '', statements.dialect))

export const parentCells = ({ parentColumns }: ChildList, parent: WriteNode, { known }: State): string[] =>
  parentColumns.map((name) => JSON.stringify(known.get(parent)?.get(name) ?? null))
