import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, openService, queryOf, type Answer, type Service } from '../lib/service.ts'
import { readEverything } from './catalogue.ts'
import { loadFixture, registerRelations, statementLog, type StatementLog } from './fixture.ts'

/** Objects that the fixture lacks and that a careless service would modify. */
const more = `
  create function touch() returns trigger language plpgsql as 'begin new.body := upper(new.body); return new; end';
  create trigger touch before insert or update on articles for each row execute function touch();
  comment on table articles is 'what is read';
  grant select on tags to public;
  alter table accounts enable row level security;
  create policy everybody on accounts using (true);
  create table "warehouse.bins" (id integer primary key, note text);
  create view "a view, with (signs)" as select 1 as "a.b", 2 as "c d";
`

interface FieldObject {
  readonly collection: string
  readonly field: string
  readonly schema?: { readonly is_primary_key: boolean }
}

interface CollectionObject {
  readonly collection: string
  readonly schema: { readonly schema: string; readonly name: string }
}

let database: TestDatabase
let service: Service
let statements: StatementLog
let directory: string
let before: Awaited<ReturnType<typeof readEverything>>
const answers: { readonly path: string; readonly answer: Answer }[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tain-untouched-'))
  database = await createDatabase()
  await loadFixture(database)
  await database.query(more)
  before = await readEverything(database)
  statements = statementLog(join(directory, 'statements'))
  service = await openService({ DATABASE_URL: database.url, TAIN_STATEMENT_LOG: statements.file })
  await registerRelations(service)
  await readAll()
})

afterAll(async () => {
  await service.stop()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const escapeName = (name: string) => name.replace(/[\\.,:()\- ]/gu, '\\$&')

/** All collections except the service's own. */
async function usersCollections() {
  const all = dataOf(await service.get('/collections')) as CollectionObject[]
  return all.filter(({ schema }) => schema.schema !== 'tain')
}

/** Reads every collection, field and path in every protocol, and sends requests that are refused. */
async function readAll(): Promise<void> {
  const collections = (await usersCollections()).map(({ collection }) => collection)
  const fields = dataOf(await service.get('/fields')) as FieldObject[]
  const paths = [
    '/relations',
    '/server/info',
    '/server/health',
    '/server/ready',
    ...collections.flatMap((name) => collectionPaths(name, fields)),
    ...refusedPaths,
  ]
  await Promise.all(Array.from({ length: 4 }, () => work(paths)))
  for (const name of collections) {
    answers.push({ path: `SEARCH ${name}`, answer: await service.search(name, { meta: '*', limit: 2 }) })
    answers.push({ path: `public ${name}`, answer: await service.get(address(name), { token: null }) })
  }
}

async function work(paths: string[]): Promise<void> {
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    answers.push({ path, answer: await service.get(path) })
  }
}

const address = (collection: string, query: Readonly<Record<string, unknown>> = {}) =>
  `/items/${encodeURIComponent(collection)}?${queryOf(query)}`

function collectionPaths(name: string, all: readonly FieldObject[]): string[] {
  const fields = all.filter(({ collection }) => collection === name)
  const queries = [
    {},
    { fields: '*.*' },
    { fields: '*.*.*' },
    { meta: '*' },
    { search: 'a' },
    { limit: 1, page: 2 },
    ...['csv', 'csv_utf8', 'json', 'xml', 'yaml'].map((format) => ({ export: format })),
    { aggregate: { count: '*' } },
    ...fields.flatMap(({ field }) => [
      { fields: escapeName(field) },
      { filter: { [field]: { _nnull: true } } },
      { filter: { [field]: { _null: true } }, sort: escapeName(field) },
      { aggregate: { count: '*' }, groupBy: escapeName(field) },
    ]),
  ]
  const encoded = encodeURIComponent(name)
  return [
    ...queries.map((query) => address(name, query)),
    ...fields.map(({ field }) => `/fields/${encoded}/${encodeURIComponent(field)}`),
    `/fields/${encoded}`,
    `/collections/${encoded}`,
    `/relations/${encoded}`,
    `/items/${encoded}/1`,
  ]
}

const refusedPaths = [
  address('no such table'),
  address('pg_class'),
  address('tain.service_fields'),
  address('articles', { fields: 'no_such_field' }),
  address('articles', { filter: { author: { nothing: { _eq: 1 } } } }),
  address('articles', { sort: 'nothing' }),
  address('articles', { limits: 3 }),
  '/items/articles/4711',
  '/items/articles/1,2',
  '/items/order_lines/1001',
  "/items/articles/1'--",
  '/nowhere',
]

test('a full read run leaves the catalogue and every row of the user as they were', async () => {
  const after = await readEverything(database)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  for (const [place, rows] of Object.entries(before)) expect({ [place]: after[place] }).toEqual({ [place]: rows })
  expect(before['articles']).toHaveLength(8)
  expect(before['pg_trigger']).not.toEqual([])
})

test('the run has read every field and no answer was a failure of the service', () => {
  expect(answers.filter(({ answer }) => answer.status >= 500).map(({ path, answer }) => [path, answer.text])).toEqual(
    [],
  )
  const plain = answers.filter(({ path }) => /\?(fields=[^*]*|export=\w+|)$/u.test(path))
  const isRefused = (path: string) => refusedPaths.includes(path)
  expect(plain.filter(({ path, answer }) => answer.status !== 200 && !isRefused(path)).map(({ path }) => path)).toEqual(
    [],
  )
  expect(plain.length).toBeGreaterThan(200)
})

test('the page about the database names exactly the tables that are made, and nothing else is made', async () => {
  const page = await readFile(new URL('../../docs/database.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('## Tables of the service'), page.indexOf('`service_activity` and'))
  const named = [...section.matchAll(/`(service_\w+)`/gu)].map(([, name]) => name)
  const made = await database.query(
    `select relname from pg_class where relnamespace = 'tain'::regnamespace and relkind = 'r'`,
  )
  expect(new Set(named)).toEqual(new Set(made.map(([name]) => name)))
  const others = await database.query(
    `select relname from pg_class where relnamespace = 'tain'::regnamespace and relkind not in ('r', 'i', 'S')
     union all select pubname from pg_publication
     union all select slot_name from pg_replication_slots where database = current_database()`,
  )
  expect(others).toEqual([])
})

test('what does not exist, and everything for the public, is refused', () => {
  const statusOf = (path: string) => answers.find((entry) => entry.path === path)?.answer.status
  expect(refusedPaths.map((path) => [path, statusOf(path)])).toEqual(
    refusedPaths.map((path) => [path, path === '/nowhere' ? 404 : path.includes('limits') ? 400 : 403]),
  )
  const open = answers.filter(({ path }) => path.startsWith('public ')).map(({ answer }) => answer.status)
  expect(new Set(open)).toEqual(new Set([403]))
})

test('every table and view is a collection or in the log as not served, with its reason', async () => {
  const rows = await database.query(
    `select nspname, relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where nspname in ('public', 'warehouse') and relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition
     order by 1, 2`,
  )
  const collections = await usersCollections()
  const served = collections.map(({ schema }) => `${schema.schema} / ${schema.name}`)
  const hidden = service.lines().filter(({ msg, column }) => msg === 'not served' && column === null)
  for (const line of hidden) expect(line['reason']).toMatch(/\w{3}/u)
  const told = hidden.map(({ schema, table }) => `${String(schema)} / ${String(table)}`)
  expect([...served, ...told].sort()).toEqual(rows.map(([schema, name]) => `${schema} / ${name}`).sort())
  // Two tables map to the same name: the table with the dot in its own name wins, the other is reported.
  expect(told).toEqual(['warehouse / bins'])
})

test('no statement writes outside the schema of the service', async () => {
  const sent = [...new Set(await statements.take())]
  const writing = sent.filter(writes)
  expect(writing.length).toBeGreaterThan(5)
  expect(writing.filter((text) => !namesOnly('tain', text))).toEqual([])
  const other = sent.filter((text) => !writes(text)).map((text) => /^\W*(\w+)/u.exec(text)?.[1]?.toLowerCase())
  const reading = new Set(['select', 'with', 'declare', 'fetch', 'begin', 'commit', 'rollback', 'set'])
  expect(other.filter((verb) => !reading.has(verb ?? ''))).toEqual([])
})

const withoutLiterals = (text: string) => text.replace(/'(?:[^']|'')*'/gu, "''")
const withoutNames = (text: string) => withoutLiterals(text).replace(/"(?:[^"]|"")*"/gu, '""')

const writes = (text: string) =>
  /\b(insert|update|delete|merge|create|alter|drop|truncate|grant|revoke|comment|lock|copy|call|do|analyze|vacuum)\b/iu.test(
    withoutNames(text),
  )

/** Whether every target of a writing statement, and every qualified name, belongs to that schema. */
function namesOnly(schema: string, text: string): boolean {
  // `rows from (…)` reads functions, which only return rows of bound parameters.
  const plain = withoutLiterals(text).replace(/\brows from \(/gu, '(')
  const aliases = new Set([...plain.matchAll(/\bas\s+"?(\w+)"?/giu)].map(([, name]) => `"${name}"`))
  const targets = [
    ...plain.matchAll(/\b(?:insert into|delete from|create schema if not exists|create table|analyze)\s+("?\w+"?)/giu),
    // Set-returning functions are skipped: they only return rows of bound parameters.
    ...plain.matchAll(/\bfrom\s+("?\w+"?)(?![\w"]|\s*\()/giu),
    ...plain.matchAll(/^\s*update\s+("?\w+"?)/giu),
    ...[...plain.matchAll(/("(?:[^"]|"")+")\."/gu)].filter(([, name = '']) => !aliases.has(name)),
  ].map(([, name]) => name)
  return targets.length > 0 && targets.every((name) => name === `"${schema}"`)
}
