import type { ErrorCode } from './errors.ts'

/** What a schema call would do: the answer to one that is sent with `Prefer: tx=rollback`. */
export interface SchemaPlan {
  readonly statements: readonly PlannedStatement[]
  /** Rows of the tables it touches, by the database's own estimate. */
  readonly rows: number
  /** What stands in its way; empty when nothing known does. */
  readonly blocks: readonly PlanBlock[]
}

export interface PlannedStatement {
  readonly sql: string
  readonly table: string
  /** The strongest lock it takes on that table. */
  readonly lock: string
  /** Whether every row is written anew, or read, while that lock is held. */
  readonly rewrites: boolean
  readonly scans: boolean
  /** Rows of that table, by the database's own estimate. */
  readonly rows: number
}

/** What refuses the change, and how many rows or objects do. */
export interface PlanBlock {
  readonly code: ErrorCode
  readonly table: string
  readonly field: string | null
  readonly count: number
  readonly message: string
}

/** A step of a change in the words of schema management: `add-column`, `drop-table`. */
export interface SchemaChangeObject {
  readonly kind: string
  readonly table: { readonly schema: string; readonly table: string }
  readonly [detail: string]: unknown
}
