import BetterSqlite from 'better-sqlite3'
import type { Answer } from './messages.ts'

/** Stands in for a statement; its only value is the number of milliseconds to wait. */
export const TAKE_LOCK = 'take the lock on the structure'

/** The schema lock across all processes: a lock on a file next to the database, released when its holder ends. */
export interface SchemaLock {
  /** Returns one row with 't', or fails like a busy database. */
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
