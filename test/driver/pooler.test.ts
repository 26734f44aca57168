import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { startPgbouncer, type Pooler } from '../lib/pgbouncer.ts'
import { connect } from '../lib/databases.ts'
import { dataOf, runService, startService } from '../lib/service.ts'
import { startReceiver } from '../webhooks/receiver.ts'

let cluster: Cluster
let pooler: Pooler

beforeAll(async () => {
  cluster = await startCluster()
  pooler = await startPgbouncer(cluster.port, 'postgres', 'transaction')
})

afterAll(async () => {
  await pooler?.stop()
  await cluster?.destroy()
})

test('a pooler that takes no settings ends the start with what to set', async () => {
  const { code, output } = await runService({ DATABASE_URL: pooler.url })
  expect(code).not.toBe(0)
  expect(output).toContain('such as PgBouncer. Set DB_PREPARED_STATEMENTS=0.')
  expect(output).not.toContain('    at ')
})

test('with what was asked for, the service works through it', async () => {
  const service = await startService({ DATABASE_URL: pooler.url, DB_PREPARED_STATEMENTS: '0' })
  expect((await service.get('/server/ready')).status).toBe(200)
  await service.stop()
})

test('statements that are sent again and again work on every server connection: sessions, permissions, deliveries', async () => {
  const receiver = await startReceiver()
  const service = await startService({
    DATABASE_URL: pooler.url,
    DB_PREPARED_STATEMENTS: '0',
    WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1/32',
  })
  try {
    const send = async (method: string, path: string, body: unknown) => dataOf(await service.send(method, path, body))
    const key = { field: 'id', type: 'integer', schema: { is_primary_key: true } }
    await send('POST', '/collections', { collection: 'notes', schema: {}, fields: [key] })
    const policy = (await send('POST', '/policies', {
      name: 'reads',
      permissions: [{ collection: 'notes', action: 'read', fields: ['*'] }],
    })) as { id: string }
    const [email, password] = ['ada@example.com', 'the password of ada']
    await send('POST', '/users', { email, password, policies: [{ policy: policy.id }] })
    await send('POST', '/webhooks', { name: 'all', url: receiver.url, collections: ['notes'] })
    const session = await service.send('POST', '/auth/login', { email, password, mode: 'session' }, { token: null })
    const cookie = session.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    for (let round = 0; round < 5; round += 1) {
      const reads = Array.from({ length: 20 }, () => service.get('/items/notes', { token: null, headers: { cookie } }))
      const write = service.send('POST', '/items/notes', { id: round })
      expect((await Promise.all([...reads, write])).filter(({ status }) => status !== 200)).toEqual([])
    }
    await receiver.until(5)
    expect(service.lines().filter(({ level }) => level >= 50)).toEqual([])
  } finally {
    await service.stop()
    await receiver.close()
  }
})

test('intervals are ISO 8601 whatever the server connection prints', async () => {
  const spans = [
    '1 year 2 mons 3 days 04:05:06.789',
    '-1 days +00:00:00.5',
    '00:00:00',
    '-13 mons',
    '100 hours',
    '-00:00:01',
  ]
  const direct = await connect(cluster.url)
  const values = spans.map((span, at) => `(${at}, '${span}')`).join(', ')
  await direct.query(`create table spans (id integer primary key, span interval); insert into spans values ${values}`)
  const [...printed] = await direct.query(`set intervalstyle = 'iso_8601'; select span::text from spans order by id`)
  const service = await startService({ DATABASE_URL: pooler.url, DB_PREPARED_STATEMENTS: '0' })
  // Another program of the pooler leaves its setting on every server connection.
  const others = await Promise.all(Array.from({ length: 5 }, () => connect(pooler.url)))
  await Promise.all(
    others.map((each) => each.query(`begin; set intervalstyle = 'sql_standard'; select pg_sleep(0.5); commit`)),
  )
  const found = (dataOf(await service.get('/items/spans?sort=id')) as { span: string }[]).map(({ span }) => span)
  expect(found).toEqual(printed.map(([span]) => span))
  expect(found).toContain('P1Y2M3DT4H5M6.789S')
  await service.stop()
  await Promise.all([direct, ...others].map((each) => each.close()))
})
