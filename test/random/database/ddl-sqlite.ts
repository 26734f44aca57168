import type { Column, Model, Row, Table } from './model.ts'
import { toText } from './values.ts'

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

const quoteText = (text: string): string => `'${text.replaceAll(`'`, `''`)}'`

/** Tables with their foreign keys, which may reference later tables; then the rows. */
export const databaseSql = (model: Model): string[] => [
  ...[...model.tables.values()].map((table) => createTable(table, model)),
  ...[...model.tables.values()].flatMap((table) => {
    const rows = model.rows.get(table.collection) ?? []
    return rows.length === 0 ? [] : [insertRows(table, rows)]
  }),
]

function createTable(table: Table, model: Model): string {
  const parts = table.columns.map((column) => `  ${quoteName(column.name)} ${definition(column, table)}`)
  const hasOwnKey = table.columns.some((column) => isCounter(column, table))
  if (table.key.length > 0 && !hasOwnKey) parts.push(`  primary key (${table.key.map(quoteName).join(', ')})`)
  for (const name of table.uniques) parts.push(`  unique (${quoteName(name)})`)
  for (const { columns, target, targetColumns } of table.foreignKeys) {
    const to = quoteName(model.tables.get(target)!.name)
    parts.push(
      `  foreign key (${columns.map(quoteName).join(', ')}) references ${to} (${targetColumns.map(quoteName).join(', ')})`,
    )
  }
  return `create table ${quoteName(table.name)} (\n${parts.join(',\n')}\n)`
}

const isCounter = ({ name, identity, type }: Column, { key }: Table): boolean =>
  identity && type === 'integer' && key.length === 1 && key[0] === name

const types: Readonly<Record<string, string>> = {
  numeric: 'decimal_text(12,4)',
  varchar: 'varchar(200)',
  enum: 'varchar(200)',
  timestamp: 'datetime',
  timestamptz: 'timestamp',
}

function definition(column: Column, table: Table): string {
  if (isCounter(column, table)) return 'integer primary key autoincrement'
  return `${types[column.type] ?? column.type}${column.nullable ? '' : ' not null'}`
}

function insertRows(table: Table, rows: readonly Row[]): string {
  const columns = table.columns.map((column) => quoteName(column.name)).join(', ')
  const values = rows.map((row) => `(${table.columns.map((column) => literal(column, row)).join(', ')})`)
  return `insert into ${quoteName(table.name)} (${columns}) values\n${values.join(',\n')}`
}

function literal(column: Column, row: Row): string {
  const cell = row.get(column.name) ?? null
  if (cell === null) return 'null'
  if (typeof cell === 'boolean') return cell ? '1' : '0'
  return quoteText(toText(column.type, cell))
}
