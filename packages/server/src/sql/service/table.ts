import type { SystemDefault } from '@tain/contract/collections'
import type { StoredType } from '../dialect.ts'
import type { Sql } from '../sql.ts'

/** A table of the service, as every database has it. */
export interface ServiceTable {
  /** What is lost with the table. */
  readonly note: string
  /** A column, or several. */
  readonly key: string | readonly string[]
  /** The database numbers the rows: it gives each its key. */
  readonly isNumbered?: boolean
  readonly columns: Readonly<Record<string, ServiceColumn>>
  readonly uniques?: readonly (readonly string[])[]
  /** Beside those of single columns. */
  readonly indexes?: readonly Index[]
}

export interface ServiceColumn {
  readonly type: StoredType
  /** Of a text, where the database cannot index texts of any length. */
  readonly length?: number
  readonly isNullable?: boolean
  /** `clock`: the current time, also in a transaction that has waited for a lock. */
  readonly default?: SystemDefault | { readonly clock: true }
  readonly isIndexed?: boolean
  readonly isUnique?: boolean
  /** False is refused, so a table with such a key has one row. */
  readonly isAlwaysTrue?: boolean
  /** Computed by the database: another column in lower case, or several with dots between them. */
  readonly computed?: { readonly lower: string } | { readonly joined: readonly string[] }
  readonly to?: {
    readonly collection: string
    readonly onDelete?: 'CASCADE' | 'SET NULL'
    /** There is no foreign key. */
    readonly isLoose?: true
  }
}

export type Index =
  | readonly string[]
  | {
      readonly columns: readonly string[]
      /** Only rows with this value are in it. */
      readonly where: Sql
      /** The last part of its name, where that is not made from the columns. */
      readonly name?: string
    }

export type TablesByName = Readonly<Record<string, ServiceTable>>
