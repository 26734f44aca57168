import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectOptions } from '../../packages/server/src/sql/database.ts'
import { createPostgresDriver } from '../../packages/server/src/sql/dialects/postgres/driver.ts'
import { DatabaseError, type Driver } from '../../packages/server/src/sql/driver.ts'
import { connectOptions } from '../lib/connection.ts'
import { startCluster, startStandby, type Cluster } from '../lib/postgres-cluster.ts'

let primary: Cluster
let standby: Cluster
let control: Driver
const drivers: Driver[] = []

beforeAll(async () => {
  primary = await startCluster()
  standby = await startStandby(primary)
  control = createPostgresDriver(optionsFor(standby.url, { isReadOnly: true }))
})

afterAll(async () => {
  await control?.close()
  await Promise.all([standby?.destroy(), primary?.destroy()])
})

const optionsFor = (url: string, options: Partial<ConnectOptions> = {}): ConnectOptions =>
  connectOptions(url, { poolMax: 2, acquireTimeout: 2000, statementTimeout: 5000, lockTimeout: 2000, ...options })

const ask = (text: string, values: readonly string[] = []) => ({ text, values })
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof DatabaseError ? error.fault : String(error)),
  )

const ways = (['direct', 'driver'] as const).flatMap((postgresProtocol) =>
  [10, 0].map((preparedStatements) => ({ postgresProtocol, preparedStatements })),
)

describe.each(ways)('$postgresProtocol protocol, $preparedStatements prepared statements', (way) => {
  const positions: (string | null)[] = []

  function connect(url: string, options: Partial<ConnectOptions> = {}): Driver {
    const driver = createPostgresDriver(optionsFor(url, { ...way, ...options }))
    drivers.push(driver)
    return driver
  }
  const writer = () => connect(primary.url, { onCommit: (position) => positions.push(position) })

  beforeEach(async () => {
    const driver = connect(primary.url)
    await driver.execute(ask('drop table if exists notes'))
    await driver.execute(ask('create table notes (id int primary key deferrable initially deferred, body text)'))
    positions.length = 0
  })

  afterEach(async () => {
    await control.query(ask('select pg_wal_replay_resume()'))
    await Promise.all(drivers.splice(0).map((each) => each.close()))
  })

  const ids = async (driver: Driver) => (await driver.query(ask('select id from notes order by id'))).flat()

  test('a commit tells where the log stands, and its rows are those of the statement', async () => {
    const driver = writer()
    const insert = ask('insert into notes values ($1::int), ($2::int) returning id', ['1', '2'])
    expect(await driver.execute({ ...insert, name: 'insert' })).toEqual([['1'], ['2']])
    expect(await driver.transaction((transaction) => transaction.query(ask('select 7')))).toEqual([['7']])
    await driver.transaction(async (transaction) => {
      await transaction.query(ask('insert into notes values (3)'))
      await transaction.query(ask('insert into notes values (4)'))
    })
    await driver.transaction((transaction) => transaction.query(ask('select 1')), 'read')
    expect(positions).toHaveLength(3)
    for (const position of positions) expect(position).toMatch(/^[\dA-F]+\/[\dA-F]+$/u)
    expect(await ids(driver)).toEqual(['1', '2', '3', '4'])
  })

  test('a write that fails, also at its commit, leaves nothing, tells no position, and the connection goes on', async () => {
    const driver = writer()
    await driver.execute(ask('insert into notes values (1)'))
    positions.length = 0
    for (const text of [
      'insert into notes values (1)',
      'insert into notes values (1), (1)',
      'insert into nothing values (1)',
    ]) {
      const fault = text.includes('nothing') ? 'schema-changed' : 'unique'
      expect(await faultOf(driver.execute({ ...ask(text), name: text }))).toBe(fault)
      expect(await faultOf(driver.transaction((transaction) => transaction.query(ask(text))))).toBe(fault)
    }
    expect(positions).toEqual([])
    expect(await ids(driver)).toEqual(['1'])
  })

  test('a commit stands if the server does not tell its position', async () => {
    const admin = connect(primary.url)
    await admin.execute(ask(`do $$ begin create role poor login; exception when duplicate_object then null; end $$`))
    await admin.execute(ask('grant insert, select on notes to poor'))
    await admin.execute(ask('revoke execute on function pg_current_wal_insert_lsn() from public'))
    try {
      const url = primary.url.replace('postgres@', 'poor@')
      const driver = connect(url, { onCommit: (position) => positions.push(position) })
      expect(await driver.execute(ask('insert into notes values (1) returning id'))).toEqual([['1']])
      await driver.transaction((transaction) => transaction.query(ask('insert into notes values (2)')))
      expect(positions).toEqual([null, null])
      expect(await ids(driver)).toEqual(['1', '2'])
    } finally {
      await admin.execute(ask('grant execute on function pg_current_wal_insert_lsn() to public'))
    }
  })

  test('a standby answers only from the position on that is asked for', async () => {
    const [driver, reader] = [writer(), connect(standby.url, { isReadOnly: true })]
    const count = { ...ask('select count(*) from notes where id > $1::int', ['0']), name: 'count' }
    const before = (await driver.query(ask('select pg_current_wal_insert_lsn()')))[0]![0]!
    while ((await faultOf(reader.query(count, { position: before }))) === 'behind') await sleep(5)
    await control.query(ask('select pg_wal_replay_pause()'))
    while ((await control.query(ask('select pg_get_wal_replay_pause_state()')))[0]![0] !== 'paused') await sleep(5)
    await driver.execute(ask('insert into notes values (1)'))
    const position = positions.at(-1)!
    for (let times = 0; times < 3; times += 1) {
      expect(await reader.query(count, { position: before })).toEqual([['0']])
      expect(await faultOf(reader.query(count, { position }))).toBe('behind')
    }
    await control.query(ask('select pg_wal_replay_resume()'))
    while ((await faultOf(reader.query(count, { position }))) === 'behind') await sleep(5)
    expect(await reader.query(count, { position })).toEqual([['1']])
  })

  test('the primary itself is not asked in place of a standby, and a value that is no position fails', async () => {
    const driver = connect(primary.url)
    expect(await faultOf(driver.query(ask('select 1'), { position: '0/1' }))).toBe('behind')
    expect(await faultOf(driver.query(ask('select 1'), { position: 'x' }))).toBe('invalid-value')
    expect(await driver.query(ask('select 1'))).toEqual([['1']])
  })
})

test('the connections of readers are spread over their servers', async () => {
  const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`
  const driver = createPostgresDriver({ ...optionsFor(both, { isReadOnly: true, poolMax: 4 }), isSpread: true })
  drivers.push(driver)
  const rows = await Promise.all(
    Array.from({ length: 4 }, () => driver.query(ask('select pg_is_in_recovery() from (select pg_sleep(0.3)) s'))),
  )
  expect(rows.flat(2).filter((cell) => cell === 't')).toHaveLength(2)
  await driver.close()
})
