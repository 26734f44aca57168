// Direct access to MariaDB.
import { createConnection, type Connection } from 'mysql2/promise'
import type { Attempt, Cell, Column, ForeignKey, Plain, Table } from './model.ts'
import { fieldType, isGeometry, wire } from './wire-mysql.ts'

export const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const transactional = new Set(['InnoDB', 'RocksDB', 'TokuDB'])

const tablesQuery = `select table_name, table_type, coalesce(engine, '') from information_schema.tables
  where table_schema = database() and table_type <> 'SEQUENCE' and table_name not like 'service\\_%' order by table_name`
/** JSON is a longtext with a check constraint. A view has no constraints, so its columns keep their declared type. */
const columnsQuery = `select c.table_name, c.column_name, c.data_type, c.column_type, c.is_nullable, c.extra,
    coalesce(c.generation_expression, ''), exists (select 1 from information_schema.check_constraints k
      where k.constraint_schema = database() and k.table_name = c.table_name and k.level = 'Column' and k.constraint_name = c.column_name
        and k.check_clause like 'json_valid(%')
  from information_schema.columns c where c.table_schema = database() order by c.table_name, c.ordinal_position`
const keysQuery = `select table_name, constraint_name, column_name, coalesce(referenced_table_name, ''), coalesce(referenced_column_name, '')
  from information_schema.key_column_usage where table_schema = database()
  order by table_name, constraint_name, ordinal_position`

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Draft = Mutable<Omit<Table, 'columns' | 'foreignKeys'>> & { columns: Column[]; foreignKeys: ForeignKey[] }

const text = (cell: Cell | undefined): string => (Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell ?? ''))

function readColumn(row: readonly Cell[]): Column {
  const [, name, base, type, nullable, extra, expression, isJson] = row.map(text)
  return {
    name: name ?? '',
    type: type ?? '',
    base: isJson === '1' ? 'json' : (base ?? ''),
    element: null,
    isEnum: base === 'enum',
    isNullable: nullable === 'YES',
    isGenerated: expression !== '',
    identity: extra?.includes('auto_increment') === true ? 'default' : null,
  }
}

async function readTables(rows: Plain['rows']): Promise<readonly Table[]> {
  const byName = new Map<string, Draft>()
  for (const [name, type, engine] of (await rows(tablesQuery)).map((row) => row.map(text)))
    byName.set(name ?? '', {
      schema: null,
      name: name ?? '',
      collection: name ?? '',
      sql: quote(name ?? ''),
      kind: type === 'VIEW' ? 'view' : 'table',
      isHidden: false,
      isTransactional: type === 'VIEW' || transactional.has(engine ?? ''),
      isAlterable: type !== 'SYSTEM VERSIONED',
      columns: [],
      key: [],
      uniques: [],
      foreignKeys: [],
    })
  for (const row of await rows(columnsQuery)) byName.get(text(row[0]))?.columns.push(readColumn(row))
  // A view of a dropped table has no columns.
  for (const table of byName.values()) table.isHidden = table.kind === 'view' && table.columns.length === 0
  const keys = Map.groupBy(
    (await rows(keysQuery)).map((row) => row.map(text)),
    ([table, name]) => `${table}/${name}`,
  )
  for (const parts of keys.values()) {
    const [table = '', constraint = '', , target = ''] = parts[0] ?? []
    const draft = byName.get(table)
    // The key of a system-versioned table has a hidden last part: the end of the row's period.
    const columns = parts
      .map((part) => part[2] ?? '')
      .filter((name) => draft?.columns.some((column) => column.name === name))
    const to = byName.get(target)
    if (draft === undefined) continue
    if (constraint === 'PRIMARY') draft.key = columns
    else if (target === '') draft.uniques = [...draft.uniques, columns]
    else if (to !== undefined) draft.foreignKeys.push({ columns, to, toColumns: parts.map((part) => part[4] ?? '') })
  }
  return [...byName.values()]
}

/** Returns every cell as the bytes that the server sent. */
async function connect(url: string): Promise<Connection> {
  const connection = await createConnection({
    uri: url,
    charset: 'UTF8MB4_GENERAL_CI',
    rowsAsArray: true,
    multipleStatements: true,
    typeCast: (field) => field.buffer(),
  })
  connection.on('error', () => {})
  await connection.query(`set time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'`)
  return connection
}

function select(column: Column, from?: string): string {
  const expression = from === undefined ? quote(column.name) : `${from}.${quote(column.name)}`
  return isGeometry(column) ? `st_asgeojson(${expression})` : expression
}

/** A set is text by the contract, but the server sorts it as a number. */
const comparable = ({ base }: Column, expression: string): string =>
  base === 'set' ? `cast(${expression} as char)` : expression

/** A zero date is shown as null, and filtered as null. */
function isNull({ base }: Column, expression: string): string {
  const mayBeZero = ['date', 'datetime', 'timestamp', 'year'].includes(base)
  return mayBeZero ? `(${expression} is null or ${expression} = 0)` : `${expression} is null`
}

export async function openMysql(url: string): Promise<Plain> {
  const connection = await connect(url)
  const rows: Plain['rows'] = async (statement) => {
    const [answer] = await connection.query(statement)
    return Array.isArray(answer) ? (answer as unknown as (readonly Cell[])[]) : []
  }
  const tables = await readTables(rows)
  const attempt = async (statements: readonly string[]): Promise<Attempt> => {
    await connection.query('start transaction')
    try {
      let last: readonly (readonly Cell[])[] = []
      for (const statement of statements) last = await rows(statement)
      return { ok: true, rows: last }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    } finally {
      await connection.query('rollback')
    }
  }
  const textOf = async (statement: string) => (await rows(statement)).map((row) => row.map(text).join(' '))
  return {
    dialect: 'mysql',
    tables,
    rows,
    attempt,
    quote,
    literal: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
    select,
    wire,
    fieldType,
    comparable,
    isNull,
    order: (expression, isDescending) =>
      isDescending ? `${expression} is null desc, ${expression} desc` : `${expression} is null, ${expression}`,
    digest: async ({ sql }) => (await textOf(`checksum table ${sql} extended`)).join(),
    structure: async () => {
      const lines: string[] = []
      for (const { sql } of tables)
        lines.push(
          ...(await textOf(`show create table ${sql}`)).map((line) => line.replace(/ AUTO_INCREMENT=\d+/u, '')),
        )
      lines.push(...(await textOf('show triggers')))
      lines.push(
        ...(await textOf(
          `select table_name from information_schema.tables where table_schema = database() and table_name not like 'service\\_%'`,
        )),
      )
      return lines
    },
    execute: async (statements) => void (await connection.query(statements.join(';\n'))),
    close: () => connection.end(),
  }
}
