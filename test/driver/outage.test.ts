import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPostgresDriver } from '../../packages/server/src/sql/dialects/postgres/driver.ts'
import type { PostgresProtocol } from '../../packages/server/src/sql/database.ts'
import { DatabaseError, type Driver } from '../../packages/server/src/sql/driver.ts'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'

interface Outcome {
  readonly at: number
  readonly took: number
  readonly fault: string | undefined
}

const unhandled: unknown[] = []
const noteUnhandled = (error: unknown): void => void unhandled.push(error)
let cluster: Cluster
let driver: Driver
let postgresProtocol: PostgresProtocol

beforeAll(async () => {
  process.on('unhandledRejection', noteUnhandled)
  process.on('uncaughtException', noteUnhandled)
})

beforeEach(async () => {
  cluster = await startCluster()
})

afterEach(async () => {
  await driver.close()
  await cluster.destroy()
  if (unhandled.length > 0) throw new AggregateError(unhandled.splice(0), 'something was not handled')
})

afterAll(async () => {
  process.off('unhandledRejection', noteUnhandled)
  process.off('uncaughtException', noteUnhandled)
})

function connect(preparedStatements = 10): Driver {
  return createPostgresDriver({
    url: cluster.url,
    poolMax: 5,
    acquireTimeout: 2000,
    statementTimeout: 15_000,
    lockTimeout: 2000,
    connectTimeout: 3000,
    preparedStatements,
    postgresProtocol,
    applicationName: 'tain-outage-test',
  })
}

/** Clients that send queries, transactions and streams without pause. */
function putUnderLoad(target: Driver): { outcomes: Outcome[]; stop(): Promise<void> } {
  const outcomes: Outcome[] = []
  const load = { isOver: false }
  const ask = async (work: () => Promise<unknown>): Promise<void> => {
    while (!load.isOver) {
      const start = performance.now()
      const fault = await work().then(
        () => undefined,
        (error: unknown) => (error instanceof DatabaseError ? error.fault : String(error)),
      )
      const at = performance.now()
      outcomes.push({ at, took: at - start, fault })
      await sleep(5)
    }
  }
  const query = { text: 'select $1::int, pg_sleep(0.01)', values: ['1'], name: 'load' }
  const works = [
    () => target.query(query),
    () => target.transaction((transaction) => transaction.query(query)),
    () => readAll(target),
  ]
  const clients = Array.from({ length: 12 }, (_, index) => ask(works[index % works.length]!))
  return {
    outcomes,
    async stop() {
      load.isOver = true
      await Promise.all(clients)
    },
  }
}

async function readAll(target: Driver): Promise<void> {
  for await (const rows of target.stream({ text: 'select generate_series(1, 2000)', values: [] })) void rows.length
}

describe.each(['direct', 'driver'] as const)('%s', (protocol) => {
  beforeAll(() => {
    postgresProtocol = protocol
  })

  test.each(['immediate', 'fast'] as const)('stop %s and start under load', async (mode) => {
    driver = connect()
    const load = putUnderLoad(driver)
    onTestFinished(() => load.stop())
    for (let round = 0; round < 2; round++) {
      await sleep(500)
      expect(driver.isReachable).toBe(true)
      await cluster.stop(mode)
      await sleep(700)
      expect(driver.isReachable).toBe(false)
      const before = performance.now()
      await expect(driver.query({ text: 'select 1', values: [] })).rejects.toMatchObject({ fault: 'unavailable' })
      expect(performance.now() - before).toBeLessThan(50)
      await cluster.start()
      const ready = performance.now()
      await sleep(1000)
      const first = load.outcomes.find((outcome) => outcome.at > ready && outcome.fault === undefined)
      expect(first!.at - ready).toBeLessThan(1000)
    }
    await load.stop()
    const failures = load.outcomes.filter((outcome) => outcome.fault !== undefined)
    expect(failures.length).toBeGreaterThan(0)
    expect(new Set(failures.map((failure) => failure.fault))).toEqual(new Set(['unavailable']))
    expect(Math.max(...failures.map((failure) => failure.took))).toBeLessThan(1000)
  })

  test('a database that is not there at first use', async () => {
    await cluster.stop('fast')
    driver = connect(0)
    expect(driver.isReachable).toBe(false)
    const asked = await Promise.allSettled(
      Array.from({ length: 40 }, () => driver.query({ text: 'select 1', values: [] })),
    )
    for (const outcome of asked) expect(outcome).toMatchObject({ status: 'rejected', reason: { fault: 'unavailable' } })
    await cluster.start()
    await expect.poll(() => driver.isReachable, { timeout: 1000, interval: 10 }).toBe(true)
    expect(await driver.query({ text: 'select 1', values: [] })).toEqual([['1']])
  })

  test('an outage while nobody asks is noticed, and so is its end', async () => {
    driver = connect()
    await driver.query({ text: 'select 1', values: [] })
    await cluster.stop('immediate')
    await expect.poll(() => driver.isReachable, { timeout: 1000, interval: 10 }).toBe(false)
    await cluster.start()
    await expect.poll(() => driver.isReachable, { timeout: 1000, interval: 10 }).toBe(true)
  })

  test('a full server refuses only what exceeds it', async () => {
    await cluster.destroy()
    cluster = await startCluster({ max_connections: '5', superuser_reserved_connections: '0' })
    driver = connect()
    const other = connect()
    const sleeper = { text: 'select pg_sleep(0.05)', values: [] }
    const asked = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? driver : other).query(sleeper)),
    )
    const failures = asked.filter((outcome) => outcome.status === 'rejected')
    for (const failure of failures) expect(failure.reason).toMatchObject({ fault: 'unavailable' })
    await other.close()
    expect(await driver.query({ text: 'select 1', values: [] })).toEqual([['1']])
  })
})
