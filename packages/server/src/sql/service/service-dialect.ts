import type {
  Expression,
  InsertQueryBuilder,
  InsertResult,
  RawBuilder,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import type { Query, Sql, Steps } from '../sql.ts'
import type { RowJson } from './row-json.ts'
import type { StoredValue } from './stored-value.ts'
import type { ServiceDatabase, Timestamp } from './query-builder.ts'

type TableName = keyof ServiceDatabase

/** How many rows `removeSome` removes at most. */
export const REMOVED_AT_ONCE = 1000

type UserUpdate = UpdateQueryBuilder<ServiceDatabase, 'service_users', 'service_users', UpdateResult>

/** The row that `key` selects. */
export interface Found {
  readonly table: Sql
  readonly key: RawBuilder<boolean>
}

/** Everything in which the databases differ for statements on the service's own tables. */
export interface ServiceDialect {
  /** The values of parameters. */
  readonly text: (parameter: number) => RawBuilder<string>
  readonly uuid: (parameter: number) => RawBuilder<string>
  readonly integer: (parameter: number) => RawBuilder<number>
  /** The elements of the JSON array in a parameter, as a subquery. */
  readonly uuidsIn: (parameter: number) => RawBuilder<string>
  readonly textsIn: (parameter: number) => RawBuilder<string>
  /** The current time, or the start of the transaction if the database has one time for all its statements. */
  readonly now: RawBuilder<Timestamp>
  /** The current time, also in a transaction that has waited for a lock. */
  readonly clock: RawBuilder<Timestamp>
  readonly after: (time: 'now' | 'clock', milliseconds: Sql) => RawBuilder<Timestamp>
  readonly milliseconds: (from: Sql, to: Sql) => Sql
  readonly least: (left: Sql, right: Sql) => Sql
  readonly sha256: (text: Sql) => Sql
  /** Equal, or both NULL. */
  readonly same: (left: Sql, right: Expression<unknown>) => RawBuilder<boolean>
  readonly locked: <T extends TableName, O>(
    query: SelectQueryBuilder<ServiceDatabase, T, O>,
    strength: 'update' | 'share',
  ) => Query
  /**
   * Removes up to `REMOVED_AT_ONCE` rows and returns how many, none that another transaction has locked if the database can
   * skip them.
   */
  readonly removeSome: (table: Sql, keys: readonly string[], condition: Sql) => Steps
  /** Replaces the values of `columns` if there is a row with the same keys; without columns that row stays. */
  readonly upsert: (insert: Query, keys: readonly string[], columns: readonly string[]) => Query
  /** Inserts a row unless one has the same values of `unique`. `returning` is computed from the new row `found`. */
  readonly insertNew: <T extends TableName>(
    insert: InsertQueryBuilder<ServiceDatabase, T, InsertResult>,
    unique: readonly string[],
    returning: Sql,
    found: Found,
  ) => Steps
  /** Updates the user in `found` if the condition holds, and returns `returning` of the new row. */
  readonly updateIf: (update: UserUpdate, found: Found, condition: Sql, returning: Sql) => Steps
  /** Updates all rows of a table and returns `returning` of each. */
  readonly updateAll: (update: Query, table: Sql, returning: Sql) => Steps
  readonly stored: (value: StoredValue) => Sql
  /** Whether a column has the value. */
  readonly matches: (key: StoredValue) => Sql
  /** The objects in a JSON array as a table: the texts of `columns`, and the position as `n`. */
  readonly textRows: (json: string | Sql, columns: readonly string[]) => Sql
  /** Texts of `textRows` as other types. */
  readonly cast: Readonly<Record<'integer' | 'uuid' | 'json', (text: Sql) => Sql>>
  /** The current time in milliseconds since 1970. */
  readonly unixTime: Sql
  /** Locks the rows `d` that a query finds, without those that another transaction has locked if it can skip them. */
  readonly lockFree: (query: Sql) => Query
  /** Updates rows `d` of a table from the rows `x` that belong to them. */
  readonly updateFrom: (table: Sql, assignments: Sql, rows: Sql, condition: Sql) => Query
  /** All rows `r` of a table as one JSON array. */
  readonly rowsJson: (schema: string, table: string, shape: RowJson, order: Sql) => Sql
  /** A row of the table as the text of a JSON object. */
  readonly rowJson: (table: string, shape: RowJson) => Sql
  /** A user as revisions store it; see `userRowJson` in accounts.ts. */
  readonly userRow: Sql
}
