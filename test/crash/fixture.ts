// A small database with every kind of relation, and helpers to compare and reset it.
import { connect, type TestConnection } from '../lib/databases.ts'
import { dataOf, send, startServer } from './server.ts'

const tables = (key = 'serial primary key') => `
  create table authors (id ${key}, name text not null);
  create table articles (id ${key}, title text not null, slug text unique, note text,
    author integer references authors on delete set null);
  create table comments (id ${key}, article integer references articles on delete cascade,
    body text, sort integer);
  create table tags (id ${key}, name text not null);
  create table articles_tags (id ${key}, articles_id integer references articles on delete cascade,
    tags_id integer references tags on delete cascade, sort integer);
  create table topics (id ${key}, name text not null);
  create table articles_topics (article_id integer references articles on delete cascade,
    topic_id integer references topics on delete cascade, primary key (article_id, topic_id));
  create table heroes (id ${key}, headline text);
  create table proses (id text primary key, content text);
  create table blocks (id ${key}, article integer references articles on delete cascade,
    collection text, item text, sort integer);`

const rows = `
  insert into authors (name) values ('Ada'), ('Jorge');
  insert into articles (title, slug, author) values ('Engines', 'engines', 1), ('Garden', 'garden', 2), ('Old', 'old', 2);
  insert into comments (article, body, sort) values (1, 'first', 1), (1, 'second', 2), (1, 'third', 3), (2, 'other', 1);
  insert into tags (name) values ('red'), ('green'), ('blue');
  insert into articles_tags (articles_id, tags_id, sort) values (1, 1, 1), (1, 2, 2), (3, 1, 1);
  insert into topics (name) values ('logic'), ('art');
  insert into articles_topics values (1, 1), (3, 2);
  insert into heroes (headline) values ('Hello'), ('Bye');
  insert into blocks (article, collection, item, sort) values (1, 'heroes', '1', 1), (1, 'heroes', '2', 2);`

const own = [
  'authors',
  'articles',
  'comments',
  'tags',
  'articles_tags',
  'topics',
  'articles_topics',
  'heroes',
  'proses',
  'blocks',
]
const names = [...own, 'tain.service_activity', 'tain.service_revisions', 'tain.service_idempotency']

/** Changes that somebody listens to, whether they have a position or still wait for it. */
const KEPT = 'tain.kept_changes'

const metadata = ['tain.service_collections', 'tain.service_fields', 'tain.service_relations', 'tain.service_version']

const alias = (field: string, special: string) => ({ field, type: 'alias', meta: { special: [special] }, schema: null })

async function relate(url: string, collection: string, field: string, related: string | null, meta: object) {
  const path = `/relations/${collection}/${field}`
  const body = { collection, field, related_collection: related, meta }
  const isKnown = (await send(url, 'GET', path)).status === 200
  dataOf(await (isKnown ? send(url, 'PATCH', path, body) : send(url, 'POST', '/relations', body)))
}

/** A user whose permissions all depend on the row. */
export const EDITOR_TOKEN = 'crash-editor-token'

async function registerEditor(url: string): Promise<void> {
  const some = { fields: ['*'], permissions: { id: { _gt: 0 } } }
  const permissions = ['articles', 'comments'].flatMap((collection) =>
    ['read', 'update', 'delete'].map((action) => ({ collection, action, ...some })),
  )
  const policies = [{ policy: { name: 'editor', permissions } }]
  dataOf(await send(url, 'POST', '/users', { email: 'editor@example.com', token: EDITOR_TOKEN, policies }))
}

async function register(url: string): Promise<void> {
  await registerEditor(url)
  const kinds = [
    ['authors', 'articles', 'o2m'],
    ['articles', 'comments', 'o2m'],
    ['articles', 'tags', 'm2m'],
    ['articles', 'blocks', 'm2a'],
  ] as const
  for (const [collection, field, special] of kinds)
    dataOf(await send(url, 'POST', `/fields/${collection}`, alias(field, special)))
  dataOf(await send(url, 'PATCH', '/collections/comments', { meta: { sort_field: 'sort' } }))
  await relate(url, 'articles', 'author', 'authors', { one_field: 'articles' })
  await relate(url, 'comments', 'article', 'articles', { one_field: 'comments', sort_field: 'sort' })
  const order = { sort_field: 'sort', one_deselect_action: 'delete' }
  await relate(url, 'articles_tags', 'articles_id', 'articles', {
    ...order,
    one_field: 'tags',
    junction_field: 'tags_id',
  })
  await relate(url, 'articles_tags', 'tags_id', 'tags', { junction_field: 'articles_id' })
  await relate(url, 'blocks', 'article', 'articles', { ...order, one_field: 'blocks', junction_field: 'item' })
  await relate(url, 'blocks', 'item', null, {
    one_collection_field: 'collection',
    one_allowed_collections: ['heroes', 'proses'],
    junction_field: 'article',
  })
}

/**
 * Creates tables, rows and metadata in an empty database. Stops its service gracefully, which keeps the compile cache.
 */
export async function prepare(databaseUrl: string): Promise<void> {
  await prepareWith(
    databaseUrl,
    tables(),
    `truncate tain.service_activity, tain.service_revisions restart identity;
    create view tain.kept_changes as select collection, item, kind, before, after from tain.service_outbox
      union all select collection, item, kind, before, after from tain.service_events`,
  )
}

/** The same, and somebody listens to two of the collections. */
export async function prepareHeard(databaseUrl: string): Promise<void> {
  await prepare(databaseUrl)
  const { query, close } = await connect(databaseUrl)
  await query(`insert into tain.service_event_interest values ('comments', 0, 'infinity'), ('articles', 0, 'infinity');
    update tain.service_version set version = version + 1`)
  await close()
}

/** The same for a SQLite file. */
export async function prepareFile(databaseUrl: string): Promise<void> {
  await prepareWith(
    databaseUrl,
    tables('integer primary key'),
    'delete from service_revisions; delete from service_activity',
  )
}

async function prepareWith(databaseUrl: string, definitions: string, forget: string): Promise<void> {
  const { query, close } = await connect(databaseUrl)
  await query(definitions)
  await query(rows)
  const server = await startServer({ DATABASE_URL: databaseUrl })
  await register(server.url)
  await server.stop()
  // The records of the preparation are not part of the comparison.
  await query(forget)
  await close()
}

/** Copies a database. No session may be connected to the original. */
export async function copyDatabase(url: string, from: string, name: string): Promise<string> {
  const { query, close } = await connect(url)
  await query(`create database ${name} template ${from}`)
  await close()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Restores the initial rows and sequences. */
export async function reset({ query }: Pick<TestConnection, 'query'>): Promise<void> {
  const deletes = [...names, 'tain.service_outbox', 'tain.service_events']
    .toReversed()
    .map((name) => `delete from ${name};`)
  // Uses delete, because truncate would count as a schema change.
  const counters = `select setval(s.oid::regclass, 1, false) from pg_class s
    join pg_namespace n on n.oid = s.relnamespace where s.relkind = 'S' and
    (n.nspname = 'public' or s.relname ~ '^service_(activity|revisions)');`
  await query(`begin; ${deletes.join(' ')} ${counters} ${rows} commit`)
}

/** Keys whose values differ between runs. */
const VOLATILE = ['timestamp', 'created', 'etag', 'user_agent', 'ip']

/** The whole content of the database as one string, without time-dependent values. */
export async function contentOf({ query }: Pick<TestConnection, 'query'>): Promise<string> {
  const drop = VOLATILE.map((name) => `- '${name}'`).join(' ')
  const parts = [...names, KEPT, ...metadata].map(
    (
      name,
    ) => `select '${name}' as name, coalesce(jsonb_agg(to_jsonb(t) ${drop} order by to_jsonb(t)::text), '[]') as rows
      from ${name} t`,
  )
  const [row] = await query(
    `select jsonb_pretty(jsonb_object_agg(name, rows)) from (${parts.join(' union all ')}) all_tables`,
  )
  return row?.[0] ?? ''
}

/** Waits until all service sessions have ended. Those of a killed service end when the database server notices. */
export async function untilAlone({ query }: Pick<TestConnection, 'query'>): Promise<void> {
  const others = `select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'tain' and pid <> pg_backend_pid()`
  while ((await query(others))[0]?.[0] !== '0') await new Promise((resolve) => setTimeout(resolve, 5))
}
