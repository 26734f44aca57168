import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { startOtlpSink, type OtlpSink, type ReceivedSpan } from '../lib/otlp.ts'
import { dataOf, startService, until, type Service } from '../lib/service.ts'

const CANARY = `canary${randomUUID().replaceAll('-', '')}`
const SDK = new URL('../lib/tracing-sdk.ts', import.meta.url).href
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3]

describe.each(testDialects)('spans of a service on %s', (dialect) => {
  let database: TestDatabase
  let sink: OtlpSink
  let service: Service
  let folder: string
  let statements: string

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await database.query(`
      create table notes (id integer primary key, body varchar(100));
      insert into notes values (1, '${CANARY}')`)
    sink = await startOtlpSink()
    folder = await mkdtemp(join(tmpdir(), 'tain-tracing-'))
    statements = join(folder, 'statements')
    service = await startService({
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import ${SDK}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      TRACE_SQL_COMMENTS: 'true',
      TAIN_STATEMENT_LOG: statements,
    })
  })

  afterAll(async () => {
    await service.stop()
    sink.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** The spans of a trace when its request is over. */
  async function traceOf(traceId: string): Promise<readonly ReceivedSpan[]> {
    const found = () => sink.spans().filter((span) => span.traceId === traceId)
    await until(() => found().some(({ kind }) => kind === SERVER), 20, 'the span of the request arrives')
    return found()
  }

  const begin = () => {
    const [traceId, parent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
    return { traceId, parent, headers: { traceparent: `00-${traceId}-${parent}-01` } }
  }

  test('a read is a span with its stages, below the trace of the caller', async () => {
    const { traceId, parent, headers } = begin()
    dataOf(await service.get(`/items/notes?filter[body][_eq]=${CANARY}`, { headers }))
    const spans = await traceOf(traceId)
    const request = spans.find(({ kind }) => kind === SERVER)
    expect(request).toMatchObject({
      name: 'GET /items/:collection',
      parentSpanId: parent,
      attributes: { 'http.request.method': 'GET', 'http.route': '/items/:collection' },
    })
    expect(Number(request?.attributes['http.response.status_code'])).toBe(200)
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
    const named = (name: string, kind: number | undefined) =>
      expect(stages).toContainEqual(expect.objectContaining({ name, kind }))
    named('authenticate', INTERNAL)
    named('plan', INTERNAL)
    named('query', CLIENT)
    const texts = stages.map(({ attributes }) => attributes['db.query.text'])
    expect(texts).toContainEqual(expect.stringContaining('notes'))
  })

  test('a write has a commit, and its statements tell the trace in a comment', async () => {
    const { traceId, headers } = begin()
    dataOf(await service.send('PATCH', '/items/notes/1', { body: `${CANARY}2` }, { headers }))
    const names = (await traceOf(traceId)).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['PATCH /items/:collection/:key', 'query', 'commit']))
    const sent = readFileSync(statements, 'utf8').split('\n')
    const updates = sent.filter((line) => /update\b.*notes/u.test(line))
    expect(updates).toContainEqual(expect.stringContaining(`/*traceparent='00-${traceId}-`))
  })

  test('a failure marks its spans, and no value is in any of them', async () => {
    const { traceId, headers } = begin()
    await service.send('POST', '/items/notes', { id: 1, body: CANARY }, { headers })
    const spans = await traceOf(traceId)
    const failed = spans.filter(({ status }) => status.code === 2)
    expect(failed.map(({ name }) => name)).toContain('query')
    expect(sink.text()).not.toContain('canary')
  })
})

test('without an SDK, a traceparent means nothing', async () => {
  const database = await createDatabase('sqlite')
  const service = await startService({ DATABASE_URL: database.url, TRACE_SQL_COMMENTS: 'true' })
  const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
  expect((await service.get('/users/me', { headers })).status).toBe(200)
  await service.stop()
  await database.drop()
})
