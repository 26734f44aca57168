import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { dataOf, startService, until, type Environment, type ServiceProcess } from '../lib/service.ts'

let cluster: Cluster
let client: Client
let services: ServiceProcess[] = []

beforeAll(async () => {
  cluster = await startCluster({ wal_level: 'logical', max_slot_wal_keep_size: '64MB', max_wal_size: '64MB' })
})
afterAll(() => cluster?.destroy())

let name = 0
beforeEach(async () => {
  const admin = new Client({ connectionString: cluster.url })
  await admin.connect()
  name += 1
  await admin.query(`create database d${name}`)
  await admin.end()
  client = new Client({ connectionString: urlOf() })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create table tags (id int primary key, color text); alter table tags replica identity full')
})
afterEach(async () => {
  for (const service of services) await service.stop('SIGKILL')
  services = []
  await client.query(`select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active`)
  await client.end()
})

const urlOf = () => cluster.url.replace(/postgres$/u, `d${name}`)

async function start(environment: Environment = {}): Promise<ServiceProcess> {
  const service = await startService({
    DATABASE_URL: urlOf(),
    EVENTS_ENABLED: 'true',
    EVENTS_CAPTURE: 'all',
    EVENTS_OUTSIDE: 'logical',
    EVENTS_SLOT: `d${name}`,
    ...environment,
  })
  services.push(service)
  return service
}

const sql = async (text: string): Promise<readonly Record<string, unknown>[]> =>
  (await client.query<Record<string, unknown>>(text)).rows
const isHeard = (service: ServiceProcess) =>
  service.lines().some(({ msg }) => msg === 'writes of other programs are heard')
const hears = (service: ServiceProcess) => until(() => isHeard(service), 20, `the log is read\n${service.log()}`)
const told = async (): Promise<readonly string[]> =>
  (
    await sql(`select item || ' ' || kind as what from tain.service_events where collection = 'tags' order by position`)
  ).map(({ what }) => String(what))
const epoch = async () => (await sql('select epoch from tain.service_event_head'))[0]?.['epoch']
const tells = (what: string) => until(async () => (await told()).includes(what), 10, what)
/** Numbers follow each other. */
const gaps = () =>
  sql(`select position from (select position, lag(position) over (order by position) as last from tain.service_events) e
    where position <> last + 1`)

describe('the reader of the log of PostgreSQL', () => {
  for (const point of ['before-append', 'appended', 'confirmed'])
    test(`tells every change once when it is killed at ${point}`, async () => {
      const insert = (from: number) =>
        sql(`insert into tags select n, 'a' from generate_series(${from}, ${from + 4}) n`)
      const first = await start({ TAIN_FAILPOINTS: `outside.${point}:3:crash` })
      await hears(first)
      for (let round = 0; round < 3; round += 1) {
        await insert(round * 5)
        await new Promise((resolve) => setTimeout(resolve, 150))
      }
      await until(async () => (await first.get('/server/ping').catch(() => null)) === null, 10, 'the crash')
      await insert(15)
      await hears(await start())
      await insert(20)
      await tells('24 create')
      expect(await told()).toEqual(Array.from({ length: 25 }, (_, id) => `${id} create`))
      expect(await gaps()).toEqual([])
    })

  test('is one of all replicas; another one goes on when it is killed', async () => {
    const [first, second] = [await start(), await start()]
    await until(() => isHeard(first) || isHeard(second), 20, 'one of them reads')
    await sql(`insert into tags values (1, 'a')`)
    await tells('1 create')
    expect([isHeard(first), isHeard(second)].filter(Boolean)).toHaveLength(1)
    const [reader, other] = isHeard(first) ? [first, second] : [second, first]
    await reader.stop('SIGKILL')
    await sql(`insert into tags values (2, 'b')`)
    await hears(other)
    await tells('2 create')
    expect(await told()).toEqual(['1 create', '2 create'])
  })

  test('begins a new epoch when the server has removed log that was not read', async () => {
    const first = await start()
    await hears(first)
    await sql(`insert into tags values (1, 'a')`)
    await tells('1 create')
    const before = await epoch()
    await first.stop()
    await sql(`create table filler as select repeat(md5(n::text), 50) as t from generate_series(1, 150000) n`)
    await sql('checkpoint')
    await sql('insert into filler select * from filler limit 50000; select pg_switch_wal()')
    await sql('checkpoint')
    expect(await sql(`select wal_status from pg_replication_slots where slot_name = 'd${name}'`)).toEqual([
      { wal_status: 'lost' },
    ])
    const second = await start()
    await hears(second)
    expect(await epoch()).not.toBe(before)
    expect(second.log()).toContain('changes of other programs were lost')
    await sql(`insert into tags values (2, 'b')`)
    await tells('2 create')
    const { realtime } = dataOf(await second.get('/server/info')) as { realtime: unknown }
    expect(realtime).toMatchObject({ outside: 'logical', lag: 0, slot: { state: 'ready' } })
  })

  test('begins a new epoch when the slot was dropped, or dropped and made by somebody else', async () => {
    for (const remake of [false, true]) {
      const service = await start()
      await hears(service)
      const before = await epoch()
      await service.stop()
      await sql(`select pg_drop_replication_slot('d${name}')`)
      await sql(`insert into tags values (${remake ? 2 : 1}, 'a')`)
      if (remake) await sql(`select pg_create_logical_replication_slot('d${name}', 'pgoutput')`)
      const again = await start()
      await hears(again)
      expect(await epoch()).not.toBe(before)
      await again.stop()
    }
  })

  test('begins a new epoch when the publication was dropped, and goes on', async () => {
    const service = await start()
    await hears(service)
    const before = await epoch()
    await sql(`drop publication d${name}`)
    await sql(`insert into tags values (1, 'a')`)
    await until(async () => (await epoch()) !== before, 30, 'a new epoch')
    await until(
      async () => (await sql(`select 1 from pg_publication_tables where pubname = 'd${name}'`)).length > 0,
      20,
      'the publication',
    )
    await until(
      () => service.lines().filter(({ msg }) => msg === 'writes of other programs are heard').length > 1,
      20,
      'again',
    )
    await sql(`insert into tags values (2, 'a')`)
    await tells('2 create')
    expect(await gaps()).toEqual([])
  })

  test('tells writes of the service once, with cascades', async () => {
    await sql(`create table marks (id int primary key, tag int references tags on delete cascade)`)
    const service = await start()
    await hears(service)
    expect((await service.send('POST', '/items/tags', { id: 1, color: 'a' })).status).toBe(200)
    expect((await service.send('PATCH', '/items/tags/1', { color: 'b' })).status).toBe(200)
    await sql('insert into marks values (7, 1)')
    expect((await service.send('DELETE', '/items/tags/1')).status).toBe(204)
    const all = () => sql(`select collection, item, kind from tain.service_events order by position`)
    await until(async () => (await all()).length >= 5, 10, 'five changes')
    await sql(`insert into tags values (9, 'last')`)
    await tells('9 create')
    const found = (await all()).map((row) => Object.values(row).join(' ')).filter((line) => !line.endsWith('heard'))
    expect(found.toSorted((left, right) => left.localeCompare(right))).toEqual([
      'marks 7 create',
      'marks 7 delete',
      'tags 1 create',
      'tags 1 delete',
      'tags 1 update',
      'tags 9 create',
    ])
  })
})
