import type { Column, Model, Row, Table } from './model.ts'
import { toText } from './values.ts'

const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const quoteText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll(`'`, `''`)}'`

/** Types, tables and keys first, then rows, then foreign keys, so that tables may reference each other in cycles. */
export const schemaSql = (model: Model): string[] =>
  [...model.tables.values()].map((table) => createTable(table, model))

export const rowsSql = (model: Model): string[] =>
  [...model.tables.values()].flatMap((table) => {
    const rows = model.rows.get(table.collection) ?? []
    return rows.length === 0 ? [] : [insertRows(table, rows)]
  })

export const referencesSql = (model: Model): string[] =>
  [...model.tables.values()].flatMap((table) => table.foreignKeys.map((key) => addReference(model, table, key)))

function addReference(model: Model, table: Table, key: Table['foreignKeys'][number]): string {
  const target = model.tables.get(key.target)!
  const columns = key.columns.map(quoteName).join(', ')
  const targetColumns = key.targetColumns.map(quoteName).join(', ')
  return `alter table ${quoteName(table.name)} add foreign key (${columns}) references ${quoteName(target.name)} (${targetColumns})`
}

function createTable(table: Table, model: Model): string {
  const parts = table.columns.map(
    (column) =>
      `  ${quoteName(column.name)} ${columnType(column, isLookedUp(column, table, model))}${columnFlags(column)}`,
  )
  if (table.key.length > 0) parts.push(`  primary key (${table.key.map(quoteName).join(', ')})`)
  for (const name of table.uniques) parts.push(`  unique (${quoteName(name)})`)
  return `create table ${quoteName(table.name)} (\n${parts.join(',\n')}\n)`
}

/** An indexed text column needs a length. */
const isLookedUp = ({ name }: Column, table: Table, model: Model): boolean =>
  table.key.includes(name) ||
  table.uniques.includes(name) ||
  table.foreignKeys.some(({ columns }) => columns.includes(name)) ||
  [...model.tables.values()].some(({ foreignKeys }) =>
    foreignKeys.some(({ target, targetColumns }) => target === table.collection && targetColumns.includes(name)),
  )

const types: Readonly<Record<string, string>> = {
  integer: 'int',
  numeric: 'decimal(12,4)',
  real: 'float',
  time: 'time(6)',
  timestamp: 'datetime(6)',
  timestamptz: 'timestamp(6)',
}

function columnType(column: Column, isKeyed: boolean): string {
  if (column.type === 'enum') return `enum(${column.enumType!.values.map(quoteText).join(', ')})`
  if (column.type === 'varchar' || (column.type === 'text' && isKeyed)) return 'varchar(200)'
  return types[column.type] ?? column.type
}

const columnFlags = (column: Column): string =>
  `${column.nullable ? ' null' : ' not null'}${column.type === 'timestamptz' && !column.nullable ? ` default '2000-01-01'` : ''}${column.identity ? ' auto_increment' : ''}`

function insertRows(table: Table, rows: readonly Row[]): string {
  const columns = table.columns.map((column) => quoteName(column.name)).join(', ')
  const values = rows.map((row) => `(${table.columns.map((column) => literal(column, row)).join(', ')})`)
  return `insert into ${quoteName(table.name)} (${columns}) values\n${values.join(',\n')}`
}

function literal(column: Column, row: Row): string {
  const cell = row.get(column.name) ?? null
  if (cell === null) return 'null'
  if (typeof cell === 'boolean') return cell ? '1' : '0'
  const text = toText(column.type, cell)
  return quoteText(column.type.startsWith('timestamp') ? text.replace('T', ' ').replace('Z', '') : text)
}
