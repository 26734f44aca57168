import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, dataOf, openService, until, type LogLine } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const CANARY = `canary${randomUUID().replaceAll('-', '')}`

/** A view whose rows cannot be computed. The database repeats the value in its message. */
const broken: Readonly<Record<TestDialect, { readonly view: string; readonly status: number }>> = {
  postgres: { view: 'create view broken as select id, pg_read_file(body) as n from notes', status: 500 },
  mysql: {
    view: `create view broken as select id, x as n from notes, json_table(body, '$[*]' columns (x int path '$')) t`,
    status: 400,
  },
  sqlite: { view: `create view broken as select id, json_extract('{}', body) as n from notes`, status: 500 },
}

describe.each(testDialects)('what a service on %s tells', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query(`
      create table notes (id integer primary key, body varchar(100), n integer);
      insert into notes values (1, '${CANARY}', 1), (2, 'two', 2)`)
      await database.query(broken[dialect].view)
    },
    environment: { LOG_LEVEL: 'trace', SLOW_QUERY_MS: '0', SERVER_TIMING: 'true' },
  })

  const linesOf = (requestId: string, msg: string): readonly LogLine[] =>
    service.lines().filter((line) => line['requestId'] === requestId && line.msg === msg)

  test('slow statements are logged with their request, without values', async () => {
    const requestId = randomUUID()
    const headers = { 'x-request-id': requestId }
    dataOf(await service.get(`/items/notes?filter[body][_eq]=${CANARY}`, { headers }))
    const found = () => linesOf(requestId, 'slow statement').find((line) => String(line['statement']).includes('notes'))
    await until(() => found() !== undefined, 10, 'the line is written')
    expect(found()?.['milliseconds']).toBeTypeOf('number')
  })

  test('a write logs its statements and its commit, with the id of the request after its body', async () => {
    const requestId = randomUUID()
    await service.send('PATCH', '/items/notes/2', { body: CANARY }, { headers: { 'x-request-id': requestId } })
    const texts = () => linesOf(requestId, 'slow statement').map((line) => String(line['statement']))
    await until(() => linesOf(requestId, 'request').length === 1, 10, 'the lines are written')
    expect(texts()).toContainEqual(expect.stringMatching(/update\b.*notes/su))
  })

  test('no value reaches the log, whatever fails', async () => {
    const requestId = randomUUID()
    const headers = { 'x-request-id': requestId }
    const answers = [
      await service.search('broken', { filter: { _or: [{ id: { _gt: 0 } }, { n: { _null: true } }] } }, { headers }),
      await service.get(`/items/notes?filter[n][_eq]=${CANARY}`, { headers }),
      await service.send('POST', '/items/notes', { id: 1, body: CANARY }, { headers }),
      await service.send('POST', '/items/notes', { id: 9, body: CANARY.repeat(9) }, { headers }),
      await service.send('POST', '/items/notes', { id: CANARY }, { headers }),
      await service.send('POST', '/graphql', { query: `{ broken { n } }` }, { headers }),
      await service.get(`/items/notes/1?access_token=${CANARY}`, { token: null, headers }),
    ]
    const { status } = broken[dialect]
    expect(answers[0]?.status).toBe(status)
    await until(() => linesOf(requestId, 'request').length === answers.length, 10, 'all requests are logged')
    const failures = ['request failed', 'a root field failed'].flatMap((msg) => linesOf(requestId, msg))
    const failure = { error: { type: 'DatabaseError', message: expect.stringContaining('…') as string } }
    expect(failures).toMatchObject(status === 500 ? [failure, failure] : [])
    expect(service.log()).not.toContain('canary')
  })

  test('Server-Timing tells the stages', async () => {
    const header = (await service.get('/items/notes/1')).headers.get('server-timing') ?? ''
    const found = Object.fromEntries(
      [...header.matchAll(/(\w+);dur=([\d.]+)/gu)].map(([, name = '', time = '']) => [name, Number(time)]),
    )
    expect(Object.keys(found)).toEqual(['auth', 'plan', 'db', 'total'])
    expect(found['db']).toBeGreaterThan(0)
    expect(found['total']).toBeGreaterThanOrEqual(found['db'] ?? Infinity)
  })

  const prefer = { prefer: 'explain' }

  test('an administrator gets the plan of a read, and no rows', async () => {
    const asked = [
      await service.get(`/items/notes?filter[body][_eq]=${CANARY}`, { headers: prefer }),
      await service.get('/items/notes/1', { headers: prefer }),
      await service.search('notes', { sort: '-n', limit: 1 }, { headers: prefer }),
      await service.get('/items/notes?aggregate[count]=*', { headers: prefer }),
      await service.get('/users', { headers: prefer }),
    ]
    for (const answer of asked) {
      expect(answer.headers.get('preference-applied')).toBe('explain')
      const { sql, plan, ...rest } = dataOf(answer) as { sql: string; plan: object }
      expect(rest).toEqual({})
      expect(sql).toMatch(/select/u)
      expect(sql).not.toContain(CANARY)
      expect(JSON.stringify(plan)).toMatch(/\bt1\b/u)
    }
  })

  test('an administrator gets the plans of the reads of a GraphQL query, and no rows', async () => {
    const query = `query ($body: String) {
      some: notes(filter: { body: { _eq: $body } }) { id }
      notes_by_id(id: 1) { body }
      notes_aggregated { countAll }
    }`
    const calls = [
      await service.send('POST', '/graphql', { query, variables: { body: CANARY } }, { headers: prefer }),
      await service.get('/graphql?query={notes_by_id(id:1){id}}', { headers: prefer }),
      await service.send('POST', '/graphql/system', { query: '{ users { id } }' }, { headers: prefer }),
    ]
    const keys = calls.map(({ status, headers, body }) => {
      const { data, extensions } = body as { data: unknown; extensions: { explain: Record<string, { sql: string }> } }
      expect([status, headers.get('preference-applied'), data]).toEqual([200, 'explain', null])
      for (const { sql } of Object.values(extensions.explain)) {
        expect(sql).toMatch(/select/u)
        expect(sql).not.toContain(CANARY)
      }
      return Object.keys(extensions.explain)
    })
    expect(keys).toEqual([['some', 'notes_by_id', 'notes_aggregated'], ['notes_by_id'], ['users']])
  })

  test('what is no read of items has no plan in GraphQL, and is not run', async () => {
    const asked = [
      ['/graphql', 'mutation { delete_notes_item(id: 2) { id } }'],
      ['/graphql', '{ __schema { queryType { name } } }'],
      ['/graphql/system', '{ server_ping }'],
    ] as const
    for (const [path, query] of asked) {
      const answer = await service.send('POST', path, { query }, { headers: prefer })
      expect([answer.status, codeOf(answer), answer.headers.get('preference-applied')]).toEqual([
        400,
        'INVALID_QUERY',
        null,
      ])
    }
    dataOf(await service.get('/items/notes/2'))
  })

  test('nobody else learns anything from it', async () => {
    const token = `reader-${randomUUID()}`
    const make = async (path: string, body: object) =>
      (dataOf(await service.send('POST', path, body)) as { readonly id: string }).id
    const policy = await make('/policies', { name: 'reader' })
    await make('/permissions', { policy, collection: 'notes', action: 'read', fields: ['*'] })
    const user = await make('/users', { email: `${token}@example.com`, token })
    await make('/access', { policy, user })
    dataOf(await service.get('/items/notes/1', { token }))
    for (const path of ['/items/notes', '/items/notes/1', '/items/nowhere', '/items/broken']) {
      for (const caller of [token, null]) {
        const answer = await service.get(path, { token: caller, headers: prefer })
        expect([answer.status, codeOf(answer), answer.headers.get('preference-applied')]).toEqual([
          403,
          'FORBIDDEN',
          null,
        ])
      }
    }
    for (const query of ['{ notes { id } }', '{ nowhere { id } }', 'mutation { delete_notes_item(id: 1) { id } }']) {
      for (const caller of [token, null]) {
        const answer = await service.send('POST', '/graphql', { query }, { token: caller, headers: prefer })
        expect([answer.status, codeOf(answer), answer.headers.get('preference-applied')]).toEqual([
          403,
          'FORBIDDEN',
          null,
        ])
      }
    }
  })
})

test('without these settings, lines about failures and writes have the id of their request', async () => {
  const database = await createDatabase('sqlite')
  await database.query(`create table notes (id integer primary key); insert into notes values (1)`)
  await database.query(`create view broken as select id, json_extract('{}', 'x') as n from notes`)
  const service = await openService({ DATABASE_URL: database.url })
  const headers = { 'x-request-id': randomUUID() }
  const answer = await service.get('/items/broken', { headers })
  expect([answer.status, answer.headers.get('server-timing')]).toEqual([500, null])
  await service.send('POST', '/graphql', { query: '{ broken { n } }' }, { headers })
  await service.send('POST', '/collections', { collection: 'more', schema: {}, fields: [] }, { headers })
  const named = () =>
    service.lines().flatMap((line) => (line['requestId'] === headers['x-request-id'] ? [line.msg] : []))
  await until(() => named().filter((msg) => msg === 'request').length === 3, 10, 'the requests are logged')
  expect(named()).toEqual(expect.arrayContaining(['request failed', 'a root field failed', 'schema changed']))
  await service.stop()
  await database.drop()
})
