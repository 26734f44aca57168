import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { scrape } from '../lib/metrics-text.ts'
import { codeOf, dataOf, openService, runService, until, type Service } from '../lib/service.ts'

const ROWS = 3000
const READER = 'token-of-a-reader-with-a-limit'
const DEAR = '/items/notes?limit=-1&filter[body][_contains]=canary-value'
const CHEAP = '/items/notes/7'

/** PostgreSQL counts in units of its planner, MariaDB in rows; a scan of the table is far above both. */
const LIMIT = '40'

const dialects = ['postgres', 'mysql'] as const

describe.each(dialects)('the cost of plans on %s', (dialect) => {
  let database: TestDatabase
  let port = 0
  let reporting: Service
  let refusing: Service
  /** Refuses too, but the policy of the reader has a limit of its own. */
  let generous: Service

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await database.query('create table notes (id integer primary key, body varchar(40))')
    const rows = Array.from({ length: ROWS }, (_, at) => `(${at}, 'note ${at}')`)
    await database.query(`insert into notes values ${rows.join(', ')}`)
    await database.query(dialect === 'mysql' ? 'analyze table notes' : 'analyze notes')
    port = await freePort()
    const settings = { DATABASE_URL: database.url, QUERY_COST_LIMIT: LIMIT }
    reporting = await openService({ ...settings, METRICS_PORT: String(port) })
    const permissions = [{ collection: 'notes', action: 'read', fields: ['*'] }]
    const { id } = dataOf(await reporting.send('POST', '/policies', { name: 'readers', permissions })) as { id: string }
    const user = { email: 'reader@example.com', token: READER, policies: [{ policy: id }] }
    dataOf(await reporting.send('POST', '/users', user))
    refusing = await openService({ ...settings, QUERY_COST_MODE: 'refuse' })
    const limits = { QUERY_COST_LIMITS: `${id}=1000000`, QUERY_COST_MODE: 'refuse' }
    generous = await openService({ ...settings, ...limits })
  })

  afterAll(async () => {
    await Promise.all([reporting, refusing, generous].map((each) => each.stop()))
    await database.drop()
  })

  const reported = (service: Service, msg: string) => service.lines().filter((line) => line.msg === msg)

  test('is reported once for a statement, and every read above the limit is counted', async () => {
    const lines = () => reported(reporting, 'statement above the cost limit')
    dataOf(await reporting.get(DEAR, { token: READER }))
    await until(() => lines().length > 0, 10, 'the statement is reported')
    for (let times = 0; times < 3; times += 1) dataOf(await reporting.get(DEAR, { token: READER }))
    dataOf(await reporting.get(CHEAP, { token: READER }))
    expect(lines()).toHaveLength(1)
    expect(lines()[0]).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/u), limit: Number(LIMIT) })
    expect(lines()[0]?.['cost']).toBeGreaterThan(Number(LIMIT))
    expect(JSON.stringify(lines())).not.toContain('canary-value')
    expect((await scrape(port)).sum('tain_events_total', { kind: 'statement-costly' })).toBe(4)
  })

  test('is a reason to refuse, with what to do', async () => {
    const answer = await refusing.get(DEAR, { token: READER })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_QUERY'])
    expect(answer.text).toContain('Add a filter or a smaller limit')
    expect(answer.text).not.toMatch(/\d{4}/u)
    dataOf(await refusing.get(CHEAP, { token: READER }))
    dataOf(await refusing.get('/items/notes?filter[id][_eq]=5', { token: READER }))
    await until(() => reported(refusing, 'statement refused for its cost').length === 1, 10, 'the refusal is logged')
  })

  test('counts in exports and in GraphQL, too', async () => {
    const body = { query: '{ notes(limit: -1, filter: { body: { _contains: "canary-value" } }) { id body } }' }
    const graphql = await refusing.send('POST', '/graphql', body, { token: READER })
    expect(graphql.text).toContain('INVALID_QUERY')
    const exported = await refusing.get('/items/notes?limit=-1&export=csv', { token: READER })
    expect([exported.status, codeOf(exported)]).toEqual([400, 'INVALID_QUERY'])
  })

  test('may be higher for holders of a policy', async () => {
    expect((await generous.get(DEAR, { token: READER })).status).toBe(200)
  })

  test('is no concern of administrators', async () => {
    expect((await refusing.get(DEAR)).status).toBe(200)
  })
})

test('a limit of costs is refused at the start on SQLite, whose plans have none', async () => {
  const database = await createDatabase('sqlite')
  try {
    const { code, output } = await runService({ DATABASE_URL: database.url, QUERY_COST_LIMIT: LIMIT })
    expect(code).not.toBe(0)
    expect(output).toContain('QUERY_COST_LIMIT is set, but the plans of SQLite tell no costs')
  } finally {
    await database.drop()
  }
})
