import type { TestDatabase } from '../lib/databases.ts'
import { metadataSql } from './metadata-sql.ts'
import { quoted, type Column, type Structure, type Table } from './structure.ts'

const name = (text: string): string => `\`${text.replaceAll('`', '``')}\``

const names = (columns: readonly string[]): string => columns.map(name).join(', ')

function columnSql({ name: column, type, isNullable, default: value, counter, comment }: Column): string {
  const parts = [name(column), type, isNullable ? 'null' : 'not null']
  if (counter !== null) parts.push('auto_increment')
  if (value !== null) parts.push(`default ${value}`)
  if (comment !== null) parts.push(`comment ${quoted(comment)}`)
  // The service keeps other numbers out of flags.
  if (type === 'tinyint(1)') parts.push(`check (${name(column)} in (0, 1))`)
  return parts.join(' ')
}

function tableSql({ name: table, columns, key, comment }: Table): string {
  const parts = [
    ...columns.map(columnSql),
    ...(key.length === 0 ? [] : [`primary key (${names(key)})`]),
    ...columns.flatMap((column) => (column.isUnique ? [`unique (${name(column.name)})`] : [])),
    ...columns.flatMap((column) => (column.isIndexed ? [`index (${name(column.name)})`] : [])),
  ]
  return `create table ${name(table)} (${parts.join(', ')})${comment === null ? '' : ` comment ${quoted(comment)}`}`
}

/** One statement per foreign key: inside `create table`, some generated constraint names would be too long. */
const keySql = ({ name: table, foreignKeys }: Table): string[] =>
  foreignKeys.map(
    ({ columns, to: [, target], toColumns, onDelete, onUpdate }) =>
      `alter table ${name(table)} add foreign key (${names(columns)}) references ${name(target)} (${names(toColumns)}) on delete ${onDelete} on update ${onUpdate}`,
  )

export async function installMysql(query: TestDatabase['query'], { tables, metadata }: Structure): Promise<void> {
  const there = await query(
    `select table_name from information_schema.tables where table_schema = database() and table_name not like 'service\\_%'`,
  )
  const statements = [
    'set foreign_key_checks = 0',
    ...there.map(([table]) => `drop table ${name(table ?? '')}`),
    'set foreign_key_checks = 1',
    ...tables.map(tableSql),
    ...tables.flatMap(keySql),
    ...metadataSql(metadata, name, ''),
  ]
  for (const statement of statements) await query(statement)
}
