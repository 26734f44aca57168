import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMariadb, type Mariadb } from '../lib/mariadb.ts'
import { dataOf, startService, until, type Environment, type ServiceProcess } from '../lib/service.ts'
import { connectTo, startWorld, type Program } from './outside-world.ts'

let server: Mariadb
let program: Program
let services: ServiceProcess[] = []

beforeAll(async () => {
  server = await startMariadb()
})
afterAll(() => server?.destroy())

let name = 0
const urlOf = () => server.url.replace(/test$/u, `d${name}`)
beforeEach(async () => {
  name += 1
  const admin = await connectTo(server.url)
  await admin.sql(`create database d${name} character set utf8mb4 collate utf8mb4_nopad_bin`)
  await admin.end()
  program = await connectTo(urlOf())
  await program.sql('create table tags (id int primary key, color text)')
})
afterEach(async () => {
  for (const service of services) await service.stop('SIGKILL')
  services = []
  await program.end().catch(() => undefined)
})

const sql = (text: string) => program.sql(text)

async function start(environment: Environment = {}): Promise<ServiceProcess> {
  const service = await startService({
    DATABASE_URL: urlOf(),
    EVENTS_ENABLED: 'true',
    EVENTS_CAPTURE: 'all',
    EVENTS_OUTSIDE: 'logical',
    ...environment,
  })
  services.push(service)
  return service
}

const isHeard = (service: ServiceProcess) =>
  service.lines().some(({ msg }) => msg === 'writes of other programs are heard')
const hears = (service: ServiceProcess) => until(() => isHeard(service), 20, `the log is read\n${service.log()}`)
const told = async (): Promise<readonly string[]> =>
  (
    await sql(`select concat(item, ' ', kind) as what from service_events where collection = 'tags' order by position`)
  ).map(({ what }) => String(what))
const head = async () => (await sql('select epoch, identity, mark from service_event_head'))[0]
/** A new log gets its epoch when somebody looks at it for the first time. */
const epoch = async () => {
  await until(async () => (await head())?.['identity'] != null, 10, 'the log is looked at')
  return (await head())?.['epoch']
}
const tells = (what: string) => until(async () => (await told()).includes(what), 10, what)
/** Numbers follow each other. */
const gaps = () =>
  sql(`select position from (select position, lag(position) over (order by position) as last from service_events) e
    where position <> last + 1`)

const DUMPS = `select id from information_schema.processlist where command = 'Binlog Dump'`

describe('the reader of the log of MariaDB', () => {
  for (const point of ['before-append', 'appended', 'confirmed'])
    test(`tells every change once when it is killed at ${point}`, async () => {
      const insert = (from: number) => sql(`insert into tags select seq, 'a' from seq_${from}_to_${from + 4}`)
      const first = await start({ TAIN_FAILPOINTS: `outside.${point}:3:crash` })
      await hears(first)
      for (let round = 0; round < 3; round += 1) {
        await insert(round * 5)
        await new Promise((resolve) => setTimeout(resolve, 150))
      }
      await until(async () => (await first.get('/server/ping').catch(() => null)) === null, 15, 'the crash')
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

  test('goes on when its connection is cut, and when the server is started again', async () => {
    const service = await start()
    await hears(service)
    await sql(`insert into tags values (1, 'a')`)
    await tells('1 create')
    const before = await epoch()
    for (const { id } of await sql(DUMPS)) await sql(`kill ${Number(id)}`)
    await sql(`insert into tags values (2, 'a'); flush binary logs; insert into tags values (3, 'a')`)
    await tells('3 create')
    await program.end()
    await server.stop()
    await server.start()
    program = await connectTo(urlOf())
    await sql(`insert into tags values (4, 'a')`)
    await until(async () => (await told()).includes('4 create'), 30, 'the change after the start')
    expect(await told()).toEqual(['1 create', '2 create', '3 create', '4 create'])
    expect(await gaps()).toEqual([])
    expect(await epoch()).toBe(before)
  })

  /** The server keeps the files that it would need after a crash for a moment. */
  const purge = async () => {
    const file = String((await head())?.['mark']).split('/')[0]
    const hasFile = async () => (await sql('show binary logs')).some((row) => row['Log_name'] === file)
    await sql(`insert into tags values (11, 'x')`)
    while (await hasFile()) await sql('flush binary logs; purge binary logs before now() + interval 1 day')
  }
  const losses = {
    'the server has removed files that were not read': purge,
    'the log was begun anew': () => sql(`reset master; insert into tags values (11, 'x')`),
  }
  for (const [what, lose] of Object.entries(losses))
    test(`begins a new epoch when ${what}`, async () => {
      const first = await start()
      await hears(first)
      await sql(`insert into tags values (1, 'a')`)
      await tells('1 create')
      const before = await epoch()
      await first.stop()
      // The server keeps files that somebody reads, and may not have noticed that nobody does.
      for (const { id } of await sql(DUMPS)) await sql(`kill ${Number(id)}`)
      await until(async () => (await sql(DUMPS)).length === 0, 10, 'no reader')
      await lose()
      const second = await start()
      await hears(second)
      expect(await epoch()).not.toBe(before)
      expect(second.log()).toContain('changes of other programs were lost')
      await sql(`insert into tags values (2, 'b')`)
      await tells('2 create')
      const { realtime } = dataOf(await second.get('/server/info')) as { realtime: unknown }
      expect(realtime).toMatchObject({ outside: 'logical', slot: { state: 'ready' } })
    })

  test('begins a new epoch when the files have their names and lengths, and are others', async () => {
    const first = await start()
    await hears(first)
    const before = await epoch()
    await first.stop()
    const [end] = await sql('show master status')
    await sql(`update service_event_head set mark = '${String(end?.['File'])}/${String(end?.['Position'])}/1-1'`)
    await hears(await start())
    expect(await epoch()).not.toBe(before)
  })

  test('tells writes of the service once', async () => {
    const service = await start()
    await hears(service)
    expect((await service.send('POST', '/items/tags', { id: 1, color: 'a' })).status).toBe(200)
    expect((await service.send('PATCH', '/items/tags/1', { color: 'b' })).status).toBe(200)
    await sql(`update tags set color = 'c' where id = 1`)
    expect((await service.send('DELETE', '/items/tags/1')).status).toBe(204)
    await sql(`insert into tags values (9, 'last')`)
    await tells('9 create')
    await tells('1 delete')
    expect((await told()).toSorted((left, right) => left.localeCompare(right))).toEqual([
      '1 create',
      '1 delete',
      '1 update',
      '1 update',
      '9 create',
    ])
  })
})

describe('a server or a user that does not allow it', () => {
  const refusal = async (url: string) => {
    const world = await startWorld(url, '', { EVENTS_OUTSIDE: 'logical' })
    const isRefused = () => world.observed.find(({ kind }) => kind === 'outside-refused')
    await until(() => isRefused() !== undefined, 20, 'the refusal')
    await world.close()
    return isRefused()
  }

  test('is told with the statements that change it', async () => {
    await sql(`create user limited@'127.0.0.1' identified by 'x'; grant all on d${name}.* to limited@'127.0.0.1'`)
    const limited = urlOf().replace('root@', 'limited:x@')
    expect(await refusal(limited)).toMatchObject({
      statements: [`grant replication slave, binlog monitor on *.* to 'limited'@'127.0.0.1'`],
    })
    await sql(`create role reading; grant replication slave, binlog monitor on *.* to reading;
      grant reading to limited@'127.0.0.1'; set default role reading for limited@'127.0.0.1'`)
    const world = await startWorld(limited, '', { EVENTS_OUTSIDE: 'logical' })
    await until(() => world.observed.some(({ kind }) => kind === 'outside-began'), 20, 'the reader begins')
    await world.close()
    await sql(`set global binlog_row_metadata = 'NO_LOG', global binlog_format = 'MIXED'`)
    expect(await refusal(urlOf())).toMatchObject({
      statements: [`set global binlog_format = 'ROW'`, `set global binlog_row_metadata = 'FULL'`],
    })
    await sql(`set global binlog_row_metadata = 'FULL', global binlog_format = 'ROW'`)
  })

  test('keeps no log', async () => {
    const silent = await startMariadb([])
    try {
      expect(await refusal(silent.url)).toMatchObject({ reason: expect.stringContaining('no binary log') as string })
    } finally {
      await silent.destroy()
    }
  })
})
