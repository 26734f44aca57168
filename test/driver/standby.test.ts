import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectOptions } from '../../packages/server/src/sql/database.ts'
import { createPostgresDriver } from '../../packages/server/src/sql/dialects/postgres/driver.ts'
import type { DatabaseError, Driver } from '../../packages/server/src/sql/driver.ts'
import { connectOptions } from '../lib/connection.ts'
import { startCluster, startStandby, type Cluster } from '../lib/postgres-cluster.ts'

let primary: Cluster
let standby: Cluster
const drivers: Driver[] = []

beforeEach(async () => {
  primary = await startCluster()
  standby = await startStandby(primary)
})

afterEach(async () => {
  await Promise.all(drivers.splice(0).map((each) => each.close()))
  await Promise.all([standby.destroy(), primary.destroy()])
})

function connect(url: string, options: Partial<ConnectOptions> = {}): Driver {
  const driver = createPostgresDriver(
    connectOptions(url, { poolMax: 3, acquireTimeout: 2000, statementTimeout: 5000, lockTimeout: 2000, ...options }),
  )
  drivers.push(driver)
  return driver
}

const both = () => `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`
const ask = (text: string) => ({ text, values: [] })
const write = (driver: Driver, name: string) =>
  driver.transaction((transaction) => transaction.query(ask(`create table ${name} ()`)))
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as DatabaseError,
  )

/** Asks again until it works; how often it did not, by fault. */
async function untilDone(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const faults = new Set<string>()
  for (const end = Date.now() + 10_000; ; await sleep(20)) {
    const error = await refusal(work())
    if (error === null) return faults
    faults.add(error.fault)
    if (Date.now() > end) throw error
  }
}

describe.each([10, 0])('with %i prepared statements', (preparedStatements) => {
  test('a standby is a database that is away, until it is promoted', async () => {
    const driver = connect(standby.url, { preparedStatements })
    expect(await refusal(driver.query(ask('select 1')))).toMatchObject({ fault: 'unavailable', databaseCode: '25006' })
    expect(driver.isReachable).toBe(false)
    await primary.stop('immediate')
    await standby.promote()
    expect([...(await untilDone(() => write(driver, 'after')))].filter((fault) => fault !== 'unavailable')).toEqual([])
    expect(driver.isReachable).toBe(true)
  })
})

test('of several servers, the one that takes writes is used, also after it changed', async () => {
  const driver = connect(both())
  await write(driver, 'before')
  // what was committed reaches the standby before the server ends
  await primary.stop('fast')
  await standby.promote()
  const faults = await untilDone(() => write(driver, 'after'))
  expect([...faults].filter((fault) => fault !== 'unavailable')).toEqual([])
  expect(await driver.query(ask(`select count(*) from pg_class where relname in ('before', 'after')`))).toEqual([['2']])
})

test('a service that only reads works on a standby, and so does one that takes any server', async () => {
  expect(await connect(standby.url, { isReadOnly: true }).query(ask('select pg_is_in_recovery()'))).toEqual([['t']])
  const any = connect(`${standby.url}?target_session_attrs=any`)
  expect(await any.query(ask('select 1'))).toEqual([['1']])
  expect((await refusal(write(any, 'nothing')))?.fault).toBe('unsupported')
})
