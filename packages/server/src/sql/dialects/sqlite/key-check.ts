import type BetterSqlite from 'better-sqlite3'

interface Broken {
  readonly table: string
  readonly rowid: bigint | null
  readonly parent: string
  readonly fkid: bigint
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Tables that refer to one of the given tables. */
function childrenOf(database: BetterSqlite.Database, tables: ReadonlySet<string>): string[] {
  const names = JSON.stringify([...tables].map((name) => name.toLowerCase()))
  return database
    .prepare<[string], { name: string }>(
      `select distinct m.name from sqlite_schema m join pragma_foreign_key_list(m.name) f
        where m.type = 'table' and lower(f."table") in (select value from json_each(?))`,
    )
    .all(names)
    .map(({ name }) => name)
}

const ownTables = (database: BetterSqlite.Database): string[] =>
  database
    .prepare<[], { name: string }>(
      `select name from sqlite_schema where type = 'table' and name like 'service\\_%' escape '\\'`,
    )
    .all()
    .map(({ name }) => name)

/** Applies the ON DELETE action to a row whose parent is gone; false if the foreign key has no such action. */
function follow(database: BetterSqlite.Database, { table, rowid, fkid }: Broken): boolean {
  const columns = database
    .prepare<[string, bigint], { from: string; on_delete: string }>(
      `select "from", on_delete from pragma_foreign_key_list(?) where id = ?`,
    )
    .all(table, fkid)
  const action = columns[0]?.on_delete
  if (rowid === null) return false
  if (action === 'CASCADE') database.prepare(`delete from ${quoted(table)} where rowid = ?`).run(rowid)
  else if (action === 'SET NULL') {
    const assignments = columns.map(({ from }) => `${quoted(from)} = null`).join(', ')
    database.prepare(`update ${quoted(table)} set ${assignments} where rowid = ?`).run(rowid)
  } else return false
  return true
}

/**
 * A transaction that changes the schema does not enforce foreign keys, so they are checked before it commits. Dangling
 * rows of the service's own tables follow their ON DELETE action. New dangling rows of other tables refuse the whole
 * change.
 */
export function checkKeys(
  database: BetterSqlite.Database,
  touched: ReadonlySet<string>,
  before: ReadonlyMap<string, number>,
): void {
  const own = new Set(ownTables(database))
  const tables = new Set([...touched, ...childrenOf(database, touched), ...own])
  const isThere = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ? collate nocase`)
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const table of tables) {
      if (isThere.get(table) === undefined) continue
      const left = new Map(before)
      for (const row of brokenIn(database, table)) {
        if (own.has(table) && follow(database, row)) isSettled = false
        else if ((left.get(keyOf(row)) ?? 0) === 0) throw refusal(row)
        else left.set(keyOf(row), (left.get(keyOf(row)) ?? 0) - 1)
      }
    }
  }
}

const brokenIn = (database: BetterSqlite.Database, table: string): readonly Broken[] =>
  database.prepare<[], Broken>(`pragma foreign_key_check(${quoted(table)})`).all()

const keyOf = ({ table, parent }: Pick<Broken, 'table' | 'parent'>): string => JSON.stringify([table, parent])

/** Counts dangling rows before a table is touched, by child and parent. A change does not have to repair them. */
export function countBroken(database: BetterSqlite.Database, table: string, into: Map<string, number>): void {
  for (const name of new Set([table, ...childrenOf(database, new Set([table]))]))
    for (const [key, rows] of Map.groupBy(brokenIn(database, name), keyOf))
      if (!into.has(key)) into.set(key, rows.length)
}

const refusal = ({ table, parent }: Broken): Error =>
  Object.assign(new Error(`FOREIGN KEY constraint failed: ${table}`), {
    code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    foreignKey: { table, name: parent },
  })
