import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { startService, until, type ServiceProcess } from '../lib/service.ts'

/** Rows of one transaction; N7 of the design asks for 1,000,000. */
const ROWS = Number(process.env['OUTSIDE_ROWS'] ?? 200_000)
const MOST_MEMORY = 256 * 1024
const MOST_LATENCY = 500

let cluster: Cluster
let client: Client
let service: ServiceProcess

beforeAll(async () => {
  cluster = await startCluster({ wal_level: 'logical', max_slot_wal_keep_size: '4GB' })
  client = new Client({ connectionString: cluster.url })
  await client.connect()
  await client.query('create table tags (id int primary key, color text)')
  service = await startService({
    DATABASE_URL: cluster.url,
    EVENTS_ENABLED: 'true',
    EVENTS_CAPTURE: 'all',
    EVENTS_RETENTION_SIZE: '8gb',
  })
  await until(() => service.log().includes('writes of other programs are heard'), 20, 'the log is read')
})
afterAll(async () => {
  await service?.stop()
  await client?.end()
  await cluster?.destroy()
})

/** Without the mark of the place since when everything is kept. */
const COUNT = `select count(*) as n from tain.service_events where kind <> 'heard'`
const count = async (): Promise<number> => Number((await client.query<{ n: string }>(COUNT)).rows[0]?.n)

/** In kilobytes. */
const memory = (what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(String.raw`${what}:\s+(\d+)`, 'u').exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1])

test('writes from outside are in the log within 500 ms, 99 of 100', { timeout: 60_000 }, async () => {
  for (let id = 0; id < 300; id += 1) {
    await client.query('insert into tags values ($1, clock_timestamp()::text)', [id])
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await until(async () => (await count()) === 300, 20, 'all changes')
  const { rows } = await client.query<{ p50: number; p99: number }>(
    `select percentile_cont(0.5) within group (order by late) as p50, percentile_cont(0.99) within group (order by late) as p99
      from (select (extract(epoch from at - (after::json ->> 'color')::timestamptz) * 1000)::float as late
        from tain.service_events) e`,
  )
  console.log(rows[0])
  expect(rows[0]?.p99).toBeLessThan(MOST_LATENCY)
})

test('a large transaction takes little memory', { timeout: 900_000 }, async () => {
  const before = memory('VmRSS')
  await client.query(`insert into tags select n, md5(n::text) from generate_series(1000, ${ROWS + 999}) n`)
  const began = performance.now()
  await until(async () => (await count()) === ROWS + 300, 240, 'all changes')
  const seconds = (performance.now() - began) / 1000
  const most = memory('VmHWM')
  console.log({ rows: ROWS, seconds: Math.round(seconds), before, most })
  expect(most - before).toBeLessThan(MOST_MEMORY)
})
