import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { startService, until, type Environment, type Service } from '../lib/service.ts'
import { startCluster, startRedis, startSentinels, type RedisServers } from './redis.ts'

/** npm run verify redis takes longer, and adds Sentinel and Cluster. */
const isFull = process.env['REDIS_FULL'] === '1'
const REPLICAS = 3
const CLIENTS_PER_REPLICA = isFull ? 6 : 2
const FAULT = isFull ? 10_000 : 2000
const REDIS_TIMEOUT = 100
/** Redis may not keep any request for as long as the package would, which is 10 s to connect. */
const LONGEST = 9000

const UP = 'redis is connected'
const DOWN = 'redis is unavailable, continuing without it'

vi.setConfig({ testTimeout: 180_000 })

let database: TestDatabase
const cleanUps: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  database = await createDatabase('postgres')
  await database.query("create table notes (id int primary key, body text); insert into notes values (1, 'one')")
})

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

afterAll(() => database?.drop())

async function startReplicas(environment: Environment): Promise<readonly Service[]> {
  const start = () => startService({ DATABASE_URL: database.url, ...environment })
  // One after the other: the first creates the tables of the service.
  const services = [await start(), ...(await Promise.all(Array.from({ length: REPLICAS - 1 }, start)))]
  cleanUps.push(() => Promise.all(services.map((service) => service.stop())))
  return services
}

/** Three replicas that share a Redis, and one that has none. */
async function startWithControl(url: string): Promise<readonly [readonly Service[], readonly Service[]]> {
  const services = await startReplicas({ REDIS_URL: url, ...unlimited })
  const control = await startService({ DATABASE_URL: database.url, ...unlimited })
  cleanUps.push(() => control.stop())
  return [services, [...services, control]]
}

const started = async (start: () => Promise<RedisServers>): Promise<RedisServers> => {
  const redis = await start()
  cleanUps.push(() => redis.destroy())
  return redis
}

const countOf = (service: Service, message: string) => service.lines().filter(({ msg }) => msg === message).length
const untilAll = (services: readonly Service[], message: string, count: number) =>
  until(() => services.every((service) => countOf(service, message) >= count), 30, `${count} x ${message}`)

interface Measured {
  readonly failed: readonly number[]
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** Reads by key without pause while `state` lasts. */
async function load(services: readonly Service[], state: { readonly isOver: boolean }): Promise<Measured> {
  const failed: number[] = []
  const times: number[] = []
  const client = async (service: Service) => {
    while (!state.isOver) {
      const began = performance.now()
      const status = await service.get('/items/notes/1').then(
        (answer) => answer.status,
        () => 0,
      )
      times.push(performance.now() - began)
      if (status !== 200) failed.push(status)
    }
  }
  await Promise.all(services.flatMap((service) => Array.from({ length: CLIENTS_PER_REPLICA }, () => client(service))))
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return { failed, count: times.length, p50: at(0.5), p99: at(0.99), longest: Math.round(times.at(-1) ?? 0) }
}

/** The last service has no Redis: it tells how long requests take on this machine at the same time. */
async function expectUnnoticed(services: readonly Service[], what: string, fault: () => Promise<unknown>) {
  const state = { isOver: false }
  const loads = Promise.all([load(services.slice(0, REPLICAS), state), load(services.slice(REPLICAS), state)])
  try {
    await fault()
  } finally {
    state.isOver = true
  }
  const [measured, control] = await loads
  if (isFull) console.log(what, JSON.stringify({ measured, control }))
  expect(measured).toMatchObject({ failed: [] })
  expect(measured.p50).toBeLessThan(2 * control.p50 + REDIS_TIMEOUT / 2)
  expect(measured.p99).toBeLessThan(2 * control.p99 + 5 * REDIS_TIMEOUT)
  expect(measured.longest).toBeLessThan(LONGEST)
}

/** The replicas poll once in ten minutes, and get no request: only the replica that made the change can have told them. */
async function expectNews(services: readonly Service[]) {
  const versionsOf = (service: Service) =>
    service.lines().flatMap(({ msg, version }) => (msg === 'schema loaded' ? [Number(version)] : []))
  const field = { field: 'added', type: 'string' }
  const answer = await services[0]?.send('POST', '/fields/notes', field)
  expect(answer?.status).toBe(200)
  const newest = Math.max(...versionsOf(services[0]!))
  await until(() => services.every((each) => versionsOf(each).includes(newest)), 30, `version ${newest} everywhere`)
}

/** Requests of one address to all replicas in turn, some at a time: how many were accepted. */
async function acceptedOf(services: readonly Service[], requests: number): Promise<number> {
  let accepted = 0
  let sent = 0
  const client = async (first: number) => {
    for (let at = first; sent < requests; at += 1) {
      sent += 1
      const { status } = await (services[at % services.length] ?? services[0]!).get('/server/ping')
      if (status === 200) accepted += 1
      else if (status !== 429) throw new Error(`status ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, at) => client(at)))
  return accepted
}

const limited = (points: number): Environment => ({
  RATE_LIMITER_ENABLED: 'true',
  RATE_LIMITER_POINTS: String(points),
  RATE_LIMITER_DURATION: '600',
})
const unlimited: Environment = { ...limited(100_000_000), SCHEMA_POLL_INTERVAL: '600000' }

/** The status of Redis, as an administrator is told. */
const healthOf = async (service: Service) => {
  const { body } = await service.get('/server/health')
  return (body as { checks: Record<string, { status: string }[]> }).checks['redis:responseTime']?.[0]?.status
}

describe('limits of three replicas', () => {
  const POINTS = 300

  test('are counted together, and in each process while Redis is away', async () => {
    const redis = await started(startRedis)
    const services = await startReplicas({ REDIS_URL: redis.url, ...limited(POINTS) })
    await untilAll(services, UP, 1)
    expect(await healthOf(services[0]!)).toBe('ok')
    // The requests that waited for the start were counted too, some of them before Redis was connected.
    const accepted = await acceptedOf(services, POINTS * 2)
    if (isFull) console.log(`limit ${POINTS}, accepted ${accepted} of ${POINTS * 2}`)
    expect(accepted).toBeGreaterThan(POINTS * 0.9)
    expect(accepted).toBeLessThanOrEqual(POINTS)
    await redis.servers[0]?.kill()
    await untilAll(services, DOWN, 1)
    const without = await acceptedOf(services, POINTS * 4)
    // Each process goes on from what it has counted itself: about a third of the requests before.
    expect(accepted + without).toBeLessThanOrEqual(POINTS * REPLICAS)
    expect(without).toBeGreaterThan(0)
  })
})

describe('requests to three replicas under load', () => {
  test('succeed while Redis is absent, killed, paused and flushed, and each fault is one line of the log', async () => {
    const redis = await started(startRedis)
    const [server] = redis.servers
    await server?.kill()
    const [services, all] = await startWithControl(redis.url)

    await expectUnnoticed(all, 'absent', async () => {
      await sleep(FAULT / 2)
      await server?.startAgain()
      await untilAll(services, UP, 1)
    })
    await expectUnnoticed(all, 'killed', async () => {
      await server?.kill()
      await sleep(FAULT)
      await server?.startAgain()
      await untilAll(services, UP, 2)
    })
    await expectUnnoticed(all, 'paused', async () => {
      server?.pause()
      await sleep(FAULT)
      server?.goOn()
      await untilAll(services, UP, 3)
    })
    await expectUnnoticed(all, 'flushed', async () => {
      for (let times = 0; times < 20; times += 1) {
        await server?.command('flushall')
        await sleep(FAULT / 20)
      }
    })
    for (const service of services) {
      const told = service.lines().flatMap(({ msg }) => (msg === UP || msg === DOWN ? [msg] : []))
      // On a machine that is too busy, an answer of Redis can be late once more.
      expect(told.length).toBeGreaterThanOrEqual(6)
      expect(told).toEqual(told.map((_, at) => (at % 2 === 0 ? DOWN : UP)))
    }
    await expectNews(services)
  })

  test.runIf(isFull)('succeed through a failover by Sentinel', async () => {
    const redis = await started(startSentinels)
    const [services, all] = await startWithControl(redis.url)
    await untilAll(services, UP, 1)
    const before = await redis.primary()
    await expectUnnoticed(all, 'Sentinel, primary killed', async () => {
      await before.kill()
      await untilAll(services, UP, 2)
      await sleep(FAULT / 2)
    })
    const after = await redis.primary()
    expect(after.port).not.toBe(before.port)
    expect(await after.command('keys', 'tain:limit:*')).not.toEqual([])
    await expectUnnoticed(all, 'Sentinel, primary paused', async () => {
      after.pause()
      await untilAll(services, UP, 3)
      after.goOn()
      await sleep(FAULT / 2)
    })
  })

  test.runIf(isFull)('succeed while a node of a cluster is away', async () => {
    const redis = await started(startCluster)
    const [services, all] = await startWithControl(redis.url)
    await untilAll(services, UP, 1)
    const [node] = redis.servers
    await expectUnnoticed(all, 'Cluster, node killed', async () => {
      await node?.kill()
      await sleep(FAULT)
      await node?.startAgain()
      await until(() => services.every((service) => countOf(service, UP) === countOf(service, DOWN) + 1), 30, 'all up')
      await sleep(FAULT / 2)
    })
    for (const service of services) expect(countOf(service, DOWN)).toBeGreaterThan(0)
  })
})
