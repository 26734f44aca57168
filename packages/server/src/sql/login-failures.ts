import type { Sql, Steps } from './sql.ts'

/** How failed logins delay the next one; the same on every database. Times are in seconds. */
export const delays = {
  /** 2 to this power is beyond the longest delay. */
  mostDoublings: 10,
  longest: 900,
  /** Failures are forgotten after this time without another one: at four guesses an hour that is what the longest delay allows anyway. */
  kept: 3600,
} as const

/** Statements on failed logins. Slots 0 and 1 are always the account and the network. */
export interface LoginFailureStatements {
  /**
   * Counts an attempt before it is checked and gives the number of failures with it; no row while an earlier failure
   * delays this one. Slot 2: the number of failures at which delays begin.
   */
  readonly count: (schema: string) => Steps
  /** Milliseconds that the next attempt has to wait; no row when there are no failures. */
  readonly wait: (schema: string) => Sql
  /** Takes an attempt back that was no guess. Slot 2: the number of failures with it. */
  readonly uncount: (schema: string) => Sql
  /** Ends the delay of one account at one network. */
  readonly clear: (schema: string) => Sql
  /** Removes some of the rows that no longer count. No slots. */
  readonly removeExpired: (schema: string) => Sql
}
