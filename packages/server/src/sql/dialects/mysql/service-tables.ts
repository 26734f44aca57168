import { collectionMeta, fieldMeta, relationMeta, type MetaColumn, type MetaKind } from '@tain/contract'
import { constant, placeholder } from '../../bind.ts'
import {
  declaredAs,
  declaredColumn,
  firstDeclared,
  ownNames,
  type DeclaredColumn,
  type DeclaredTable,
} from '../../service/declared-table.ts'
import { adoptMarker } from '../../service/names.ts'
import { serviceTablesOf, type ServiceSchema } from '../../service/service-tables.ts'
import { catalogueType } from '../../raw.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { literalText } from './literal-text.ts'
import { createServiceDialect } from './service.ts'
import { storedTypeSql } from './types.ts'

/** The table comment that distinguishes the service's tables from others of the same name. */
export const MARK = 'kept by tain'

/** Indexed texts need a length here. */
const NAME = sql`varchar(255)`

const types: Readonly<Record<MetaKind, Sql>> = {
  text: sql`longtext`,
  list: sql`longtext`,
  integer: sql`int`,
  boolean: sql`tinyint(1) not null`,
  json: sql`longtext`,
  'json-text': sql`longtext`,
}

/** In parentheses, because some servers do not accept a plain text default. */
const literal = (value: NonNullable<DeclaredColumn['default']>): Sql => {
  if (typeof value === 'object') return sql`current_timestamp(6)`
  return sql`(${typeof value === 'boolean' ? sql.lit(value ? 1 : 0) : sql.lit(value)})`
}

const defaultOf = ({ default: value }: MetaColumn): Sql =>
  value === undefined ? sql`` : sql` default ${literal(value)}`

const columnsOf = (meta: Readonly<Record<string, MetaColumn>>): Sql =>
  list(Object.entries(meta).map(([name, row]) => sql`${sql.id(name)} ${types[row.kind]}${defaultOf(row)}`))

type Create = (schema: string, name: string, definitions: Sql) => Sql

const createOn =
  ({ can }: Server): Create =>
  (schema, name, definitions) =>
    sql`create table if not exists ${table(schema, name)} (${definitions})
    engine = InnoDB default character set utf8mb4 collate ${catalogueType(can.exactCollation)} comment = ${sql.lit(MARK)}`

function columnDefinition(
  name: string,
  column: DeclaredColumn,
  declared: Pick<DeclaredTable, 'key' | 'uniques'>,
  schema: string,
): Sql {
  const { type, isNullable = false, default: value, isUnique = false, isIndexed = false, lowerCaseOf, to } = column
  const isKey = name === declared.key
  const isLookedUp = isKey || isUnique || isIndexed || (declared.uniques ?? []).some((names) => names.includes(name))
  const parts = [sql`${sql.id(name)} ${type === 'text' && isLookedUp ? NAME : storedTypeSql(type)}`]
  if (lowerCaseOf === undefined && (isKey || !isNullable)) parts.push(sql`not null`)
  if (lowerCaseOf === undefined && !isKey && isNullable) parts.push(sql`null`)
  if (isKey && type === 'counter') parts.push(sql`auto_increment`)
  if (value !== undefined) parts.push(sql`default ${literal(value)}`)
  if (lowerCaseOf !== undefined) parts.push(sql`generated always as (lower(${sql.id(lowerCaseOf)})) stored`)
  const further = [list(parts, sql` `)]
  if (isKey) further.push(sql`primary key (${sql.id(name)})`)
  if (isUnique) further.push(sql`unique key (${sql.id(name)})`)
  if (isIndexed) further.push(sql`key (${sql.id(name)})`)
  if (to !== undefined && to.isLoose !== true) {
    const action = to.onDelete === 'SET NULL' ? sql`set null` : sql`cascade`
    further.push(
      sql`foreign key (${sql.id(name)}) references ${table(schema, to.collection)} (${sql.id('id')}) on delete ${action}`,
    )
  }
  return list(further)
}

function createDeclared(create: Create, declared: DeclaredTable, schema: string): Sql {
  const { name, columns, hidden = {}, uniques = [] } = declared
  const entries = [...Object.entries(columns), ...Object.entries(hidden)]
  return create(
    schema,
    name,
    list([
      ...entries.map(([column, row]) => columnDefinition(column, row, declared, schema)),
      ...uniques.map((names) => sql`unique key (${list(names.map((column) => sql.id(column)))})`),
    ]),
  )
}

/** New databases have the column already. */
function addColumn(schema: string, declared: readonly DeclaredTable[], name: string, column: string): readonly Sql[] {
  const definition = columnDefinition(column, declaredColumn(declared, name, column), { key: '' }, schema)
  return unlessColumn(schema, name, column, sql`alter table ${table(schema, name)} add column ${definition}`)
}

/** Not every server knows ADD COLUMN IF NOT EXISTS, so the catalogue is asked. */
const unlessColumn = (schema: string, name: string, column: string, change: Sql): readonly Sql[] => [
  sql`set @tain_step = (select if(count(*) = 0, ${sql.lit(literalText(change))}, 'do 0') from information_schema.columns
    where table_schema = ${sql.lit(schema)} and table_name = ${sql.lit(name)} and column_name = ${sql.lit(column)})`,
  sql`prepare tain_step from @tain_step`,
  sql`execute tain_step`,
  sql`deallocate prepare tain_step`,
]

/** Tables of the first migration that are written out by hand. */
const handMade = new Set(['service_activity', 'service_revisions'])

/** A table comes after the tables it refers to. A reference to itself does not matter. */
function inOrder(declared: readonly DeclaredTable[]): DeclaredTable[] {
  const left = declared.filter(({ name }) => !handMade.has(name))
  const done: DeclaredTable[] = []
  while (left.length > 0) {
    const isThere = (name: string) => !left.some((entry) => entry.name === name)
    const next = left.findIndex(({ name, columns }) =>
      Object.values(columns).every(
        ({ to }) => to === undefined || to.isLoose === true || to.collection === name || isThere(to.collection),
      ),
    )
    done.push(...left.splice(Math.max(next, 0), 1))
  }
  return done
}

const firstTables = (create: Create, schema: string, declared: readonly DeclaredTable[]): readonly Sql[] => [
  create(schema, 'service_collections', sql`collection ${NAME} primary key, ${columnsOf(collectionMeta)}`),
  create(
    schema,
    'service_fields',
    sql`id int auto_increment primary key, collection ${NAME} not null, field ${NAME} not null,
    ${columnsOf(fieldMeta)}, unique key (collection, field)`,
  ),
  create(
    schema,
    'service_relations',
    sql`id int auto_increment primary key, many_collection ${NAME} not null, many_field ${NAME} not null,
    one_collection longtext, ${columnsOf(relationMeta)}, unique key (many_collection, many_field)`,
  ),
  // The connection that wrote a row, and its position, assign each revision to its activity.
  create(
    schema,
    'service_activity',
    sql`id bigint auto_increment primary key, action longtext not null, ${sql.id('user')} longtext,
    timestamp datetime(6) not null default current_timestamp(6), ip longtext, user_agent longtext, origin longtext,
    collection ${NAME} not null, item ${NAME} not null, written_by bigint not null, position int not null,
    key (collection, item)`,
  ),
  create(
    schema,
    'service_revisions',
    sql`id bigint auto_increment primary key, activity bigint not null, collection ${NAME} not null,
    item ${NAME} not null, data longtext, delta longtext, parent bigint, version longtext,
    key (collection, item), key (activity),
    foreign key (activity) references ${table(schema, 'service_activity')} (id) on delete cascade`,
  ),
  create(
    schema,
    'service_idempotency',
    sql`${sql.id('key')} varchar(500) not null, caller ${NAME} not null, request longtext not null, status int,
    body longtext, etag longtext, created datetime(6) not null default current_timestamp(6),
    primary key (${sql.id('key')}, caller)`,
  ),
  create(
    schema,
    'service_schema_steps',
    sql`id bigint auto_increment primary key, kind longtext not null, ${sql.id('schema')} longtext not null,
    ${sql.id('table')} longtext not null, name longtext not null,
    created datetime(6) not null default current_timestamp(6)`,
  ),
  ...inOrder(firstDeclared(declared)).map((entry) => createDeclared(create, entry, schema)),
  // The row exists from the beginning: otherwise two concurrent transactions could each create a first row.
  sql`insert into ${table(schema, 'service_settings')} (id) select 1 from dual
    where not exists (select 1 from ${table(schema, 'service_settings')})`,
]

const logged = sql`${sql.id('write')} varchar(64) not null, collection ${NAME} not null, item longtext not null,
  kind varchar(16) not null, ${sql.id('before')} longtext, ${sql.id('after')} longtext, ${sql.id('user')} varchar(64)`

/** What extensions have worked off. */
const extensionTables = (create: Create, schema: string): readonly Sql[] => [
  create(
    schema,
    'service_extension_cursors',
    sql`name ${NAME} primary key, epoch varchar(64) not null, position bigint not null`,
  ),
]

/** The log of changes. */
const eventTables = (create: Create, schema: string): readonly Sql[] => [
  create(
    schema,
    'service_outbox',
    sql`seq bigint auto_increment primary key, ${logged}, ${sql.id('at')} datetime(6) not null default current_timestamp(6)`,
  ),
  create(
    schema,
    'service_events',
    sql`position bigint primary key, ${logged}, ${sql.id('at')} datetime(6) not null, size bigint not null,
    key (collection, position)`,
  ),
  create(
    schema,
    'service_event_head',
    sql`only_row tinyint(1) primary key default 1 check (only_row = 1), epoch varchar(32) not null,
    position bigint not null default 0, oldest bigint not null default 0, bytes bigint not null default 0,
    identity ${NAME}, mark ${NAME}`,
  ),
  sql`insert into ${table(schema, 'service_event_head')} (only_row, epoch)
    select 1, substr(md5(concat(rand(), uuid())), 1, 12) from dual
    where not exists (select 1 from ${table(schema, 'service_event_head')})`,
  create(
    schema,
    'service_event_interest',
    sql`collection ${NAME} primary key, since bigint not null, until datetime(6) not null`,
  ),
]

const uploadTable = (create: Create, schema: string): Sql =>
  create(
    schema,
    'service_uploads',
    sql`id varchar(64) primary key, kind varchar(64) not null, caller varchar(64) not null, content longtext not null,
    state longtext not null, file varchar(64), holder varchar(64), held_until datetime(6), expires datetime(6) not null,
    key (expires)`,
  )

const deliveryTable = (create: Create, schema: string): Sql =>
  create(
    schema,
    'service_deliveries',
    sql`id varchar(64) primary key, webhook char(36) not null, type longtext not null, collection ${NAME} not null,
    ${sql.id('key')} longtext not null, position ${NAME} not null, status varchar(16) not null default 'waiting',
    attempts longtext not null, next_attempt datetime(6), epoch varchar(64) not null, number bigint not null,
    ordinal bigint not null, item varchar(64) not null, content longtext not null, tries int not null default 0,
    leased_until datetime(6), fence bigint not null default 0, ended datetime(6),
    key (webhook, item, status, ordinal), key (status, next_attempt, ordinal), key (webhook, epoch, number), key (ended),
    foreign key (webhook) references ${table(schema, 'service_webhooks')} (id) on delete cascade`,
  )

/** Deliveries that wait are found by `due`; they get it after the start, some at a time. */
const dueDeliveries = (schema: string, declared: readonly DeclaredTable[]): readonly Sql[] => [
  ...['failing_since', 'next_probe', 'failures'].flatMap((column) =>
    addColumn(schema, declared, 'service_webhooks', column),
  ),
  ...unlessColumn(
    schema,
    'service_deliveries',
    'due',
    sql`alter table ${table(schema, 'service_deliveries')} add column due datetime(6),
      add key (webhook, status, due, ordinal), drop key status`,
  ),
]

/** Migrations that change tables in use. */
const laterChanges = (schema: string, declared: readonly DeclaredTable[]): readonly (readonly Sql[])[] => [
  addColumn(schema, declared, 'service_settings', 'storage_asset_transform_public'),
  addColumn(schema, declared, 'service_users', 'link_version'),
  dueDeliveries(schema, declared),
]

/**
 * Migrations of the service's own tables. New ones are only ever appended. Every statement commits by itself, and may
 * have been run before by a start that did not finish.
 */
const migrations = (
  create: Create,
  schema: string,
  declared: readonly DeclaredTable[],
  isUsed: boolean,
): readonly (readonly Sql[])[] => [
  firstTables(create, schema, declared),
  // Failed logins delay the next ones instead of suspending the account. The default was 25 before.
  [
    create(
      schema,
      'service_login_failures',
      sql`account varchar(64) not null, network varchar(64) not null, failures int not null,
      last_failure datetime(6) not null, blocked_until datetime(6), primary key (account, network), key (last_failure)`,
    ),
    sql`update ${table(schema, 'service_settings')} set auth_login_attempts = 5 where auth_login_attempts = 25`,
  ],
  [
    create(
      schema,
      'service_one_time',
      sql`kind varchar(64) not null, ${sql.id('key')} varchar(64) not null, content longtext,
      expires datetime(6) not null, primary key (kind, ${sql.id('key')}), key (expires)`,
    ),
  ],
  [
    create(
      schema,
      'service_names',
      sql`id bigint auto_increment primary key, kind ${NAME} not null, collection longtext not null,
      subject longtext not null, name longtext not null, instead longtext`,
    ),
    ...(isUsed
      ? [
          sql`insert into ${table(schema, 'service_names')} (kind, collection, subject, name)
            select ${sql.lit(adoptMarker.kind)}, '', '', '' from dual
            where not exists (select 1 from ${table(schema, 'service_names')})`,
        ]
      : []),
  ],
  [
    create(
      schema,
      'service_locks',
      sql`name ${NAME} primary key, holder ${NAME}, fence bigint not null default 0, expires datetime(6)`,
    ),
  ],
  [create(schema, 'service_watch', sql`name ${NAME} primary key, fingerprint ${NAME}`)],
  declaredAs(declared, ['service_dashboards', 'service_panels']).map((entry) => createDeclared(create, entry, schema)),
  declaredAs(declared, ['service_files']).map((entry) => createDeclared(create, entry, schema)),
  [uploadTable(create, schema)],
  eventTables(create, schema),
  declaredAs(declared, ['service_webhooks']).map((entry) => createDeclared(create, entry, schema)),
  [deliveryTable(create, schema)],
  extensionTables(create, schema),
  ...laterChanges(schema, declared),
]

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
  lock: (schema) => sql`select get_lock(${lockName(schema)}, 60)`,
  exists: (schema, declared) => {
    const names = ownNames(declared.map(({ name }) => name))
    return sql`select if(exists (select 1 ${tablesNamed(schema, ['service_version'], true)}), 'true', 'false'), 'true',
      database(), current_user(), 'true', 'true', ${constant(schema)}, 'true',
      (select min(table_name) ${tablesNamed(schema, names, false)})`
  },
  createSchema: () => sql`do 0`,
  create: (schema) => [
    createOn(server)(
      schema,
      'service_version',
      sql`only_row tinyint(1) primary key default 1 check (only_row = 1), version bigint not null,
      migration int not null, rights bigint not null default 1,
      stamp varchar(50) generated always as (concat(version, '.', rights)) stored`,
    ),
    sql`insert into ${table(schema, 'service_version')} (only_row, version, migration) select 1, 1, 0 from dual
      where not exists (select 1 from ${table(schema, 'service_version')})`,
  ],
  migrations: (schema, declared, isUsed) => migrations(createOn(server), schema, declared, isUsed),
  // Data that belongs together is read by one statement; the catalogue has no snapshots.
  snapshot: sql`do 0`,
})

export const createServiceTables = (server: Server) =>
  serviceTablesOf(createServiceSchema(server), createServiceDialect(server))
