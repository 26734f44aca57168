import { constant, placeholder } from '../../bind.ts'
import { columnsOf, type TableWriter } from '../../service/create-table.ts'
import { MIGRATIONS } from '../../service/migrations.ts'
import { serviceTablesOf, type ServiceSchema } from '../../service/service-tables.ts'
import type { Index } from '../../service/table.ts'
import { serviceTableNames } from '../../service/tables.ts'
import { catalogueType } from '../../raw.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { createServiceDialect } from './service.ts'
import { storedTypeSql } from './types.ts'

/** The table comment that distinguishes the service's tables from others of the same name. */
export const MARK = 'kept by tain'

const indexNamed = (index: Index): string => columnsOf(index).join('_')

const inTable = (schema: string, name: string): Sql =>
  sql`table_schema = ${constant(schema)} and table_name = ${constant(name)}`

const createWriter = ({ can }: Server): TableWriter => ({
  typeOf: storedTypeSql,
  shortText: (length) => sql`varchar(${sql.lit(length)})`,
  counter: sql`auto_increment`,
  hasKeyInCounter: false,
  // In parentheses, because some servers do not accept a plain text default.
  defaults: {
    now: sql`current_timestamp(6)`,
    clock: sql`current_timestamp(6)`,
    literal: (value) => sql`(${sql.lit(typeof value === 'boolean' ? Number(value) : value)})`,
  },
  isTrue: (column) => sql`${column} = 1`,
  joined: (columns) => sql`concat(${list(columns, sql`, '.', `)})`,
  referred: table,
  ifNotExists: sql`if not exists `,
  options: sql` engine = InnoDB default character set utf8mb4 collate ${catalogueType(can.exactCollation)} comment = ${sql.lit(MARK)}`,
  createIndex: null,
  analyze: null,
  differences: {
    service_activity: {
      columns: {
        user: { type: 'text', isNullable: true },
        // The connection that wrote a row, and its position, assign each revision to its activity.
        written_by: { type: 'counter' },
        position: { type: 'integer' },
      },
    },
  },
  // Every statement commits by itself.
  changes: {
    addIndex: (schema, name, index) =>
      sql`create index ${sql.id(indexNamed(index))} on ${table(schema, name)} (${list(columnsOf(index).map((column) => sql.id(column)))})`,
    found: {
      column: (schema, name, column) =>
        sql`select 1 from information_schema.columns where ${inTable(schema, name)} and column_name = ${constant(column)}`,
      index: (schema, name, index) =>
        sql`select 1 from information_schema.statistics where ${inTable(schema, name)}
          and index_name = ${constant(indexNamed(index))} limit 1`,
    },
  },
})

const given = (parameter: number): Sql => placeholder(parameter, String)

/** Activity is inserted first. Revisions find it by the keys that this connection has just generated. */
export const recordChanges = (schema: string): readonly Sql[] => {
  const text = (parameter: number) => sql`nullif(${given(parameter)}, '')`
  const changes = (columns: Sql) => sql`json_table(${given(0)}, '$[*]' columns (n for ordinality, ${columns})) as x`
  return [
    sql`insert into ${table(schema, 'service_activity')} (action, collection, item, ${sql.id('user')}, ip, user_agent, written_by, position)
      select x.action, x.collection, x.item, ${text(1)}, ${text(2)}, ${text(3)}, connection_id(), x.n
      from ${changes(sql`action longtext path '$.action', collection longtext path '$.collection', item longtext path '$.item'`)} order by x.n`,
    sql`insert into ${table(schema, 'service_revisions')} (activity, collection, item, data, delta)
      select a.id, a.collection, a.item, x.data, nullif(cast(x.delta as char), 'null')
      from ${changes(sql`data json path '$.data', delta json path '$.delta'`)}
      straight_join ${table(schema, 'service_activity')} as a
        on a.id >= last_insert_id() and a.written_by = connection_id() and a.position = x.n
      where x.data is not null and cast(x.data as char) <> 'null' order by x.n`,
  ]
}

/** Tables of the schema, by name and by whether they are marked as the service's. */
const tablesNamed = (schema: string, names: readonly string[], isOurs: boolean): Sql =>
  sql`from information_schema.tables where table_schema = ${constant(schema)}
    and table_name in (${list(names.map((name) => constant(name)))})
    and ${isOurs ? sql`table_comment = ${sql.lit(MARK)}` : sql`table_comment <> ${sql.lit(MARK)}`}`

const lockName = (schema: string): Sql => sql`concat('tain ', sha1(${constant(schema)}))`

const createServiceSchema = (server: Server): ServiceSchema => ({
  writer: createWriter(server),
  lock: (schema) => sql`select get_lock(${lockName(schema)}, 60)`,
  state: (schema) => {
    const isThere = (name: string) => sql`exists (select 1 ${tablesNamed(schema, [name], true)})`
    return sql`select if(${isThere(MIGRATIONS)}, 'true', 'false'), 'true',
      database(), current_user(), 'true', 'true', ${constant(schema)}, 'true',
      (select min(table_name) ${tablesNamed(schema, serviceTableNames, false)}),
      if(${isThere('service_version')} and not ${isThere(MIGRATIONS)}, 'true', 'false')`
  },
  createSchema: () => sql`do 0`,
  // Data that belongs together is read by one statement; the catalogue has no snapshots.
  snapshot: sql`do 0`,
})

export const createServiceTables = (server: Server) =>
  serviceTablesOf(createServiceSchema(server), createServiceDialect(server))
