import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workerEnvironment, workersOf } from '../../packages/server/src/cli/workers.ts'
import { createDatabase, serverUrl, withDatabase, type TestDatabase } from '../lib/databases.ts'
import { runService, startService, until, type ServiceProcess } from '../lib/service.ts'
import { connections, goods, isAlive, listening, startWorkers } from './workers.ts'

describe('two workers', () => {
  let database: TestDatabase
  let service: ServiceProcess

  beforeAll(async () => {
    database = await createDatabase('postgres')
    await database.query(goods)
    service = await startWorkers(database.url, 2)
  })
  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  test('listen on one port, and say who they are', async () => {
    expect(
      listening(service)
        .map(({ worker }) => worker)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 2])
    expect(await connections(service.url, 100)).toEqual([])
  })

  test('one that is killed costs no new connection, and is started again', async () => {
    const [killed] = listening(service)
    process.kill(killed!.pid, 'SIGKILL')
    await until(() => !isAlive(killed!.pid), 10, 'the end of the worker')
    expect(await connections(service.url, 1000)).toEqual([])
    await until(() => listening(service).length === 3, 50, 'the worker again')
    expect(listening(service).at(-1)?.worker).toBe(killed!.worker)
    expect(service.lines().find(({ msg }) => msg === 'a worker has ended')).toMatchObject({ signal: 'SIGKILL' })
  })

  test('end one by one, in order', async () => {
    expect(await service.stop()).toBe(0)
    const closing = service.lines().filter(({ msg, worker }) => msg === 'closing' && worker !== undefined)
    expect(closing.map(({ worker }) => worker)).toEqual([1, 2])
    for (const { pid } of listening(service)) expect(isAlive(pid)).toBe(false)
  })
})

test('workers end with the process that supervises them', () =>
  withDatabase(async ({ url, query }) => {
    await query(goods)
    const service = await startWorkers(url, 2)
    const workers = listening(service)
    process.kill(service.pid, 'SIGKILL')
    await until(() => workers.every(({ pid }) => !isAlive(pid)), 20, 'the end of the workers')
    expect(workers).toHaveLength(2)
  }, 'postgres'))

test('workers that cannot start end the service', async () => {
  const { code, output } = await runService({
    DATABASE_URL: new URL('/there_is_none', serverUrl).href,
    WORKERS: '2',
  })
  expect(code).toBe(1)
  expect(output).toContain('there_is_none')
})

test('a port that another program has is not shared', () =>
  withDatabase(async ({ url }) => {
    const first = await startService({ DATABASE_URL: url, WORKERS: '2' })
    try {
      const { code, output } = await runService({ DATABASE_URL: url, WORKERS: '2', PORT: new URL(first.url).port })
      expect(output).toContain('is taken by another program')
      expect(code).toBe(1)
    } finally {
      await first.stop()
    }
  }, 'postgres'))

describe('the number of workers', () => {
  const server = { databaseUrl: 'postgres://localhost/shop', worker: null }
  const file = { databaseUrl: 'sqlite:./shop.db', worker: null }

  test('is refused where it cannot be, and one where that may be chosen', () => {
    expect(() => workersOf({ ...file, workers: 2 }, 'linux')).toThrow('served by one process')
    expect(() => workersOf({ ...server, workers: 2 }, 'darwin')).toThrow('cannot share a port')
    expect(workersOf({ ...file, workers: 'auto' }, 'linux')).toBe(1)
    expect(workersOf({ ...server, workers: 'auto' }, 'win32')).toBe(1)
    expect(workersOf({ ...server, workers: 3 }, 'linux')).toBe(3)
    expect(workersOf({ ...server, workers: 'auto' }, 'linux')).toBeGreaterThanOrEqual(1)
  })

  test('divides the pool, and gives each worker a port for its metrics', () => {
    expect(workerEnvironment({ poolMax: 10, metricsPort: null }, 4, 2)).toEqual({
      WORKERS: '1',
      TAIN_WORKER: '2',
      DB_POOL_MAX: '2',
    })
    expect(workerEnvironment({ poolMax: 2, metricsPort: 9000 }, 4, 3)).toMatchObject({
      DB_POOL_MAX: '1',
      METRICS_PORT: '9002',
    })
  })
})
