import type { ErrorCode } from './errors.ts'

/** The result of a dry run: what a schema call with `Prefer: tx=rollback` would do. */
export interface SchemaPlan {
  readonly statements: readonly PlannedStatement[]
  /** Rows of the tables that it touches, as the database estimates them. */
  readonly rows: number
  /** Known reasons why the change would fail; empty if there are none. */
  readonly blocks: readonly PlanBlock[]
}

export interface PlannedStatement {
  readonly sql: string
  readonly table: string
  /** The strongest lock it takes on that table. */
  readonly lock: string
  /** Whether every row is rewritten, or read, while that lock is held. */
  readonly rewrites: boolean
  readonly scans: boolean
  /** Rows of that table, as the database estimates them. */
  readonly rows: number
}

/** A reason why the change would fail, and how many rows or objects cause it. */
export interface PlanBlock {
  readonly code: ErrorCode
  readonly table: string
  readonly field: string | null
  readonly count: number
  readonly message: string
}

/** One step of a schema change, such as `add-column` or `drop-table`. */
export interface SchemaChangeObject {
  readonly kind: string
  readonly table: { readonly schema: string; readonly table: string }
  readonly [detail: string]: unknown
}
