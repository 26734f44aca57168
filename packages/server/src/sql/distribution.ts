import type { TableKind } from './database-schema.ts'
import type { Row } from './driver.ts'
import type { Sql } from './sql.ts'
import type { TypedColumn } from './typed-column.ts'

/** Compiles and runs a query. */
export type Ask = (query: Sql) => Promise<readonly Row[]>

export interface SampledTable {
  readonly schema: string
  readonly table: string
  readonly kind: TableKind
  readonly key: readonly TypedColumn[]
  readonly columns: readonly string[]
}

/** Some rows of a table, under an alias. */
export interface SampledRows {
  readonly alias: string
  readonly from: Sql
  readonly where: Sql
}

/** A row of a sample: its key as the driver prints it, and the number of rows of the table that it stands for. */
export interface SampledKey {
  readonly key: Row
  readonly weight: number
}

/** A value of a column, as `Dialect.cursor` prints it, with the shares of rows below it and equal to it. */
export interface Knot {
  readonly text: string
  readonly below: number
  readonly equal: number
}

/** What the statistics of the database know about a column: some of its values in ascending order. */
export interface ColumnStatistics {
  readonly knots: readonly Knot[]
  readonly rows: number
}

/** How the rows of a table are distributed. The work is bounded, however many rows there are. */
export interface Distribution {
  /** Describes all rows of the table; null if there are no statistics, or none that the role can read. */
  readonly statisticsOf: (table: SampledTable, column: TypedColumn, ask: Ask) => Promise<ColumnStatistics | null>
  /** Rows from all parts of the table; null if it cannot be sampled. */
  readonly sampleOf: (table: SampledTable, ask: Ask) => Promise<readonly SampledKey[] | null>
  /**
   * A smaller sample of some of the rows. It depends on no other row: neither on their number nor on their keys, nor on
   * where they are stored.
   */
  readonly sampleWithin: (table: SampledTable, rows: SampledRows, ask: Ask) => Promise<readonly SampledKey[] | null>
}
