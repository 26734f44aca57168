import { randomBytes } from 'node:crypto'
import { constant } from '../bind.ts'
import { sql, table as qualified, type Query, type Sql } from '../sql.ts'
import {
  columnDefinition,
  columnsOf,
  createTable,
  indexesOf,
  tableIn,
  tablesFor,
  type TableWriter,
} from './create-table.ts'
import type { Index, ServiceTable, TablesByName } from './table.ts'
import { tables, type TableName } from './tables.ts'

/** One change of the service's tables. A release that has it never changes it again. */
export interface Migration<T extends TablesByName = TablesByName> {
  readonly tables?: readonly (keyof T & string)[]
  /** By table; those of new tables come with them. */
  readonly columns?: { readonly [N in keyof T]?: readonly (keyof T[N]['columns'] & string)[] }
  /** By table; each is one of its indexes. */
  readonly indexes?: { readonly [N in keyof T]?: readonly (readonly string[])[] }
  /** Statements that may run again after a start that failed. Old versions of the service still work after them. */
  readonly fill?: (schema: string, writer: TableWriter) => readonly Query[]
}

/** Tables, and how they came to be. */
export interface ServiceHistory {
  readonly tables: TablesByName
  /** By name, in order. The first one makes everything that no other one adds. */
  readonly migrations: Readonly<Record<string, Migration>>
}

export interface Step {
  /** The step is done if this finds a row. */
  readonly unless: Query | null
  readonly run: Query
}

/** The table that holds the names of those that have run. It comes before the first one. */
export const MIGRATIONS = 'service_migrations'

/** Rows that exist from the beginning: otherwise two concurrent transactions could each create a first one. */
function firstRows(schema: string, { analyze }: TableWriter): readonly Query[] {
  const insert = (name: TableName, column: string, value: Sql) => {
    const table = qualified(schema, name)
    return sql`insert into ${table} (${sql.id(column)}) select ${value} from (select 1 as one) as o
      where not exists (select 1 from ${table})`
  }
  return [
    insert('service_version', 'version', sql.lit(1)),
    // Every read joins this table, so the planner must know that it holds one row.
    ...(analyze === null ? [] : [analyze(qualified(schema, 'service_version'))]),
    insert('service_settings', 'id', sql.lit(1)),
    insert('service_event_head', 'epoch', constant(randomBytes(6).toString('hex'))),
  ]
}

const migrations = {
  '0001-tables': { fill: firstRows },
} as const satisfies Readonly<Record<string, Migration<typeof tables>>>

export const serviceHistory: ServiceHistory = { tables, migrations }

const names = (index: Index): string => columnsOf(index).join()

/** The tables without what migrations add after the one at this place. */
function tablesAfter(at: number, all: TablesByName, migrations: readonly Migration[]): TablesByName {
  const later = migrations.slice(at + 1)
  const isLater = (name: string) => later.some((each) => each.tables?.includes(name) === true)
  const withoutLater = (name: string, table: ServiceTable): ServiceTable => {
    const columns = new Set(later.flatMap((each) => each.columns?.[name] ?? []))
    const indexes = new Set(later.flatMap((each) => each.indexes?.[name] ?? []).map(names))
    return {
      ...table,
      columns: Object.fromEntries(Object.entries(table.columns).filter(([column]) => !columns.has(column))),
      indexes: (table.indexes ?? []).filter((index) => !indexes.has(names(index))),
    }
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, table]) => (isLater(name) ? [] : [[name, withoutLater(name, table)]])),
  )
}

interface Place {
  readonly schema: string
  readonly tables: TablesByName
  readonly writer: TableWriter
}

const always = (run: Query): Step => ({ unless: null, run })

const create = (name: string, { schema, tables, writer }: Place): readonly Step[] =>
  createTable(schema, name, tables, writer).map(always)

function addIndex(name: string, columns: readonly string[], { schema, tables, writer }: Place): Step {
  const index = indexesOf(tableIn(tables, name)).find((each) => names(each) === columns.join())
  if (index === undefined) throw new TypeError(`${name} has no index of ${columns.join()}`)
  const { addIndex: add, found } = writer.changes
  return { unless: found?.index(schema, name, index) ?? null, run: add(schema, name, index) }
}

/** Rows have no value for a new column, and not every database can add a key or a reference to a table. */
function addColumn(name: string, column: string, place: Place): readonly Step[] {
  const { schema, tables, writer } = place
  const table = tableIn(tables, name)
  const { isNullable, default: value, isIndexed, isUnique, to, computed } = table.columns[column] ?? {}
  const isKey = isUnique === true || computed !== undefined || (to !== undefined && to.isLoose !== true)
  if (isKey || (isNullable !== true && (value === undefined || typeof value === 'object')))
    throw new TypeError(`${name}.${column} cannot be added to a table with rows on every database`)
  const definition = columnDefinition(column, table, writer)
  return [
    {
      unless: writer.changes.found?.column(schema, name, column) ?? null,
      run: sql`alter table ${qualified(schema, name)} add column ${definition}`,
    },
    ...(isIndexed === true ? [addIndex(name, [column], place)] : []),
  ]
}

function stepsOf(at: number, migrations: readonly Migration[], all: TablesByName, place: Omit<Place, 'tables'>) {
  const { schema, writer } = place
  const here = { ...place, tables: tablesAfter(at, all, migrations) }
  const { tables: made = [], columns = {}, indexes = {}, fill } = migrations[at] ?? {}
  const created = at === 0 ? Object.keys(here.tables).filter((name) => name !== MIGRATIONS) : made
  return [
    ...created.flatMap((name) => create(name, here)),
    ...Object.entries(columns).flatMap(([name, added = []]) =>
      added.flatMap((column) => addColumn(name, column, here)),
    ),
    ...Object.entries(indexes).flatMap(([name, added = []]) => added.map((index) => addIndex(name, index, here))),
    ...(fill?.(schema, writer) ?? []).map(always),
  ]
}

/** The statements of each migration, by its name, in order. */
export function migrationSteps(
  schema: string,
  writer: TableWriter,
  { tables: declared, migrations: every }: ServiceHistory,
): readonly (readonly [name: string, steps: readonly Step[]])[] {
  const all = tablesFor(declared, writer)
  return Object.keys(every).map((name, at) => [name, stepsOf(at, Object.values(every), all, { schema, writer })])
}

/** Creates the table that holds the names of migrations. */
export const createMigrations = (schema: string, writer: TableWriter): readonly Query[] =>
  createTable(schema, MIGRATIONS, tables, writer)
