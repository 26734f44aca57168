import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMysql } from '../../packages/server/src/sql/dialects/mysql/connect.ts'
import { connectPostgres } from '../../packages/server/src/sql/dialects/postgres/connect.ts'
import type { ConnectOptions } from '../../packages/server/src/sql/database.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { startCutProxy, type Cut } from './cut-proxy.ts'
import { cut, POOL } from './cuts.ts'

// npm run verify cuts makes 10,000 cuts and has the bounds of times.
test.concurrent.each([
  ['postgres', 90],
  ['mysql', 70],
  ['clients', 40],
] as const)(
  '%s: %i connections cut at random bytes: no response of another request, and all connections come back',
  async (target, count) => {
    const { cuts, wrong, odd, served, backends, stray } = await cut(target, count, 7)
    expect({ wrong, odd, backends, stray }).toEqual({ wrong: [], odd: [], backends: POOL, stray: 0 })
    expect(cuts).toBeGreaterThanOrEqual(count)
    expect(served).toBeGreaterThan(count)
  },
  120_000,
)

/** The last bytes are those of session settings, where there are any. */
const drivers = {
  postgres: { connect: connectPostgres, bytes: [60, 400] },
  'postgres, sessions set by statements': {
    connect: (options: ConnectOptions) => connectPostgres({ ...options, preparedStatements: 0 }),
    bytes: [400, 500],
  },
  mysql: { connect: (options: ConnectOptions) => connectMysql(options), bytes: [60, 200, 400] },
} as const

describe.each(Object.entries(drivers))('%s', (name, { connect, bytes }) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase(name === 'mysql' ? 'mysql' : 'postgres')
  })
  afterAll(() => database.drop())

  test.each(bytes)(
    'a server that says nothing more after %i bytes of an opening keeps no place in the pool',
    async (after) => {
      const plans: Cut[] = [{ kind: 'black-hole', direction: 'down', after }]
      const url = new URL(database.url)
      const proxy = await startCutProxy({ host: url.hostname, port: Number(url.port) }, () => plans.pop())
      url.port = String(proxy.port)
      const { driver, schemaDriver, backgroundDriver } = connect({
        url: url.href,
        poolMax: 1,
        acquireTimeout: 5000,
        statementTimeout: 15_000,
        lockTimeout: 1000,
        connectTimeout: 200,
        preparedStatements: 10,
        applicationName: 'tain-cuts-test',
      })
      const ask = () => driver.query({ text: 'select 1', values: [] })
      const first = await ask().catch((error: unknown) => error)
      expect(proxy.cuts['black-hole']).toBe(1)
      expect(first).toMatchObject({ fault: 'unavailable' })
      await expect.poll(() => ask().catch(() => null)).toEqual([['1']])
      await Promise.all([driver, schemaDriver, backgroundDriver].map((each) => each.close()))
      await proxy.close()
    },
  )
})
