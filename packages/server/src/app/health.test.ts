import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RedisClient } from '../cluster/redis-connection.ts'
import type { Redis } from '../cluster/redis.ts'
import type { Database } from '../sql/database.ts'
import type { Driver } from '../sql/driver.ts'
import { createDependencyChecks, type Dependencies } from './health.ts'

const driver = {
  query: async () => [['Database 1', 'f']],
  transaction: async (work: (transaction: object) => unknown) => work({ query: async () => [['Database 1', 'f']] }),
  stats: () => ({ max: 1, open: 0, idle: 0, waiting: 0 }),
} as unknown as Driver

const database = {
  driver,
  schemaDriver: driver,
  backgroundDriver: driver,
  readers: null,
  sessionFacts: () => ({ text: 'select', values: [] }),
} as unknown as Database

const alone: Dependencies = {
  database,
  isReadOnly: false,
  mailer: { verify: null },
  redis: null,
  redisPrefix: 'tain',
  storages: null,
}

/** Redis that answers, or is down. */
const redisThat = (isUp: () => boolean, asked: string[]): Pick<Redis, 'attempt'> => ({
  attempt: async (commands, instead) =>
    isUp()
      ? commands({
          get: async (key: string) => {
            asked.push(key)
            return null
          },
        } as unknown as RedisClient)
      : instead(),
})

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what is not configured is not checked', async () => {
  const names = Object.keys(await createDependencyChecks(alone)())
  expect(names.filter((name) => /^(mail|redis)/u.test(name))).toEqual([])
})

test('a mail server is asked once for all who ask within half a minute', async () => {
  let times = 0
  const check = createDependencyChecks({ ...alone, mailer: { verify: async () => void (times += 1) } })
  const answers = await Promise.all([check(), check(), check()])
  expect(answers.map((answer) => answer['mail:responseTime']?.status)).toEqual(['ok', 'ok', 'ok'])
  await vi.advanceTimersByTimeAsync(29_000)
  await check()
  expect(times).toBe(1)
  await vi.advanceTimersByTimeAsync(1001)
  await check()
  expect(times).toBe(2)
})

test('a mail server that refuses or says nothing is a warning, after two seconds at the latest', async () => {
  const refusing = createDependencyChecks({ ...alone, mailer: { verify: () => Promise.reject(new Error('535')) } })
  expect((await refusing())['mail:responseTime']).toMatchObject({ status: 'warn', componentType: 'component' })
  const silent = createDependencyChecks({ ...alone, mailer: { verify: () => new Promise(() => undefined) } })
  const answer = silent()
  await vi.advanceTimersByTimeAsync(2001)
  expect((await answer)['mail:responseTime']).toMatchObject({ status: 'warn' })
})

test('Redis is asked for a key, and a failure is a warning that is gone soon after', async () => {
  const asked: string[] = []
  let isUp = false
  const check = createDependencyChecks({ ...alone, redis: redisThat(() => isUp, asked) })
  expect((await check())['redis:responseTime']).toMatchObject({ status: 'warn', componentType: 'datastore' })
  isUp = true
  expect((await check())['redis:responseTime']).toMatchObject({ status: 'warn' })
  await vi.advanceTimersByTimeAsync(2001)
  expect((await check())['redis:responseTime']).toMatchObject({ status: 'ok', observedUnit: 'ms' })
  expect(asked).toEqual(['tain:trial'])
})
