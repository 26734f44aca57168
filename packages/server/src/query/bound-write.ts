import type { Collection, ColumnField } from '../schema/schema.ts'
import type { Payload } from './mutation.ts'

/**
 * A payload laid out: one node per row that is written or linked, tied together by values that one row takes from another.
 * Rows of one table can then be written together, wherever in the payload they stood.
 */
export interface WriteTree {
  readonly nodes: WriteNode[]
  readonly removals: Removal[]
  /** Rows that columns were pointed at by their key, where the caller has to see them. */
  readonly references: Reference[]
  /** Many-to-any items of entries that exist: the entry's own row says which collection they are of. */
  readonly pendingAny: {
    readonly node: WriteNode
    readonly field: ColumnField
    readonly value: unknown
  }[]
}

export interface WriteNode {
  readonly collection: Collection
  /** `link`: must exist, is not changed. `save`: is updated, or created with the key the caller gave. `join`: a junction row, made unless it is there. */
  readonly action: 'create' | 'update' | 'link' | 'save' | 'join'
  /** Parts of the key as the caller gave them; null when the database makes the key. */
  readonly key: readonly string[] | null
  /** Parts of the key that a payload repeats, of a row that was found by its key. */
  readonly sentKey?: Payload
  readonly values: Map<string, WriteValue>
  /** Fields that the caller writes, by sending them or by where in the payload the row stands. */
  readonly sent: Set<string>
  /** What presets add is known once its row was looked for: whether it is new, or changed at all. */
  readonly isLate: boolean
  /** Relations from the root to this row, for messages. */
  readonly path: readonly string[]
  /** Continues the order of the parent's children in this column. */
  readonly order: {
    readonly field: ColumnField
    readonly index: number
    readonly parent: WriteNode
    readonly list: ChildList
  } | null
}

export interface Reference {
  /** The row that refers, where that counts only if it is new; null: it counts. */
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
  /** Columns of the child that hold the parent's key, and the parent's columns they hold. */
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
}

/** Children that leave a relation: those named, or all but those kept. */
export interface Removal {
  readonly list: ChildList
  readonly parent: WriteNode
  readonly action: 'delete' | 'nullify'
  readonly which:
    | { readonly kind: 'others'; readonly kept: readonly WriteNode[] }
    /** Named by the far side of a junction, or by their own key. */
    | {
        readonly kind: 'named'
        readonly columns: readonly ColumnField[]
        readonly keys: readonly (readonly string[])[]
      }
  readonly path: readonly string[]
}
