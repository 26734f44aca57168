import { randomUUID } from 'node:crypto'
import type BetterSqlite from 'better-sqlite3'
import { sql } from '../../sql.ts'

const PREFIX = 'tain-'

/**
 * Triggers cannot see who writes, and may call no function that other programs lack. So connections of the service have
 * another meaning of a function that SQLite itself has, and that nobody needs: it tells the name of the transaction.
 */
export function nameTransactions(database: BetterSqlite.Database): { readonly begin: () => void } {
  let name = ''
  const begin = () => {
    name = `${PREFIX}${randomUUID()}`
  }
  begin()
  database.function('sqlite_source_id', { deterministic: false }, () => name)
  return { begin }
}

/** In the service, the name of the transaction; elsewhere one that no other change has. */
export const transactionName = sql`(case when sqlite_source_id() glob ${sql.lit(`${PREFIX}*`)} then sqlite_source_id() else hex(randomblob(16)) end)`
