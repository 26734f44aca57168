import { collectionMeta, fieldMeta, relationMeta, type MetaColumn, type MetaKind } from '@tain/contract'
import { placeholder } from '../../bind.ts'
import { serviceRowStatements, storedSql } from '../../service-rows.ts'
import {
  declaredRowJson,
  serviceRowJson,
  rowJsonMembers,
  type RowJson,
  type RowJsonKind,
} from '../../service-row-json.ts'
import {
  adoptMarker,
  ownNames,
  type DeclaredColumn,
  type DeclaredTable,
  type ServiceTables,
} from '../../service-tables.ts'
import { list, sql, table as qualified, type Sql } from '../../sql.ts'
import { jsonObject } from './json.ts'
import { SCHEMA } from './scope.ts'
import { storedTypeSql } from './types.ts'

const table = (_: string, name: string): Sql => qualified(SCHEMA, name)

/** As precise as the clock, and always of one length, so that texts compare like timestamps. */
export const now: Sql = sql`strftime('%Y-%m-%d %H:%M:%f', 'now')`

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

function columnDefinition(name: string, column: DeclaredColumn, { key }: DeclaredTable): Sql {
  const { type, isNullable = false, default: value, isUnique = false, lowerCaseOf, to } = column
  const isKey = name === key
  const parts = [sql`${sql.id(name)} ${storedTypeSql(type)}`]
  if (isKey) parts.push(type === 'counter' ? sql`primary key autoincrement` : sql`primary key not null`)
  else if (!isNullable) parts.push(sql`not null`)
  if (value !== undefined) parts.push(sql`default ${literal(value)}`)
  if (lowerCaseOf !== undefined) parts.push(sql`generated always as (lower(${sql.id(lowerCaseOf)})) stored`)
  if (isUnique) parts.push(sql`unique`)
  if (to !== undefined) {
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

/** Tables of the first two migrations that are written out by hand. */
const handMade = new Set(['service_activity', 'service_revisions'])

/** Migrations of the service's own tables. New ones are only ever appended. */
const migrations = (
  schema: string,
  declared: readonly DeclaredTable[],
  isUsed: boolean,
): readonly (readonly Sql[])[] => [
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
    ...declared.filter(({ name }) => !handMade.has(name)).flatMap((entry) => createDeclared(entry)),
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
    ...(isUsed ? [writeNames(schema, [adoptMarker])] : []),
  ],
]

const writeNames: ServiceTables['writeNames'] = (schema, rows) => {
  const cell = (name: string) => sql`x.value ->> ${sql.lit(`$.${name}`)}`
  return sql`insert into ${table(schema, 'service_names')} (kind, collection, subject, name, instead)
    select ${list(['kind', 'collection', 'subject', 'name', 'instead'].map(cell))}
    from json_each(${JSON.stringify(rows)}) as x where true order by x.key`
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

/** A second claim of the same key waits for the first transaction, like every write. */
export const claim = (
  schema: string,
): Sql => sql`insert into ${table(schema, 'service_idempotency')} (key, caller, request)
  values (${given(0)}, ${given(1)}, ${given(2)})
  on conflict (key, caller) do update set request = excluded.request, status = null, body = null, etag = null, created = ${now}
    where created < strftime('%Y-%m-%d %H:%M:%f', 'now', '-24 hours') returning 1`

export const claimed = (schema: string): Sql =>
  sql`select request, status, body, etag from ${table(schema, 'service_idempotency')} where key = ${given(0)} and caller = ${given(1)}`

export const answered = (schema: string): Sql => sql`update ${table(schema, 'service_idempotency')}
  set status = cast(${given(2)} as integer), body = nullif(${given(3)}, ''), etag = nullif(${given(4)}, '')
  where key = ${given(0)} and caller = ${given(1)}`

const shown: Readonly<Record<RowJsonKind, (name: Sql) => Sql>> = {
  plain: (name) => name,
  text: (name) => sql`json_quote(${name})`,
  boolean: (name) => sql`case ${name} when 0 then 'false' when 1 then 'true' end`,
  json: (name) => name,
}

/** Rows as one JSON list, in the given order. */
const rowsOf = (name: string, shape: RowJson, order: Sql): Sql =>
  sql`(select concat('[', group_concat(o.k, ','), ']') from (
    select ${jsonObject(rowJsonMembers(shape, shown))} as k from ${table('', name)} as r order by ${order}) as o)`

const knownRows = (name: keyof typeof serviceRowJson, order: Sql): Sql => rowsOf(name, serviceRowJson[name], order)

const nameList = (names: readonly string[]): Sql => list(names.map((name) => sql.lit(name)))

export const serviceTables: ServiceTables = {
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
  migration: (schema) => sql`select migration from ${table(schema, 'service_version')}`,
  migrations,
  migrated: (schema, step) =>
    sql`update ${table(schema, 'service_version')} set migration = ${sql.lit(step)}, version = version + 1`,
  overlay: (schema) =>
    sql`select version, ${knownRows('service_collections', sql`r.sort nulls last, r.collection`)},
      ${knownRows('service_fields', sql`r.sort nulls last, r.id`)},
      ${knownRows('service_relations', sql`r.id`)}, ${knownRows('service_names', sql`r.id`)}
      from ${table(schema, 'service_version')}`,
  version: (schema) => sql`select version from ${table(schema, 'service_version')}`,
  bump: (schema) => sql`update ${table(schema, 'service_version')} set version = version + 1 returning version`,
  stamp: (schema) => sql`select stamp from ${table(schema, 'service_version')}`,
  bumpPermissions: (schema) => sql`update ${table(schema, 'service_version')} set rights = rights + 1 returning rights`,
  permissions: (schema) =>
    sql`select rights, ${knownRows('service_roles', sql`r.id`)}, ${knownRows('service_policies', sql`r.id`)},
      ${knownRows('service_access', sql`r.sort nulls last, r.id`)}, ${knownRows('service_permissions', sql`r.id`)}
      from ${table(schema, 'service_version')}`,
  put: (schema, name, keys, values) => {
    const all = [...keys, ...values]
    const assignments = values.map(({ column }) => sql`${sql.id(column)} = excluded.${sql.id(column)}`)
    const action = assignments.length === 0 ? sql`nothing` : sql`update set ${list(assignments)}`
    return sql`insert into ${table(schema, name)} (${list(all.map(({ column }) => sql.id(column)))})
      values (${list(all.map(storedSql))}) on conflict (${list(keys.map(({ column }) => sql.id(column)))}) do ${action}`
  },
  rows: (_, { name, columns }) => sql`select ${rowsOf(name, declaredRowJson(columns), sql`r.id`)}`,
  ...serviceRowStatements(table),
  writeNames,
  // A transaction sees one snapshot from its first read on.
  snapshot: sql`select 1`,
}
