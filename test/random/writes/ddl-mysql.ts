import { isMade, type State, valueOf } from './state.ts'
import { type Column, type ForeignKey, type Schema, type Table, VARCHAR } from './schema.ts'

/** Counters start after the keys of the initial rows. */
const FIRST = 100

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``
const names = (columns: readonly string[]): string => columns.map(quoted).join(', ')

/** An indexed text column needs a length. */
const isLookedUp = ({ name }: Column, table: Table, { tables }: Schema): boolean =>
  table.key.includes(name) ||
  table.uniques.some((columns) => columns.includes(name)) ||
  table.foreignKeys.some(({ columns }) => columns.includes(name)) ||
  [...tables.values()].some(({ foreignKeys }) =>
    foreignKeys.some(({ target, targetColumns }) => target === table.name && targetColumns.includes(name)),
  )

function typeSql(column: Column, table: Table, schema: Schema): string {
  if (column.type === 'varchar') return `varchar(${VARCHAR})`
  if (column.type === 'numeric') return 'decimal(8,2)'
  if (column.type === 'text') return isLookedUp(column, table, schema) ? 'varchar(200)' : 'longtext'
  return column.type === 'integer' ? 'int' : column.type
}

const literal = (value: string | null): string => {
  if (value === null) return 'null'
  if (value === 'true' || value === 'false') return value
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function columnSql(table: Table, column: Column, schema: Schema): string {
  const parts = [quoted(column.name), typeSql(column, table, schema)]
  if (!column.nullable) parts.push('not null')
  if (column.fill === 'counter') parts.push('auto_increment')
  else if (column.fill === 'uuid') parts.push('default uuid()')
  else if (column.fill !== 'none') parts.push(`default ${literal(column.fill.value)}`)
  if (column.min !== null) parts.push(`check (${quoted(column.name)} >= ${column.min})`)
  return parts.join(' ')
}

function tableSql(table: Table, schema: Schema): string {
  const lines = [
    ...table.columns.map((column) => columnSql(table, column, schema)),
    `primary key (${names(table.key)})`,
    ...table.uniques.map((columns) => `unique (${names(columns)})`),
  ]
  return `create table ${quoted(table.name)} (\n  ${lines.join(',\n  ')}\n)`
}

const referenceSql = (table: Table, { columns, target, targetColumns, onDelete }: ForeignKey): string =>
  `alter table ${quoted(table.name)} add foreign key (${names(columns)}) references ${quoted(target)} (${names(targetColumns)}) on delete ${onDelete}`

export function schemaSql(schema: Schema): string[] {
  const list = [...schema.tables.values()]
  return [
    ...list.map((table) => tableSql(table, schema)),
    ...list.flatMap((table) => table.foreignKeys.map((key) => referenceSql(table, key))),
  ]
}

/** Restores the initial rows and resets the counters. */
export function resetSql(schema: Schema, start: State): string[] {
  const tables = [...schema.tables.values()]
  return [
    'set foreign_key_checks = 0',
    ...tables.map(({ name }) => `delete from ${quoted(name)}`),
    ...tables.flatMap((table) => insertSql(table, start)),
    ...tables.flatMap(({ name, columns }) =>
      columns.some(({ fill }) => fill === 'counter')
        ? [`alter table ${quoted(name)} auto_increment = ${FIRST + 1}`]
        : [],
    ),
    'set foreign_key_checks = 1',
  ]
}

function insertSql(table: Table, start: State): string[] {
  const rows = start.get(table.name) ?? []
  if (rows.length === 0) return []
  const columns = table.columns.map(({ name }) => name)
  const cell = (value: ReturnType<typeof valueOf>) => literal(isMade(value) ? null : value)
  const lines = rows.map((row) => `(${columns.map((name) => cell(valueOf(row, name))).join(', ')})`)
  return [`insert into ${quoted(table.name)} (${names(columns)}) values ${lines.join(', ')}`]
}

/** All rows of all tables in one statement, with all values as text. */
export function readSql({ tables }: Schema): string {
  const parts = [...tables.values()].map((table) => {
    const cells = table.columns.map(({ name, type }) =>
      type === 'boolean'
        ? `if(${quoted(name)} is null, null, if(${quoted(name)}, 'true', 'false'))`
        : `cast(${quoted(name)} as char)`,
    )
    const row = `json_array(${cells.join(', ')})`
    return `(select concat('[', coalesce(group_concat(${row} order by ${names(table.key)} separator ','), ''), ']') from ${quoted(table.name)})`
  })
  return `select concat('[', ${parts.join(", ',', ")}, ']') as all_rows`
}
