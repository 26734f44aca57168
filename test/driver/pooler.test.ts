import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../cluster.ts'
import { startPgbouncer, type Pooler } from '../pgbouncer.ts'
import { runService, startService } from '../service.ts'

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
