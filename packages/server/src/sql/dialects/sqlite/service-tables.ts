import { placeholder } from '../../bind.ts'
import { columnsOf, type TableWriter } from '../../service/create-table.ts'
import { MIGRATIONS } from '../../service/migrations.ts'
import { serviceTablesOf, type ServiceSchema } from '../../service/service-tables.ts'
import type { Index } from '../../service/table.ts'
import { serviceTableNames } from '../../service/tables.ts'
import { list, sql, table as qualified, type Sql } from '../../sql.ts'
import { SCHEMA } from './scope.ts'
import { now, serviceDialect } from './service.ts'
import { storedTypeSql } from './types.ts'

const table = (_: string, name: string): Sql => qualified(SCHEMA, name)

const createIndex = (_: string, name: string, index: Index): Sql => {
  const columns = list(columnsOf(index).map((column) => sql.id(column)))
  const [where, end] = 'where' in index ? [sql` where ${index.where}`, index.name] : [sql``, undefined]
  const indexName = `${name}_${end ?? columnsOf(index).join('_')}_index`
  return sql`create index ${qualified(SCHEMA, indexName)} on ${sql.id(name)} (${columns})${where}`
}

const writer: TableWriter = {
  typeOf: storedTypeSql,
  shortText: () => sql`text`,
  counter: sql`primary key autoincrement`,
  hasKeyInCounter: true,
  defaults: { now: sql`(${now})`, clock: sql`(${now})`, literal: (value) => sql.lit(value) },
  isTrue: (column) => column,
  joined: (columns) => list(columns, sql` || '.' || `),
  referred: (_, name) => sql.id(name),
  ifNotExists: sql``,
  options: sql``,
  createIndex,
  analyze: null,
  differences: {
    service_activity: { columns: { user: { type: 'text', isNullable: true } } },
    service_deliveries: {
      columns: { webhook: { type: 'text', to: { collection: 'service_webhooks' } } },
      indexes: [
        ['webhook', 'item', 'status', 'ordinal'],
        ['webhook', 'epoch', 'number'],
        ['ended'],
        { columns: ['webhook', 'due', 'ordinal'], where: sql`status = 'waiting'`, name: 'due' },
        { columns: ['webhook'], where: sql`status = 'dead'`, name: 'dead' },
      ],
    },
  },
  changes: { addIndex: createIndex, found: null },
}

const given = (parameter: number): Sql => placeholder(parameter, String)

/** Activity ids are consecutive, so the last one and the number of rows determine all of them. */
export const recordChanges = (schema: string): readonly Sql[] => {
  const text = (parameter: number) => sql`nullif(${given(parameter)}, '')`
  const cell = (name: string) => sql`x.value ->> ${sql.lit(`$.${name}`)}`
  const document = (name: string) =>
    sql`case when json_type(x.value, ${sql.lit(`$.${name}`)}) <> 'null' then x.value -> ${sql.lit(`$.${name}`)} end`
  return [
    sql`insert into ${table(schema, 'service_activity')} (action, collection, item, "user", ip, user_agent)
      select ${cell('action')}, ${cell('collection')}, ${cell('item')}, ${text(1)}, ${text(2)}, ${text(3)}
      from json_each(${given(0)}) as x where true order by x.key`,
    sql`insert into ${table(schema, 'service_revisions')} (activity, collection, item, data, delta)
      select (select max(id) from ${table(schema, 'service_activity')}) - json_array_length(${given(0)}) + 1 + x.key,
        ${cell('collection')}, ${cell('item')}, ${document('data')}, ${document('delta')}
      from json_each(${given(0)}) as x where json_type(x.value, '$.data') <> 'null' order by x.key`,
  ]
}

/** A table of this name that has the column. */
const hasTable = (name: string, column: string): Sql =>
  sql`exists (select 1 from sqlite_schema t join pragma_table_xinfo(t.name) c
    where t.type = 'table' and t.name = ${sql.lit(name)} and c.name = ${sql.lit(column)})`

const serviceSchema: ServiceSchema = {
  writer,
  // No other transaction writes at the same time.
  lock: () => sql`select 1`,
  state: () => {
    const isOurs = hasTable(MIGRATIONS, 'applied')
    const names = list(serviceTableNames.map((name) => sql.lit(name)))
    return sql`select case when ${isOurs} then 'true' else 'false' end, 'true', 'main', 'main', 'true', 'true', 'main', 'true',
      case when not ${isOurs} then (select min(name) from sqlite_schema where name in (${names})) end,
      case when ${hasTable('service_version', 'stamp')} and not ${isOurs} then 'true' else 'false' end`
  },
  createSchema: () => sql`select 1`,
  // A transaction sees one snapshot from its first read on.
  snapshot: sql`select 1`,
}

export const serviceTables = serviceTablesOf(serviceSchema, serviceDialect)
