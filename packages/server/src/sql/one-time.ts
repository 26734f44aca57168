import type { Sql, Steps } from './sql.ts'

/** Statements on values that can be used once and expire. Parameters 0 and 1 are always the kind and the key. */
export interface OneTimeStatements {
  /** Stores a value and replaces the previous one. Parameters 2 and 3: the value, its lifetime in milliseconds. */
  readonly put: (schema: string) => Sql
  /** The value, unless it has expired. */
  readonly read: (schema: string) => Sql
  readonly remove: (schema: string) => Sql
  /** Records that a key was used; no row if it was used before. Parameter 2: milliseconds to remember it. */
  readonly claim: (schema: string) => Steps
  /** Removes some of the expired values. No parameters. */
  readonly removeExpired: (schema: string) => Sql
}
