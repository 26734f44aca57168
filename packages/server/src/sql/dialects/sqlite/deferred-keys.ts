import type BetterSqlite from 'better-sqlite3'

/** Stands in for a statement; thread.ts handles it. */
export const CHECK_DEFERRED = 'check the deferred foreign keys'

/**
 * Fails as the commit would. The binding does not expose SQLite's counter of deferred violations, and counting them
 * with foreign_key_check would read whole tables. Dropping a table with a deferred key deletes its rows first, but only
 * while that counter is above zero. So the number of changes shows whether there are violations.
 */
export function checkDeferred(database: BetterSqlite.Database): void {
  database.exec('savepoint tain_deferred')
  try {
    database.exec(`
      create temp table tain_parent (id integer primary key);
      create temp table tain_child (parent references tain_parent deferrable initially deferred);
      insert into tain_child values (null)`)
    const before = changes(database)
    database.exec('drop table temp.tain_child')
    if (changes(database) === before) return
  } finally {
    database.exec('rollback to tain_deferred')
    database.exec('release tain_deferred')
  }
  throw Object.assign(new Error('FOREIGN KEY constraint failed'), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' })
}

const changes = (database: BetterSqlite.Database): unknown => database.prepare('select total_changes()').pluck().get()
