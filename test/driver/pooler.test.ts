import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { startPgbouncer, type Pooler } from '../lib/pgbouncer.ts'
import { connect } from '../lib/databases.ts'
import { dataOf, runService, startService } from '../lib/service.ts'

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
