import { isMade, type State, valueOf } from './state.ts'
import { type Column, type Schema, type Table, VARCHAR } from './schema.ts'

/** Counters start after the keys of the initial rows. */
const FIRST = 100

const literal = (value: string | null): string => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`)

/** A key declared as `integer` would be an alias of the rowid and count up. */
const types: Readonly<Partial<Record<Column['type'], string>>> = {
  integer: 'int',
  varchar: `varchar(${VARCHAR})`,
  numeric: 'decimal_text(8,2)',
}

const typeSql = ({ type }: Column): string => types[type] ?? type

const cell = ({ type }: Column, value: string | null): string =>
  type === 'boolean' && value !== null ? (value === 'true' ? '1' : '0') : literal(value)

const UUID = `(lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function columnSql(column: Column): string {
  if (column.fill === 'counter') return `${quoted(column.name)} integer primary key autoincrement`
  const parts = [quoted(column.name), typeSql(column)]
  if (column.fill === 'uuid') parts.push(`default ${UUID}`)
  else if (column.fill !== 'none') parts.push(`default ${cell(column, column.fill.value)}`)
  if (!column.nullable) parts.push('not null')
  if (column.min !== null) parts.push(`check (cast(${quoted(column.name)} as real) >= ${column.min})`)
  return parts.join(' ')
}

const names = (columns: readonly string[]): string => columns.map(quoted).join(', ')

const hasCounter = ({ columns }: Table): boolean => columns.some(({ fill }) => fill === 'counter')

function tableSql(table: Table): string {
  const lines = [
    ...table.columns.map(columnSql),
    ...(hasCounter(table) ? [] : [`primary key (${names(table.key)})`]),
    ...table.uniques.map((columns) => `unique (${names(columns)})`),
    ...table.foreignKeys.map(
      ({ columns, target, targetColumns, onDelete }) =>
        `foreign key (${names(columns)}) references ${target} (${names(targetColumns)}) on delete ${onDelete}`,
    ),
  ]
  return `create table ${table.name} (\n  ${lines.join(',\n  ')}\n);`
}

export const schemaSql = ({ tables }: Schema): string => [...tables.values()].map(tableSql).join('\n')

/** Restores the initial rows and resets the counters. */
export function resetSql(schema: Schema, start: State): string {
  const tables = [...schema.tables.values()]
  return [
    'begin immediate',
    ...tables.map(({ name }) => `delete from ${name}`),
    ...tables.flatMap((table) => insertSql(table, start)),
    ...tables.flatMap((table) => (hasCounter(table) ? counterSql(table) : [])),
    'commit',
  ].join(';\n')
}

const counterSql = ({ name }: Table): string[] => [
  `delete from sqlite_sequence where name = '${name}'`,
  `insert into sqlite_sequence (name, seq) values ('${name}', ${FIRST})`,
]

function insertSql(table: Table, start: State): string[] {
  const rows = start.get(table.name) ?? []
  if (rows.length === 0) return []
  const lines = rows.map((row) => {
    const cells = table.columns.map((column) => {
      const value = valueOf(row, column.name)
      return cell(column, isMade(value) ? null : value)
    })
    return `(${cells.join(', ')})`
  })
  return [`insert into ${table.name} (${names(table.columns.map(({ name }) => name))}) values ${lines.join(', ')}`]
}

const textSql = ({ name, type }: Column): string =>
  type === 'boolean'
    ? `case ${quoted(name)} when 1 then 'true' when 0 then 'false' end`
    : `cast(${quoted(name)} as text)`

/** All rows of all tables in one statement, with all values as text. */
export function readSql({ tables }: Schema): string {
  const parts = [...tables.values()].map((table) => {
    const cells = table.columns.map(textSql).join(', ')
    return `(select json_group_array(json_array(${cells}) order by ${names(table.key)}) from ${table.name})`
  })
  return `select json_array(${parts.map((part) => `json(${part})`).join(',\n')}) as all_rows`
}
