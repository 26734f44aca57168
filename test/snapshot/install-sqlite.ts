import type { TestDatabase } from '../lib/databases.ts'
import { metadataSql } from './metadata-sql.ts'
import type { Column, Structure, Table } from './structure.ts'

const name = (text: string): string => `"${text.replaceAll('"', '""')}"`

const names = (columns: readonly string[]): string => columns.map(name).join(', ')

function columnSql({ name: column, type, isNullable, default: value, counter }: Column): string {
  if (counter !== null) return `${name(column)} ${type} primary key autoincrement`
  const parts = [name(column), type]
  if (!isNullable) parts.push('not null')
  if (value !== null) parts.push(`default ${value}`)
  return parts.join(' ')
}

function tableSql({ name: table, columns, key, foreignKeys }: Table, number: number): string[] {
  const isCounted = columns.some(({ counter }) => counter !== null)
  const parts = [
    ...columns.map(columnSql),
    ...(key.length === 0 || isCounted ? [] : [`primary key (${names(key)})`]),
    ...columns.flatMap((column, index) =>
      column.isUnique && index % 2 === 0 ? [`unique (${name(column.name)})`] : [],
    ),
    ...foreignKeys.map(
      ({ columns: own, to: [, target], toColumns, onDelete, onUpdate }) =>
        `foreign key (${names(own)}) references ${name(target)} (${names(toColumns)}) on delete ${onDelete} on update ${onUpdate}`,
    ),
  ]
  return [
    `create table ${name(table)} (${parts.join(', ')})`,
    ...columns.flatMap((column, index) => {
      const on = `${name(table)} (${name(column.name)})`
      return [
        ...(column.isUnique && index % 2 === 1 ? [`create unique index "u ${number} ${index}" on ${on}`] : []),
        ...(column.isIndexed ? [`create index "i ${number} ${index}" on ${on}`] : []),
      ]
    }),
  ]
}

export async function installSqlite(query: TestDatabase['query'], { tables, metadata }: Structure): Promise<void> {
  const there = await query(
    `select name from sqlite_schema where type = 'table' and name not like 'service\\_%' escape '\\' and name not like 'sqlite\\_%' escape '\\'`,
  )
  await query('pragma foreign_keys = off')
  const statements = [
    'begin immediate',
    ...there.map(([table]) => `drop table ${name(table ?? '')}`),
    ...tables.flatMap(tableSql),
    ...metadataSql(metadata, name, ''),
    'commit',
  ]
  for (const statement of statements) await query(statement)
}
