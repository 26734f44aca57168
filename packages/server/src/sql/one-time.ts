import type { Sql, Steps } from './sql.ts'

/** Statements on values that count once and for a while. Slots 0 and 1 are always the kind and the key. */
export interface OneTimeStatements {
  /** Keeps a value in place of the one before. Slots 2 and 3: the value, milliseconds to live. */
  readonly put: (schema: string) => Sql
  /** The value, while it lives. */
  readonly read: (schema: string) => Sql
  readonly remove: (schema: string) => Sql
  /** Notes that a key was used; no row when it was before. Slot 2: milliseconds to remember it. */
  readonly claim: (schema: string) => Steps
  /** Removes some of those that have expired. No slots. */
  readonly removeExpired: (schema: string) => Sql
}
