// Calls that together cover every step of a schema change, on their own database.
import { connect, connectMysql } from '../lib/databases.ts'
import type { Scenario } from './scenarios.ts'
import { dataOf, send, startServer } from './server.ts'

export interface SchemaScenario extends Scenario {
  /** Leftovers of an earlier change in the database. */
  readonly setup?: Readonly<Record<CrashDialect, string>>
}

/** Databases whose schema changes span several transactions or are prepared ahead of the transaction. */
export type CrashDialect = 'postgres' | 'mysql'

const postgresTables = `
  create table makers (id integer primary key, name text, code text unique);
  create table goods (id integer primary key, name text, maker integer references makers on delete set null, place integer);
  create table large (id integer primary key, name text, maker integer, code integer, filler text);
  insert into makers values (1, 'Ada', 'A'), (2, 'Bo', 'B');
  insert into goods select n, 'good ' || n, 1 + n % 2, n from generate_series(1, 5) n;
  insert into large select n, 'l' || n, 1 + n % 2, n, repeat('x', 600) from generate_series(1, 2000) n`

const mysqlTables = `
  create table makers (id integer primary key, name longtext, code varchar(20) unique);
  create table goods (id integer primary key, name longtext, maker integer, place integer,
    constraint goods_maker_fkey foreign key (maker) references makers (id) on delete set null);
  create table large (id integer primary key, name longtext, maker integer, code integer, filler longtext);
  insert into makers values (1, 'Ada', 'A'), (2, 'Bo', 'B');
  insert into goods select seq, concat('good ', seq), 1 + seq % 2, seq from seq_1_to_5;
  insert into large select seq, concat('l', seq), 1 + seq % 2, seq, repeat('x', 600) from seq_1_to_200`

const tables: Readonly<Record<CrashDialect, string>> = { postgres: postgresTables, mysql: mysqlTables }

/** Creates tables, rows, and metadata that references the objects to be dropped. */
export async function prepareStructure(url: string, dialect: CrashDialect = 'postgres'): Promise<void> {
  const { query, close } = await (dialect === 'mysql' ? connectMysql : connect)(url)
  await query(tables[dialect])
  await close()
  const server = await startServer({ DATABASE_URL: url })
  const ask = async (method: string, path: string, body: unknown) => dataOf(await send(server.url, method, path, body))
  await ask('POST', '/fields/makers', { field: 'goods', type: 'alias', meta: { special: ['o2m'] } })
  await ask('PATCH', '/relations/goods/maker', { meta: { one_field: 'goods', sort_field: 'place' } })
  await ask('PATCH', '/collections/goods', { meta: { sort_field: 'place', display_template: '{{name}} {{maker}}' } })
  const { id: policy } = (await ask('POST', '/policies', { name: 'some' })) as { id: string }
  const permit = (collection: string, more: object) =>
    ask('POST', '/permissions', { policy, collection, action: 'read', ...more })
  await permit('goods', { fields: ['name', 'maker'], permissions: { maker: { name: { _eq: 'Ada' } } } })
  await permit('makers', { fields: ['*'], presets: { code: 'C' }, permissions: { goods: { place: { _gt: 1 } } } })
  await server.stop()
}

const call = (
  name: string,
  method: string,
  path: string,
  body?: unknown,
  setup?: SchemaScenario['setup'],
): SchemaScenario => ({
  name,
  requests: [{ method, path, body }],
  ...(setup === undefined ? {} : { setup }),
})

export const schemaScenarios: readonly SchemaScenario[] = [
  call('a field with an index and a unique constraint on a large table', 'POST', '/fields/large', {
    field: 'extra',
    type: 'string',
    schema: { is_unique: true, is_indexed: true, comment: 'more' },
    meta: { note: 'new' },
  }),
  call('a required field of another type on a large table', 'PATCH', '/fields/large/code', {
    type: 'bigInteger',
    schema: { is_nullable: false, default_value: 5 },
    meta: { note: 'changed' },
  }),
  call('a type that not all of a value fits in', 'PATCH', '/fields/large/code', {
    type: 'boolean',
    meta: { note: 'yes or no' },
  }),
  call('a foreign key on a large table', 'POST', '/relations', {
    collection: 'large',
    field: 'maker',
    related_collection: 'makers',
    schema: { on_delete: 'SET NULL' },
    meta: { one_field: 'larges' },
  }),
  call('a field that a relation, a list, a template and permissions name', 'DELETE', '/fields/goods/maker'),
  call('several collections with fields', 'POST', '/collections', [
    { collection: 'first', schema: {}, meta: { note: 'one' }, fields: [{ field: 'a', type: 'json' }] },
    {
      collection: 'second',
      schema: { comment: 'two' },
      fields: [{ field: 'b', type: 'string', schema: { is_unique: true } }],
    },
  ]),
  call('a collection that others lead to', 'DELETE', '/collections/makers'),
  call('other actions of a foreign key', 'PATCH', '/relations/goods/maker', { schema: { on_delete: 'CASCADE' } }),
  call('a relation', 'DELETE', '/relations/goods/maker'),
  call('several fields at once', 'PATCH', '/fields/goods', [
    { field: 'name', meta: { note: 'x' }, schema: { default_value: 'n', is_nullable: false } },
    { field: 'place', type: 'string' },
  ]),
  call(
    'a call after a change that was cut short',
    'PATCH',
    '/collections/goods',
    { meta: { note: 'after' } },
    {
      postgres: `alter table large add column if not exists begun text;
      drop index if exists large_begun; create index large_begun on large (begun);
      alter table large drop constraint if exists begun_rule; alter table large add constraint begun_rule check (id > 0) not valid;
      delete from tain.service_schema_steps;
      insert into tain.service_schema_steps (kind, "schema", "table", name) values
        ('column', 'public', 'large', 'begun'), ('index', 'public', 'large', 'large_begun'), ('constraint', 'public', 'large', 'begun_rule')`,
      mysql: `alter table large add column if not exists begun text;
      delete from service_schema_steps;
      insert into service_schema_steps (kind, \`schema\`, \`table\`, name) values
        ('statement', database(), 'large', 'alter table if exists large drop column if exists begun'),
        ('statement', database(), 'large', 'alter table if exists large modify column if exists begun text')`,
    },
  ),
]
