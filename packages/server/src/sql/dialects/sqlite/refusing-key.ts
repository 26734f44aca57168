import type BetterSqlite from 'better-sqlite3'
import { foreignKeyNames } from './foreign-keys.ts'
import { writtenTable } from './written-table.ts'

/** Larger tables are not searched just to name the foreign key in an error. */
const MOST_ROWS = 200_000n

interface Key {
  readonly table: string
  readonly id: bigint
  readonly parent: string
  readonly onDelete: string
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Foreign keys of a table, and foreign keys that refer to it. */
const keysAround = (database: BetterSqlite.Database, table: string): Key[] =>
  database
    .prepare<[string, string], Key>(
      `select distinct m.name as "table", f.id, f."table" as parent, f.on_delete as onDelete
        from sqlite_schema m join pragma_foreign_key_list(m.name) f
        where m.type = 'table' and (m.name = ? collate nocase or f."table" = ? collate nocase)`,
    )
    .all(table, table)

function nameOf(database: BetterSqlite.Database, { table, id }: Pick<Key, 'table' | 'id'>) {
  const columns = database
    .prepare<[string, bigint], { from: string }>(
      `select "from" from pragma_foreign_key_list(?) where id = ? order by seq`,
    )
    .all(table, id)
    .map(({ from }) => from)
  const stored = database.prepare<[string], { sql: string }>('select sql from sqlite_schema where name = ?').get(table)
  return { table, name: foreignKeyNames(table, stored?.sql ?? '')(columns) }
}

function isSmall(database: BetterSqlite.Database, table: string): boolean {
  const text = `select count(*) as rows from (select 1 from ${quoted(table)} limit ${MOST_ROWS})`
  const found = database.prepare<[], { rows: bigint }>(text).get()
  return found !== undefined && found.rows < MOST_ROWS
}

/** The database does not say which foreign key failed, so the statement runs again with all of them deferred. */
function broken(database: BetterSqlite.Database, keys: readonly Key[], again: () => void) {
  database.exec('savepoint tain_key')
  try {
    database.pragma('defer_foreign_keys = on')
    again()
    for (const table of new Set(keys.map((key) => key.table))) {
      if (!isSmall(database, table)) continue
      const text = `pragma foreign_key_check(${quoted(table)})`
      const found = database.prepare<[], { fkid: bigint }>(text).get()
      if (found !== undefined) return nameOf(database, { table, id: found.fkid })
    }
    return null
  } catch {
    // Some foreign keys fail immediately, even when deferred.
    const [only, ...others] = keys.filter(({ onDelete }) => onDelete === 'RESTRICT')
    return only === undefined || others.length > 0 ? null : nameOf(database, only)
  } finally {
    database.exec('rollback to tain_key')
    database.exec('release tain_key')
    database.pragma('defer_foreign_keys = off')
  }
}

export function refusingKey(database: BetterSqlite.Database, text: string, again: () => void) {
  const target = writtenTable(text)
  if (target === undefined) return null
  const keys = keysAround(database, target)
  const [only] = keys
  const found = only !== undefined && keys.length === 1 ? nameOf(database, only) : broken(database, keys, again)
  const isOwn = found?.table.toLowerCase() === target.toLowerCase()
  return found === null ? null : { ...found, isReferenced: !isOwn || text.startsWith('delete') }
}
