import type { Sql, Steps } from './sql.ts'

/** How failed logins delay the next one; the same on every database. Times are in seconds. */
export const delays = {
  /** 2 to this power exceeds the longest delay. */
  mostDoublings: 10,
  longest: 900,
  /** Failures expire after this time without a new one. The longest delay allows four guesses an hour anyway. */
  kept: 3600,
} as const

/** Statements on failed logins. Parameters 0 and 1 are always the account and the network. */
export interface LoginFailureStatements {
  /**
   * Counts an attempt before it is checked and returns the number of failures including it; no row while an earlier
   * failure delays this one. Parameter 2: the number of failures at which delays begin.
   */
  readonly count: (schema: string) => Steps
  /** Milliseconds until the next attempt is allowed; no row if there are no failures. */
  readonly wait: (schema: string) => Sql
  /** Reverts the count of an attempt that was not a guess. Parameter 2: the number of failures including it. */
  readonly uncount: (schema: string) => Sql
  /** Ends the delay of one account in one network. */
  readonly clear: (schema: string) => Sql
  /** Removes some of the expired rows. No parameters. */
  readonly removeExpired: (schema: string) => Sql
}
