import type { Sql, Steps } from './sql.ts'
import type { TypedColumn } from './typed-column.ts'

/** Rows that are sent as one JSON parameter. The columns of the set are named by position. */
export interface Recordset {
  readonly columns: readonly TypedColumn[]
  /** The parameter that holds the JSON. */
  readonly parameter: number
}

/** Images of rows, in the place of the table they are rows of. */
export interface Images {
  readonly from: Sql
  /** The position of an image in its set. */
  readonly place: Sql
}

/** The columns of a row that a revision stores. */
export interface RevisionRow {
  readonly columns: readonly TypedColumn[]
  /** Whether these are all columns of the table: the database role may be allowed to read only some of them. */
  readonly isWhole: boolean
}

/** Larger rows are left out of the log of changes: its readers fetch them. */
export const LARGEST_IMAGE = 256 * 1024

/** Where an insert records each of its rows. */
export type RecordKind = 'activity' | 'revision' | 'outbox'

/** What an insert records with each row. */
export interface InsertRecord {
  readonly collection: string
  readonly key: readonly TypedColumn[]
  /** null if only the activity is recorded. */
  readonly row: RevisionRow | null
  readonly records: readonly RecordKind[]
}

/** The values that a write returns for each row: columns, and the row as JSON if a revision is recorded. */
export interface Returned {
  readonly columns: readonly string[]
  readonly row: RevisionRow | null
}

export type LockStrength = 'change' | 'refer'

/**
 * Statements that write or lock many rows at once. Rows are returned in the order of the set, or with their position.
 */
export interface BulkStatements {
  /** The set as a row source: columns by position, and `n`, the position of the row. */
  readonly rowsOf: (set: Recordset, alias: string) => Sql
  /** The set as rows of a table: under the names of its columns, and with values that compare as the stored ones do. */
  readonly imagesOf: (table: Sql, set: Recordset, alias: string) => Images
  /** The name of a value of such a set. */
  readonly imageName: (column: TypedColumn, index: number) => string
  /** Condition: the columns of one source equal those of the set, in order. */
  readonly matches: (alias: string, columns: readonly TypedColumn[], set: string) => Sql
  readonly insert: (table: Sql, set: Recordset, returned: Returned, key: readonly TypedColumn[]) => Steps
  /** True if rows must be inserted one by one, because the database reports only the last generated key. */
  readonly insertsEach: (set: Recordset, key: readonly TypedColumn[]) => boolean
  /** True if an insert must list the columns that a trigger fills, with NULL as their value. */
  readonly namesTriggered: boolean
  /** Skips rows that already exist. */
  readonly insertMissing: (table: Sql, set: Recordset) => Steps
  /**
   * The first `keys` columns of the set find the row; the others are updated. Returns position and requested values.
   */
  readonly update: (table: Sql, set: Recordset, keys: number, returned: Returned) => Steps
  /** A row under an alias as JSON, as a revision stores it. */
  readonly rowJson: (row: RevisionRow, alias: string) => Sql
  /** Locks the rows that match all columns of the set, in key order. Returns their position and `select`. */
  readonly lock: (table: Sql, set: Recordset, select: readonly Sql[], alias: string, strength: LockStrength) => Sql
  /** Locks the rows that match all columns of the set. Returns their position and columns. */
  readonly find: (table: Sql, set: Recordset, select: readonly string[]) => Sql
  /** The largest value of a column among the children of each parent, how many there are, and how many have a value. */
  readonly largest: (table: Sql, set: Recordset, column: string) => Sql
  /**
   * Removes the children of the parents in `set`, except those in `kept`. `set` holds only parents, or parents and the
   * child's own columns.
   */
  readonly remove: (removal: {
    readonly table: Sql
    readonly set: Recordset
    readonly match: readonly string[]
    readonly kept: Recordset | null
    readonly keptMatch: readonly string[]
    /** Columns to set to NULL; null deletes the rows. */
    readonly nullify: readonly string[] | null
    readonly returned: Returned
    readonly key: readonly TypedColumn[]
  }) => Steps
  /** Locks the rows that such a removal would affect and returns their keys. */
  readonly leaving: (removal: {
    readonly table: Sql
    readonly set: Recordset
    readonly match: readonly string[]
    readonly kept: Recordset | null
    readonly keptMatch: readonly string[]
    readonly key: readonly string[]
    /** Values besides the key. */
    readonly select?: readonly Sql[]
    readonly alias: string
  }) => Sql
  /**
   * One statement that inserts into several tables and selects from the rows of one of them, called `written`.
   * Parameters: a set per insert, then versions, user, IP address and user agent. It inserts nothing if the versions
   * have changed. null if a statement can write to only one table.
   */
  readonly insertTree:
    | ((tree: {
        readonly inserts: readonly {
          readonly table: Sql
          readonly set: Recordset
          readonly columns: readonly {
            readonly name: string
            readonly taken: { readonly group: number; readonly column: string } | null
          }[]
          readonly record: InsertRecord | null
        }[]
        readonly root: number
        readonly select: Sql
        readonly systemSchema: string
        readonly parameters: number
      }) => Sql)
    | null
  /** Locks every row in key order and returns the number of rows. */
  readonly lockAll: (table: Sql, key: readonly string[]) => Sql
  /**
   * Moves the first row of the set, found by its key, to the place of the second. Rows without a sort value get one,
   * and duplicate sort values are made unique.
   */
  readonly move: (table: Sql, set: Recordset, order: string) => Steps
  /** Advances a counter past explicitly inserted keys. */
  readonly advance: (schema: string, table: string, column: string, parameter: number) => Steps
}
