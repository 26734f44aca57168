import type { TypedColumn } from './dialect.ts'
import type { Sql, Steps } from './sql.ts'

/** Rows that travel as one JSON bind: the columns of the set are named by position. */
export interface Recordset {
  readonly columns: readonly TypedColumn[]
  /** Which bind holds the JSON. */
  readonly parameter: number
}

/** The columns of a row as a revision keeps it. */
export interface RevisionRow {
  readonly columns: readonly TypedColumn[]
  /** Whether the table has no others: the database role may be allowed to read some of its columns only. */
  readonly isWhole: boolean
}

/** What a write gives back of each row: columns, and where a revision is made the row as JSON. */
export interface Returned {
  readonly columns: readonly string[]
  readonly row: RevisionRow | null
}

export type LockStrength = 'change' | 'refer'

/** Statements that write or lock many rows at once. Rows come back in the order of the set, or with their position in it. */
export interface BulkStatements {
  /** The set as a source of rows: columns by position, and `n`, the position of the row. */
  readonly rowsOf: (set: Recordset, alias: string) => Sql
  /** Columns of one source equal those of the set, in order. */
  readonly matches: (alias: string, columns: readonly TypedColumn[], set: string) => Sql
  readonly insert: (table: Sql, set: Recordset, returned: Returned, key: readonly TypedColumn[]) => Steps
  /** Rows go one by one, where the database tells the key that it has drawn of the last row only. */
  readonly insertsEach: (set: Recordset, key: readonly TypedColumn[]) => boolean
  /** A column that a trigger fills has to be named all the same, with NULL for its value. */
  readonly namesTriggered: boolean
  /** Leaves alone what is there already. */
  readonly insertMissing: (table: Sql, set: Recordset) => Steps
  /** The first `keys` columns of the set find the row, the others are changed. The position and what is wanted come back. */
  readonly update: (table: Sql, set: Recordset, keys: number, returned: Returned) => Steps
  /** Position and `select` of the rows found by all columns of the set, locked in key order. */
  readonly lock: (table: Sql, set: Recordset, select: readonly Sql[], alias: string, strength: LockStrength) => Sql
  /** Position and columns of the rows found by all columns of the set, locked. */
  readonly find: (table: Sql, set: Recordset, select: readonly string[]) => Sql
  readonly column: (alias: string, name: string) => Sql
  /** Largest value of a column among the children of each parent. */
  readonly largest: (table: Sql, set: Recordset, column: string) => Sql
  /** Children of the parents in `set`, but not those in `kept`. `set` holds parents alone, or parents and the child's own columns. */
  readonly remove: (removal: {
    readonly table: Sql
    readonly set: Recordset
    readonly match: readonly string[]
    readonly kept: Recordset | null
    readonly keptMatch: readonly string[]
    /** Columns to empty; null deletes. */
    readonly nullify: readonly string[] | null
    readonly returned: Returned
    readonly key: readonly TypedColumn[]
  }) => Steps
  /** Keys of the rows that such a removal would reach, locked. */
  readonly leaving: (removal: {
    readonly table: Sql
    readonly set: Recordset
    readonly match: readonly string[]
    readonly kept: Recordset | null
    readonly keptMatch: readonly string[]
    readonly key: readonly string[]
    readonly alias: string
  }) => Sql
  /**
   * Inserts of several tables and a select over the rows of one of them, called `written`, as one statement. Slots: a set
   * per insert, then version, user, address and user agent. Nothing is inserted under another version. null where a
   * statement writes to one table only.
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
          readonly record: {
            readonly collection: string
            readonly key: readonly TypedColumn[]
            /** null where no revision is made. */
            readonly row: RevisionRow | null
          } | null
        }[]
        readonly root: number
        readonly select: Sql
        readonly systemSchema: string
        readonly parameters: number
      }) => Sql)
    | null
  /** Locks every row, in key order; gives how many there are. */
  readonly lockAll: (table: Sql, key: readonly string[]) => Sql
  /** Puts the first row of the set, found by its key, at the place of the second. Gaps in the order are filled, doubles parted. */
  readonly move: (table: Sql, set: Recordset, order: string) => Steps
  /** Lets a counter continue after keys that were given by hand. */
  readonly advance: (schema: string, table: string, column: string, parameter: number) => Steps
}
