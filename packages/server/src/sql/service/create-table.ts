import type { StoredType } from '../dialect.ts'
import { list, sql, table as qualified, type Query, type Sql } from '../sql.ts'
import type { Index, ServiceColumn, ServiceTable, TablesByName } from './table.ts'

/** Where databases differ in tables of the service. */
export interface TableWriter {
  readonly typeOf: (type: StoredType) => Sql
  /** The type of a text of at most so many characters. */
  readonly shortText: (length: number) => Sql
  /** What makes the database give keys; follows the type. */
  readonly counter: Sql
  /** The key of a numbered table is declared by `counter`. */
  readonly hasKeyInCounter: boolean
  readonly defaults: {
    readonly now: Sql
    readonly clock: Sql
    readonly literal: (value: string | number | boolean) => Sql
  }
  readonly isTrue: (column: Sql) => Sql
  /** Columns with dots between them. */
  readonly joined: (columns: readonly Sql[]) => Sql
  /** A table as a foreign key names it. */
  readonly referred: (schema: string, table: string) => Sql
  /** Empty where a start that failed leaves nothing behind. */
  readonly ifNotExists: Sql
  /** What follows the columns of every table. */
  readonly options: Sql
  /** Null: indexes are part of the table. */
  readonly createIndex: ((schema: string, table: string, index: Index) => Sql) | null
  /** Tells the planner how many rows a table has. Null: it counts them itself. */
  readonly analyze: ((table: Sql) => Sql) | null
  /** How a table differs here. */
  readonly differences: Readonly<Record<string, Difference>>
  readonly changes: TableChanges
}

interface Difference {
  readonly columns?: Readonly<Record<string, ServiceColumn>>
  readonly indexes?: readonly Index[]
  readonly options?: Sql
}

/** How tables of the service get columns and indexes later. */
export interface TableChanges {
  readonly addIndex: (schema: string, table: string, index: Index) => Sql
  /** Finds a row if it is there. Null: a start that failed leaves nothing behind. */
  readonly found: {
    readonly column: (schema: string, table: string, column: string) => Sql
    readonly index: (schema: string, table: string, index: Index) => Sql
  } | null
}

/** A text that an index holds needs a length on some databases. */
const INDEXED = 255

const ids = (columns: readonly string[]): Sql => list(columns.map((column) => sql.id(column)))

export const columnsOf = (index: Index): readonly string[] => ('columns' in index ? index.columns : index)

/** The tables as the database of the writer has them. */
export const tablesFor = (tables: TablesByName, { differences }: Pick<TableWriter, 'differences'>): TablesByName =>
  Object.fromEntries(
    Object.entries(tables).map(([name, table]) => {
      const { columns = {}, indexes = table.indexes ?? [] } = differences[name] ?? {}
      return [name, { ...table, columns: { ...table.columns, ...columns }, indexes }]
    }),
  )

export function tableIn(tables: TablesByName, name: string): ServiceTable {
  const { [name]: table } = tables
  if (table === undefined) throw new TypeError(`the service has no table ${name}`)
  return table
}

const keyOf = ({ key }: Pick<ServiceTable, 'key'>): readonly string[] => (typeof key === 'string' ? [key] : key)

/** All indexes of a table: a single column needs none if another one begins with it. */
export function indexesOf({ columns, indexes = [] }: ServiceTable): readonly Index[] {
  const leads = new Set(indexes.map((index) => columnsOf(index)[0]))
  const single = Object.entries(columns).flatMap(([name, { isIndexed }]) =>
    isIndexed === true && !leads.has(name) ? [[name]] : [],
  )
  return [...single, ...indexes]
}

export const uniquesOf = ({ columns, uniques = [] }: ServiceTable): readonly (readonly string[])[] => [
  ...Object.entries(columns).flatMap(([name, { isUnique }]) => (isUnique === true ? [[name]] : [])),
  ...uniques,
]

function typeOf(name: string, { type, length }: ServiceColumn, table: ServiceTable, writer: TableWriter): Sql {
  const held = [keyOf(table), ...uniquesOf(table), ...indexesOf(table).map(columnsOf)]
  const most = length ?? (held.some((columns) => columns.includes(name)) ? INDEXED : null)
  return type === 'text' && most !== null ? writer.shortText(most) : writer.typeOf(type)
}

function computedBy(computed: NonNullable<ServiceColumn['computed']>, { joined }: TableWriter): Sql {
  if ('lower' in computed) return sql`lower(${sql.id(computed.lower)})`
  return joined(computed.joined.map((column) => sql.id(column)))
}

function defaultBy(value: NonNullable<ServiceColumn['default']>, { defaults }: TableWriter): Sql {
  if (typeof value !== 'object') return defaults.literal(value)
  return 'now' in value ? defaults.now : defaults.clock
}

export function columnDefinition(name: string, table: ServiceTable, writer: TableWriter): Sql {
  const column = table.columns[name]
  if (column === undefined) throw new TypeError(`there is no column ${name}`)
  const { isNullable = false, default: value, isAlwaysTrue = false, computed } = column
  const isNumber = table.isNumbered === true && name === table.key
  const parts = [sql.id(name), typeOf(name, column, table, writer)]
  if (isNumber) parts.push(writer.counter)
  else if (!isNullable && computed === undefined) parts.push(sql`not null`)
  if (value !== undefined) parts.push(sql`default ${defaultBy(value, writer)}`)
  if (isAlwaysTrue) parts.push(sql`check (${writer.isTrue(sql.id(name))})`)
  if (computed !== undefined) parts.push(sql`generated always as (${computedBy(computed, writer)}) stored`)
  return list(parts, sql` `)
}

function references(
  schema: string,
  table: ServiceTable,
  tables: TablesByName,
  { referred }: TableWriter,
): readonly Sql[] {
  return Object.entries(table.columns).flatMap(([name, { to }]) => {
    if (to === undefined || to.isLoose === true) return []
    const other = tableIn(tables, to.collection)
    const action = to.onDelete === 'SET NULL' ? sql`set null` : sql`cascade`
    return [
      sql`foreign key (${sql.id(name)}) references ${referred(schema, to.collection)} (${ids(keyOf(other))}) on delete ${action}`,
    ]
  })
}

/** The statements that create a table and its indexes. `tables` are those of `tablesFor`. */
export function createTable(schema: string, name: string, tables: TablesByName, writer: TableWriter): readonly Query[] {
  const table = tableIn(tables, name)
  const { createIndex, ifNotExists, options, differences, hasKeyInCounter } = writer
  const indexes = indexesOf(table)
  const parts = [
    ...Object.keys(table.columns).map((column) => columnDefinition(column, table, writer)),
    ...(table.isNumbered === true && hasKeyInCounter ? [] : [sql`primary key (${ids(keyOf(table))})`]),
    ...uniquesOf(table).map((columns) => sql`unique (${ids(columns)})`),
    ...(createIndex === null ? indexes.map((index) => sql`key (${ids(columnsOf(index))})`) : []),
    ...references(schema, table, tables, writer),
  ]
  return [
    sql`create table ${ifNotExists}${qualified(schema, name)} (${list(parts)})${differences[name]?.options ?? options}`,
    ...(createIndex === null ? [] : indexes.map((index) => createIndex(schema, name, index))),
  ]
}
