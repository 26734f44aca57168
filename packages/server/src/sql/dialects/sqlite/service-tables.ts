import { collectionMeta, fieldMeta, relationMeta, type MetaColumn, type MetaKind } from '@tain/contract'
import { placeholder } from '../../bind.ts'
import {
  declaredAs,
  declaredColumn,
  firstDeclared,
  ownNames,
  type DeclaredColumn,
  type DeclaredTable,
} from '../../service/declared-table.ts'
import { adoptMarker, writeNames } from '../../service/names.ts'
import { serviceTablesOf, type ServiceSchema } from '../../service/service-tables.ts'
import { list, sql, table as qualified, type Query, type Sql } from '../../sql.ts'
import { SCHEMA } from './scope.ts'
import { now, serviceDialect } from './service.ts'
import { storedTypeSql } from './types.ts'

const table = (_: string, name: string): Sql => qualified(SCHEMA, name)

const types: Readonly<Record<MetaKind, Sql>> = {
  text: sql`text`,
  list: sql`json`,
  integer: sql`integer`,
  boolean: sql`boolean not null`,
  json: sql`json`,
  'json-text': sql`json`,
}

const literal = (value: NonNullable<DeclaredColumn['default']>): Sql =>
  typeof value === 'object' ? sql`(${now})` : sql.lit(value)

const defaultOf = ({ default: value }: MetaColumn): Sql =>
  value === undefined ? sql`` : sql` default ${sql.lit(value)}`

const columnsOf = (meta: Readonly<Record<string, MetaColumn>>): Sql =>
  list(Object.entries(meta).map(([name, row]) => sql`${sql.id(name)} ${types[row.kind]}${defaultOf(row)}`))

function columnDefinition(name: string, column: DeclaredColumn, { key }: Pick<DeclaredTable, 'key'>): Sql {
  const { type, isNullable = false, default: value, isUnique = false, lowerCaseOf, to } = column
  const isKey = name === key
  const parts = [sql`${sql.id(name)} ${storedTypeSql(type)}`]
  if (isKey) parts.push(type === 'counter' ? sql`primary key autoincrement` : sql`primary key not null`)
  else if (!isNullable) parts.push(sql`not null`)
  if (value !== undefined) parts.push(sql`default ${literal(value)}`)
  if (lowerCaseOf !== undefined) parts.push(sql`generated always as (lower(${sql.id(lowerCaseOf)})) stored`)
  if (isUnique) parts.push(sql`unique`)
  if (to !== undefined && to.isLoose !== true) {
    const action = to.onDelete === 'SET NULL' ? sql`set null` : sql`cascade`
    parts.push(sql`references ${sql.id(to.collection)} on delete ${action}`)
  }
  return list(parts, sql` `)
}

const createIndex = (name: string, columns: readonly string[]): Sql =>
  sql`create index ${qualified(SCHEMA, `${name}_${columns.join('_')}_index`)} on ${sql.id(name)} (${list(columns.map((column) => sql.id(column)))})`

function createDeclared(declared: DeclaredTable): Sql[] {
  const { name, columns, hidden = {}, uniques = [] } = declared
  const entries = [...Object.entries(columns), ...Object.entries(hidden)]
  const definitions = [
    ...entries.map(([column, row]) => columnDefinition(column, row, declared)),
    ...uniques.map((names) => sql`unique (${list(names.map((column) => sql.id(column)))})`),
  ]
  return [
    sql`create table ${table('', name)} (${list(definitions)})`,
    ...entries.flatMap(([column, { isIndexed }]) => (isIndexed === true ? [createIndex(name, [column])] : [])),
  ]
}

/** For tables of the first migration: new databases have the column already. */
function addColumn(declared: readonly DeclaredTable[], isUsed: boolean, name: string, column: string): Sql[] {
  const definition = columnDefinition(column, declaredColumn(declared, name, column), { key: '' })
  return isUsed ? [sql`alter table ${table('', name)} add column ${definition}`] : []
}

/** Tables of the first two migrations that are written out by hand. */
const handMade = new Set(['service_activity', 'service_revisions'])

/** The log of changes. */
const eventTables = (schema: string): Sql[] => [
  sql`create table ${table(schema, 'service_outbox')} (
    seq integer primary key autoincrement, write text not null, collection text not null, item text not null,
    kind text not null, before text, after text, "user" text, at timestamp not null default (${now}))`,
  sql`create table ${table(schema, 'service_events')} (
    position integer primary key, write text not null, collection text not null, item text not null, kind text not null,
    before text, after text, "user" text, at timestamp not null, size integer not null)`,
  createIndex('service_events', ['collection', 'position']),
  sql`create table ${table(schema, 'service_event_head')} (
    only_row boolean primary key not null default 1 check (only_row), epoch text not null,
    position integer not null default 0, oldest integer not null default 0, bytes integer not null default 0,
    identity text, mark text)`,
  sql`insert into ${table(schema, 'service_event_head')} (epoch) values (lower(hex(randomblob(6))))`,
  sql`create table ${table(schema, 'service_event_interest')} (
    collection text primary key, since integer not null, until timestamp not null)`,
]

const uploadTables = (schema: string): Sql[] => [
  sql`create table ${table(schema, 'service_uploads')} (
    id text primary key not null, kind text not null, caller text not null, content text not null, state text not null,
    file text, holder text, held_until timestamp, expires timestamp not null)`,
  createIndex('service_uploads', ['expires']),
]

const deliveryTables = (schema: string): Sql[] => [
  sql`create table ${table(schema, 'service_deliveries')} (
    id text primary key not null, webhook text not null references service_webhooks (id) on delete cascade,
    type text not null, collection text not null, key text not null, position text not null,
    status text not null default 'waiting', attempts json not null, next_attempt timestamp,
    epoch text not null, number integer not null, ordinal integer not null, item text not null, content text not null,
    tries integer not null default 0, leased_until timestamp, fence integer not null default 0, ended timestamp)`,
  createIndex('service_deliveries', ['webhook', 'item', 'status', 'ordinal']),
  createIndex('service_deliveries', ['status', 'next_attempt', 'ordinal']),
  createIndex('service_deliveries', ['webhook', 'epoch', 'number']),
  createIndex('service_deliveries', ['ended']),
]

/** Deliveries that wait are found by `due`; they get it after the start, some at a time. */
const dueDeliveries = (declared: readonly DeclaredTable[]): Sql[] => {
  const index = (name: string, columns: Sql, status: string) =>
    sql`create index ${qualified(SCHEMA, `service_deliveries_${name}_index`)} on service_deliveries (${columns})
      where status = ${sql.lit(status)}`
  return [
    ...['failing_since', 'next_probe', 'failures'].flatMap((column) =>
      addColumn(declared, true, 'service_webhooks', column),
    ),
    sql`alter table ${table('', 'service_deliveries')} add column due timestamp`,
    index('due', sql`webhook, due, ordinal`, 'waiting'),
    index('dead', sql`webhook`, 'dead'),
    sql`drop index if exists ${qualified(SCHEMA, 'service_deliveries_status_next_attempt_ordinal_index')}`,
  ]
}

/** Migrations that only create tables. */
const laterTables = (schema: string, declared: readonly DeclaredTable[]): readonly (readonly Sql[])[] => [
  declaredAs(declared, ['service_dashboards', 'service_panels']).flatMap((entry) => createDeclared(entry)),
  declaredAs(declared, ['service_files']).flatMap((entry) => createDeclared(entry)),
  uploadTables(schema),
  eventTables(schema),
  declaredAs(declared, ['service_webhooks']).flatMap((entry) => createDeclared(entry)),
  deliveryTables(schema),
  [
    sql`create table ${table(schema, 'service_extension_cursors')} (
      name text primary key, epoch text not null, position integer not null)`,
  ],
]

/** Migrations that change tables in use. */
const laterChanges = (declared: readonly DeclaredTable[], isUsed: boolean): readonly (readonly Sql[])[] => [
  addColumn(declared, isUsed, 'service_settings', 'storage_asset_transform_public'),
  addColumn(declared, isUsed, 'service_users', 'link_version'),
  dueDeliveries(declared),
]

/** Migrations of the service's own tables. New ones are only ever appended. */
const migrations = (
  schema: string,
  declared: readonly DeclaredTable[],
  isUsed: boolean,
): readonly (readonly Query[])[] => [
  [
    sql`create table ${table(schema, 'service_collections')} (collection text primary key not null, ${columnsOf(collectionMeta)})`,
    sql`create table ${table(schema, 'service_fields')} (
      id integer primary key autoincrement, collection text not null, field text not null,
      ${columnsOf(fieldMeta)}, unique (collection, field))`,
    sql`create table ${table(schema, 'service_relations')} (
      id integer primary key autoincrement, many_collection text not null, many_field text not null,
      one_collection text, ${columnsOf(relationMeta)}, unique (many_collection, many_field))`,
    sql`create table ${table(schema, 'service_activity')} (
      id integer primary key autoincrement, action text not null, "user" text,
      timestamp timestamp not null default (${now}), ip text, user_agent text, origin text,
      collection text not null, item text not null)`,
    sql`create table ${table(schema, 'service_revisions')} (
      id integer primary key autoincrement,
      activity integer not null references service_activity (id) on delete cascade,
      collection text not null, item text not null, data json, delta json, parent integer, version text)`,
    createIndex('service_activity', ['collection', 'item']),
    createIndex('service_revisions', ['collection', 'item']),
    createIndex('service_revisions', ['activity']),
    sql`create table ${table(schema, 'service_idempotency')} (
      key text not null, caller text not null, request text not null, status integer, body text, etag text,
      created timestamp not null default (${now}), primary key (key, caller))`,
    sql`create table ${table(schema, 'service_schema_steps')} (
      id integer primary key autoincrement, kind text not null, "schema" text not null,
      "table" text not null, name text not null, created timestamp not null default (${now}))`,
    ...firstDeclared(declared)
      .filter(({ name }) => !handMade.has(name))
      .flatMap((entry) => createDeclared(entry)),
    // The row exists from the beginning: otherwise two concurrent transactions could each create a first row.
    sql`insert into ${table(schema, 'service_settings')} (id) values (1)`,
  ],
  // Failed logins delay the next ones instead of suspending the account. The default was 25 before.
  [
    sql`create table ${table(schema, 'service_login_failures')} (
      account text not null, network text not null, failures integer not null, last_failure timestamp not null,
      blocked_until timestamp, primary key (account, network))`,
    createIndex('service_login_failures', ['last_failure']),
    sql`update ${table(schema, 'service_settings')} set auth_login_attempts = 5 where auth_login_attempts = 25`,
  ],
  [
    sql`create table ${table(schema, 'service_one_time')} (
      kind text not null, key text not null, content text, expires timestamp not null, primary key (kind, key))`,
    createIndex('service_one_time', ['expires']),
  ],
  [
    sql`create table ${table(schema, 'service_names')} (
      id integer primary key autoincrement, kind text not null, collection text not null, subject text not null,
      name text not null, instead text)`,
    ...(isUsed ? [writeNames(serviceDialect)(SCHEMA, [adoptMarker])] : []),
  ],
  [
    sql`create table ${table(schema, 'service_locks')} (
      name text primary key, holder text, fence integer not null default 0, expires timestamp)`,
  ],
  [sql`create table ${table(schema, 'service_watch')} (name text primary key, fingerprint text)`],
  ...laterTables(schema, declared),
  ...laterChanges(declared, isUsed),
]

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

const nameList = (names: readonly string[]): Sql => list(names.map((name) => sql.lit(name)))

const serviceSchema: ServiceSchema = {
  // No other transaction writes at the same time.
  lock: () => sql`select 1`,
  exists: (_, declared) => {
    const isOurs = sql`exists (select 1 from sqlite_schema where type = 'table' and name = 'service_version')`
    const names = nameList(ownNames(declared.map(({ name }) => name)))
    return sql`select case when ${isOurs} then 'true' else 'false' end, 'true', 'main', 'main', 'true', 'true', 'main', 'true',
      case when not ${isOurs} then (select min(name) from sqlite_schema where name in (${names})) end`
  },
  createSchema: () => sql`select 1`,
  create: (schema) => [
    sql`create table ${table(schema, 'service_version')} (
      only_row boolean primary key not null default 1 check (only_row), version integer not null, migration integer not null,
      rights integer not null default 1, stamp text generated always as (version || '.' || rights) stored)`,
    sql`insert into ${table(schema, 'service_version')} (version, migration) values (1, 0)`,
  ],
  migrations,
  // A transaction sees one snapshot from its first read on.
  snapshot: sql`select 1`,
}

export const serviceTables = serviceTablesOf(serviceSchema, serviceDialect)
