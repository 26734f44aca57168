import type { Collection, ColumnField } from '../schema/schema.ts'
import type { Payload } from './mutation.ts'

/**
 * A flattened payload: one node per row that is written or linked, connected by values that one row takes from another.
 * Rows of one table can then be written together, regardless of their position in the payload.
 */
export interface WriteTree {
  /** The row of a list that is being bound, from 0; null: the request has one row. */
  row: number | null
  readonly nodes: WriteNode[]
  readonly removals: Removal[]
  /** Rows referenced by key that the caller has to see. */
  readonly references: Reference[]
  /** Many-to-any items of existing rows: the stored row determines the collection of the item. */
  readonly pendingAny: {
    readonly node: WriteNode
    readonly field: ColumnField
    readonly value: unknown
  }[]
}

export interface WriteNode {
  readonly collection: Collection
  /**
   * `link`: must exist and is not changed. `save`: is updated, or created with the key that the caller sent. `join`: a
   * junction row that is created unless it exists.
   */
  readonly action: 'create' | 'update' | 'link' | 'save' | 'join'
  /** Parts of the key as the caller sent them; null if the database generates the key. */
  readonly key: readonly string[] | null
  /** Parts of the key that a payload repeats for a row that its key identifies. */
  readonly sentKey?: Payload
  readonly values: Map<string, WriteValue>
  /** Fields that the caller writes, by sending them or by the position of the row in the payload. */
  readonly sent: Set<string>
  /** Fields whose value is not known yet. */
  unknown?: ReadonlySet<string>
  /** Whether presets and rules wait for the row lookup, which shows if the row is new, or changed at all. */
  readonly isLate: boolean
  /** Relations from the root to this row, for error messages. */
  readonly path: readonly string[]
  /** The row of a list that it belongs to; null: the request has one row. */
  readonly row: number | null
  /** Continues the order of the parent's children in this column. */
  readonly order: {
    readonly field: ColumnField
    readonly index: number
    readonly parent: WriteNode
    readonly list: ChildList
  } | null
}

export interface Reference {
  /** The referencing row, if the reference counts only when that row is new; null: it always counts. */
  readonly from: WriteNode | null
  readonly collection: Collection
  readonly columns: readonly string[]
  /** Values as JSON. */
  readonly cells: readonly string[]
}

/** `given`: JSON of the column's type. `taken`: the value of another row's column, known once that row is written. */
export type WriteValue =
  | { readonly kind: 'given'; readonly json: string }
  | { readonly kind: 'taken'; readonly node: WriteNode; readonly column: string }

/** The children of one parent over one relation. */
export interface ChildList {
  readonly collection: Collection
  /** Columns of the child that reference the parent, and the parent columns that they reference. */
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
}

/** Children that leave a relation: the named ones, or all except the kept ones. */
export interface Removal {
  readonly list: ChildList
  readonly parent: WriteNode
  readonly action: 'delete' | 'nullify'
  readonly which:
    | { readonly kind: 'others'; readonly kept: readonly WriteNode[] }
    /** Named by the far columns of a junction, or by the key of the child. */
    | {
        readonly kind: 'named'
        readonly columns: readonly ColumnField[]
        readonly keys: readonly (readonly string[])[]
      }
  readonly path: readonly string[]
}
