import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, openService, type Answer, type Service } from '../lib/service.ts'
import { loadFixture, registerRelations, statementLog, type StatementLog } from './fixture.ts'

let database: TestDatabase
let service: Service
let statements: StatementLog
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tain-write-statements-'))
  database = await createDatabase()
  await loadFixture(database)
  statements = statementLog(join(directory, 'statements'))
  // Disables background polling, so that every logged statement belongs to a request.
  const quiet = { SCHEMA_POLL_INTERVAL: '3600000' }
  service = await openService({ DATABASE_URL: database.url, TAIN_STATEMENT_LOG: statements.file, ...quiet })
  await registerRelations(service)
})

afterAll(async () => {
  await service.stop()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

/** Counts the statements between BEGIN and COMMIT, or the single statement that is its own transaction. */
async function statementsOf(send: () => Promise<Answer>): Promise<{ answer: Answer; count: number }> {
  await statements.take()
  const answer = await send()
  const texts = (await statements.take()).filter((text) => text !== 'begin' && text !== 'commit')
  return { answer, count: texts.length }
}

const nested = {
  title: 'Counted',
  author: { name: 'New author' },
  comments: [1, 2, 3].map((n) => ({ body: `comment ${n}` })),
  tags: [{ tags_id: 1 }, { tags_id: 2 }],
}

test('creating one m2o, three o2m and two m2m with activity and revisions takes at most 8 statements', async () => {
  const { answer, count } = await statementsOf(() => service.send('POST', '/items/articles', nested))
  expect(dataOf(answer)).toMatchObject({ title: 'Counted' })
  expect(count).toBeLessThanOrEqual(8)
})

test('the same create takes one statement when the answer is the row itself', async () => {
  const { answer, count } = await statementsOf(() => service.send('POST', '/items/articles?fields=id,title', nested))
  expect(dataOf(answer)).toMatchObject({ title: 'Counted' })
  expect(count).toBe(1)
})

test('creating 1,000 flat rows takes at most 4 statements', async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => ({ author_name: 'Crowd', body: `row ${n}`, likes: n }))
  const { answer, count } = await statementsOf(() => service.send('POST', '/items/comments', rows))
  expect(dataOf(answer)).toHaveLength(1000)
  expect(count).toBeLessThanOrEqual(4)
})

test('updating 1,000 rows by query takes at most 5 statements', async () => {
  const body = { query: { filter: { author_name: { _eq: 'Crowd' } } }, data: { approved: true } }
  const { answer, count } = await statementsOf(() => service.send('PATCH', '/items/comments', body))
  expect(dataOf(answer)).toHaveLength(1000)
  expect(count).toBeLessThanOrEqual(5)
})

test('500 creates, 500 updates and 500 deletes in one detailed payload take at most 12 statements', async () => {
  const [first] = await database.query("select min(id) from comments where author_name = 'Crowd'")
  const from = Number(first?.[0])
  const keys = (start: number) => Array.from({ length: 500 }, (_, n) => from + start + n)
  await database.query("update comments set article = 4 where author_name = 'Crowd'")
  const comments = {
    create: Array.from({ length: 500 }, (_, n) => ({ body: `new ${n}` })),
    update: keys(0).map((id) => ({ id, likes: 7 })),
    delete: keys(500),
  }
  const { answer, count } = await statementsOf(() => service.send('PATCH', '/items/articles/4?fields=id', { comments }))
  expect(dataOf(answer)).toEqual({ id: 4 })
  expect(await database.query('select count(*) from comments where article = 4')).toEqual([['1000']])
  expect(count).toBeLessThanOrEqual(12)
})
