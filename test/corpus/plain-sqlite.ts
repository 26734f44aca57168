// Direct access to SQLite.
import { createHash } from 'node:crypto'
import BetterSqlite from 'better-sqlite3'
import type { Attempt, Cell, Column, ForeignKey, Plain, Table } from './model.ts'
import { fieldType, timeKey, wire } from './wire-sqlite.ts'

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

type Query = (statement: string) => readonly (readonly Cell[])[]
type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Draft = Mutable<Omit<Table, 'foreignKeys'>> & { foreignKeys: ForeignKey[] }

const ownObjects = `name not like 'sqlite\\_%' escape '\\' and tbl_name not like 'service\\_%' escape '\\'`

/** Shadow tables store the rows of a virtual table. */
const isShadow = (name: string, virtual: readonly string[]) => virtual.some((owner) => name.startsWith(`${owner}_`))

function readColumns(query: Query, table: string): { columns: Column[]; key: string[] } {
  const info = query(`select name, type, "notnull", pk, hidden from pragma_table_xinfo(${literal(table)})`)
  const parts = info.map(([name, type, notNull, place, hidden]) => ({
    name: String(name),
    type: String(type),
    isNotNull: notNull === 1n,
    place: Number(place),
    hidden: Number(hidden),
  }))
  const key = parts.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place)
  const isRowNumber = key.length === 1 && /^integer$/iu.test(key[0]?.type ?? '')
  const columns = parts
    .filter(({ hidden }) => hidden !== 1)
    .map(({ name, type, isNotNull, place, hidden }): Column => ({
      name,
      type,
      base: type.toLowerCase().replace(/\(.*/u, '').trim().replaceAll(/\s+/gu, ' '),
      element: null,
      isEnum: false,
      isNullable: !isNotNull && place === 0,
      isGenerated: hidden > 1,
      identity: isRowNumber && place > 0 ? 'default' : null,
    }))
  return { columns, key: key.map(({ name }) => name) }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A view of dropped tables has no readable columns and is not served. */
function readTable(query: Query, name: string, type: string, sql: string): Draft {
  // A virtual table cannot be altered, and a STRICT table does not accept a field of type string.
  const isRigid = /^create virtual/iu.test(sql) || /\)\s*strict\s*$/iu.test(sql)
  const table: Draft = {
    schema: null,
    name,
    collection: name,
    sql: quote(name),
    kind: type === 'view' ? 'view' : 'table',
    isHidden: false,
    isTransactional: true,
    isAlterable: !isRigid,
    columns: [],
    key: [],
    uniques: [],
    foreignKeys: [],
  }
  try {
    Object.assign(table, readColumns(query, name))
  } catch {
    return { ...table, isHidden: true }
  }
  for (const [index] of query(
    `select name from pragma_index_list(${literal(name)}) where "unique" = 1 and origin <> 'pk' and partial = 0`,
  )) {
    const columns = query(`select name from pragma_index_info(${literal(String(index))}) order by seqno`)
    table.uniques = [...table.uniques, columns.map(([column]) => String(column))]
  }
  return table
}

function readTables(query: Query): readonly Table[] {
  const found = query(
    `select name, type, sql from sqlite_schema where type in ('table', 'view') and ${ownObjects} order by name`,
  )
  const virtual = found.filter(([, , sql]) => /^create virtual/iu.test(String(sql))).map(([name]) => String(name))
  const byName = new Map<string, Draft>()
  for (const [name, type, sql] of found)
    if (!isShadow(String(name), virtual))
      byName.set(String(name).toLowerCase(), readTable(query, String(name), String(type), String(sql)))
  for (const table of byName.values()) {
    const parts = query(
      `select id, "table", "from", "to" from pragma_foreign_key_list(${literal(table.name)}) order by id, seq`,
    )
    for (const columns of Map.groupBy(parts, ([id]) => id).values()) {
      const to = byName.get(String(columns[0]?.[1]).toLowerCase())
      if (to === undefined) continue
      // Without column names, a foreign key references the other table's primary key.
      const toColumns = columns.map(([, , , column], place) => (column === null ? to.key[place] : String(column)) ?? '')
      table.foreignKeys.push({ columns: columns.map(([, , from]) => String(from)), to, toColumns })
    }
  }
  return [...byName.values()]
}

/** A rebuilt table has other quotes and whitespace in its SQL. */
const written = (sql: string): string =>
  sql
    .replaceAll(/["`[\]]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?([(),]) ?/gu, '$1')

export function openSqlite(file: string): Plain {
  const database = new BetterSqlite(file, { timeout: 10_000 })
  database.defaultSafeIntegers(true)
  database.pragma('foreign_keys = on')
  const query: Query = (statement) => {
    const prepared = database.prepare<unknown[], Cell[]>(statement)
    if (prepared.reader) return prepared.raw(true).all()
    prepared.run()
    return []
  }
  database.function('corpus_time', { deterministic: true }, (cell: Cell, type: unknown) => timeKey(cell, String(type)))
  const tables = readTables(query)
  const attempt = async (statements: readonly string[]): Promise<Attempt> => {
    database.exec('begin immediate')
    try {
      let rows: readonly (readonly Cell[])[] = []
      const broken = () => query('select count(*) from pragma_foreign_key_check')[0]?.[0]
      const before = broken()
      for (const statement of statements) rows = query(statement)
      if (Number(broken()) > Number(before)) return { ok: false, message: 'a deferred foreign key fails' }
      return { ok: true, rows }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    } finally {
      if (database.inTransaction) database.exec('rollback')
    }
  }
  return {
    dialect: 'sqlite',
    tables,
    rows: async (statement) => query(statement),
    attempt,
    quote,
    literal,
    select: ({ name }, from) => (from === undefined ? quote(name) : `${from}.${quote(name)}`),
    wire,
    fieldType,
    // Times have several text forms and are compared as times.
    comparable: (column, expression) =>
      ['dateTime', 'timestamp'].includes(fieldType(column))
        ? `corpus_time(${expression}, ${literal(fieldType(column))})`
        : expression,
    isNull: (_, expression) => `${expression} is null`,
    order: (expression, isDescending) => `${expression} ${isDescending ? 'desc nulls first' : 'asc nulls last'}`,
    digest: async ({ sql }) => {
      const lines = query(`select * from ${sql}`).map((row) =>
        row.map((cell) => `${typeof cell} ${Buffer.isBuffer(cell) ? cell.toString('hex') : cell}`).join('|'),
      )
      return `${lines.length} ${createHash('md5').update(lines.toSorted().join('\n')).digest('hex')}`
    },
    structure: async () =>
      query(`select type, name, tbl_name, sql from sqlite_schema where ${ownObjects} order by 1, 2, 3`).map((row) =>
        row.map((cell) => written(String(cell))).join(' '),
      ),
    execute: async (statements) => void database.exec(statements.join(';\n')),
    close: async () => void database.close(),
  }
}
