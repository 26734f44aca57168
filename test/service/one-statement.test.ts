import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster } from '../lib/postgres-cluster.ts'
import { connect, createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, openService, queryOf, type Answer, type Service } from '../lib/service.ts'
import { makePerson, makeRole, tokensOf } from './accounts.ts'
import { loadFixture, registerRelations, statementLog, type StatementLog } from './fixture.ts'

/** Disables background polling, so that every logged statement belongs to a request. */
const quiet = { SCHEMA_POLL_INTERVAL: '3600000' }

/** A relation from articles to the many-to-any, so that one read can cover everything. */
const landing = `
  alter table articles add column landing integer references pages (id);
  update articles set landing = 1 where id = 1`

let database: TestDatabase
let service: Service
let statements: StatementLog
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tain-statements-'))
  database = await createDatabase()
  await loadFixture(database)
  await database.query(landing)
  statements = statementLog(join(directory, 'statements'))
  service = await openService({ DATABASE_URL: database.url, TAIN_STATEMENT_LOG: statements.file, ...quiet })
  await registerRelations(service)
})

afterAll(async () => {
  await service.stop()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const everything = {
  fields: [
    'title',
    'author.name',
    'author.articles.title',
    'author.articles.comments.body',
    'author.articles.comments.article.category.name',
    'tags.tags_id.name',
    'landing.title',
    'landing.blocks.collection',
    'landing.blocks.item:blocks_hero.headline',
    'landing.blocks.item:blocks_text.heading',
    'landing.blocks.item:blocks_gallery.images',
    'best.author_name',
    'best.year(created)',
    'year(published)',
    'count(comments)',
    'json(details, sources[1])',
  ],
  alias: { best: 'comments' },
  deep: {
    best: {
      _filter: { approved: { _eq: true }, article: { author: { active: { _eq: true } } } },
      _sort: '-likes',
      _limit: 1,
    },
    author: {
      articles: {
        _filter: {
          _or: [{ tags: { tags_id: { name: { _eq: 'math' } } } }, { comments: { _none: { likes: { _gt: 0 } } } }],
        },
        _sort: ['-year(published)', 'title'],
        _limit: 2,
        comments: { _sort: '-likes', _limit: 1, _offset: 1 },
      },
    },
    tags: { _sort: '-tags_id.name' },
    landing: { blocks: { _filter: { collection: { _neq: 'none' } }, _sort: '-sort' } },
  },
}

const article = {
  title: 'Analytical engines',
  author: {
    name: 'Ada Byron',
    articles: [
      { title: 'Draft of drafts', comments: [] },
      { title: 'Number theory', comments: [] },
    ],
  },
  tags: [{ tags_id: { name: 'math' } }, { tags_id: { name: 'history' } }],
  landing: {
    title: 'Home',
    blocks: [
      { collection: 'blocks_gallery', item: { images: ['one.png', 'two.png'] } },
      { collection: 'blocks_text', item: { heading: 'Intro' } },
      { collection: 'blocks_hero', item: { headline: 'Welcome' } },
    ],
  },
  best: [{ author_name: 'Reader C', created_year: 2023 }],
  published_year: 2023,
  comments_count: 3,
  details_sources_1_json: 'b',
}

const relationalFilter = {
  _and: [
    { author: { articles: { _some: { status: { _eq: 'published' } } } } },
    { tags: { tags_id: { name: { _in: ['math', 'fiction'] } } } },
    { comments: { _none: { likes: { _gt: 100 } } } },
    { 'year(published)': { _gte: 2020 } },
  ],
}

const items = (collection: string, query: Readonly<Record<string, unknown>>) => `/items/${collection}?${queryOf(query)}`

async function statementsOf(ask: () => Promise<Answer>): Promise<{ data: unknown; texts: readonly string[] }> {
  await statements.take()
  const data = dataOf(await ask())
  return { data, texts: await statements.take() }
}

test('an item with four levels, every kind of relation, deep, alias and functions is one statement', async () => {
  const { data, texts } = await statementsOf(() => service.get(items('articles/1', everything)))
  expect(data).toEqual(article)
  expect(texts).toHaveLength(1)
})

test('a list with all of that and relational filters is one statement, and so is its SEARCH spelling', async () => {
  const query = { ...everything, filter: relationalFilter, sort: ['-author.name', 'count(comments)'], limit: 3 }
  const listed = await statementsOf(() => service.get(items('articles', query)))
  expect(listed.texts).toHaveLength(1)
  expect(listed.data).toHaveLength(3)
  const searched = await statementsOf(() => service.search('articles', query))
  expect(searched.texts).toHaveLength(1)
  expect(searched.data).toEqual(listed.data)
})

test('counts beside the items add at most two statements', async () => {
  const query = { ...everything, filter: relationalFilter, meta: 'total_count,filter_count' }
  await statements.take()
  const answer = await service.get(items('articles', query))
  expect((answer.body as { meta: unknown }).meta).toEqual({ total_count: 8, filter_count: 4 })
  expect((await statements.take()).length).toBeLessThanOrEqual(3)
})

test.each([
  ['a list', items('articles', { fields: '*.*' })],
  ['an item by its key', '/items/articles/1'],
  ['an item by a composite key', '/items/order_lines/1001,2'],
  ['a singleton', '/items/site'],
  ['an aggregate', items('articles', { aggregate: { count: '*', sum: 'score' }, groupBy: 'status,year(published)' })],
  ['an inferred many-to-many', items('students', { fields: 'name,courses.title' })],
  ['a search', items('articles', { search: 'paths' })],
])('%s is one statement', async (_, path) => {
  expect((await statementsOf(() => service.get(path))).texts).toHaveLength(1)
})

test('under an access token the login is looked at once a second, however many requests come', async () => {
  const person = await makePerson(database, { role: await makeRole(database) })
  const { access_token: token } = await tokensOf(service, person)
  const read = () => service.get('/items/tags', { token })
  await read()
  await statements.take()
  const began = performance.now()
  await Promise.all(Array.from({ length: 10 }, read))
  for (let turn = 0; turn < 40; turn += 1) await read()
  const seconds = (performance.now() - began) / 1000
  // Concurrent requests that arrive when the second expires each check the login themselves.
  expect((await statements.take()).length).toBeLessThanOrEqual(50 + 10 + Math.ceil(seconds))
  // Creating the user raised the permission version. This read pays for the reload before the next test starts.
  await service.get('/items/tags')
})

test('each page of a cursor is one statement', async () => {
  const first = items('articles', { sort: '-price', limit: 3, meta: 'cursor' })
  await statements.take()
  const { meta } = (await service.get(first)).body as { meta: { next_cursor: string } }
  expect(await statements.take()).toHaveLength(1)
  const next = items('articles', { sort: '-price', limit: 3, meta: 'cursor', cursor: meta.next_cursor })
  expect((await statementsOf(() => service.get(next))).texts).toHaveLength(1)
})

test('a second request of the same shape sends the same text, whatever its values are', async () => {
  const by = (name: string) => service.get(items('articles', { filter: { author: { name: { _eq: name } } } }))
  const first = await statementsOf(() => by('Ada Byron'))
  const second = await statementsOf(() => by("Robert'); drop table articles; --"))
  expect(second.texts).toEqual(first.texts)
})

const module = join(process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin', '../lib/pg_stat_statements.so')

// oxlint-disable-next-line vitest/no-conditional-tests -- an additional check where the module is installed
if (existsSync(module)) {
  test('the database itself counts one statement too', async () => {
    const cluster = await startCluster({ shared_preload_libraries: 'pg_stat_statements' })
    const { query, close } = await connect(cluster.url)
    try {
      await loadFixture({ dialect: 'postgres', url: cluster.url })
      await query(`${landing}; create extension pg_stat_statements`)
      const counted = await openService({ DATABASE_URL: cluster.url, ...quiet })
      await registerRelations(counted)
      await query('select pg_stat_statements_reset()')
      expect(dataOf(await counted.get(items('articles/1', everything)))).toEqual(article)
      const sent = await query(
        "select query, calls from pg_stat_statements where query not like '%pg_stat_statements%'",
      )
      await counted.stop()
      expect(sent.map(([, calls]) => calls)).toEqual(['1'])
    } finally {
      await close()
      await cluster.destroy()
    }
  })
}
