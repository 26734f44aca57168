import type BetterSqlite from 'better-sqlite3'

/** Stands in for a statement; its only value is a JSON list of names. A table that does not exist yet has no rows. */
export const COUNT_ROWS = 'count the rows of tables'

/**
 * For each table its rows, no bytes, and 'f': nothing has to be created in advance, a change is always one transaction.
 */
export function tableSizes(database: BetterSqlite.Database, names: string): (string | null)[] {
  const isThere = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ? collate nocase`)
  return (JSON.parse(names) as readonly string[]).flatMap((name) => {
    if (isThere.get(name) === undefined) return ['0', '0', 'f']
    const quoted = `"${name.replaceAll('"', '""')}"`
    const found = database.prepare<[], { rows: bigint }>(`select count(*) as rows from ${quoted}`).get()
    return [String(found?.rows ?? 0), '0', 'f']
  })
}
