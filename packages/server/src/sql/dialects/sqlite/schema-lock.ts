import BetterSqlite from 'better-sqlite3'
import type { Answer } from './messages.ts'

/** Stands for a statement where one is expected; its only value says how many milliseconds to wait. */
export const TAKE_LOCK = 'take the lock on the structure'

/** The right to change the structure, among all processes: a lock on a file beside the database, gone with its holder. */
export interface SchemaLock {
  /** Gives one row with 't', or fails as a busy database does. */
  take(wait: number): Answer
  release(): void
}

export function openLock(file: string): SchemaLock {
  let held: BetterSqlite.Database | null = null
  return {
    take(wait) {
      held ??= new BetterSqlite(`${file}-tain-lock`)
      if (held.inTransaction) return { width: 1, cells: ['t'] }
      held.pragma(`busy_timeout = ${Math.max(0, Math.trunc(wait))}`)
      held.exec('begin exclusive')
      return { width: 1, cells: ['t'] }
    },
    release() {
      if (held?.inTransaction === true) held.exec('rollback')
    },
  }
}
