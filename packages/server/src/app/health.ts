import type { Redis } from '../cluster/redis.ts'
import type { Storages } from '../files/storage/storages.ts'
import { within } from '../lib/within.ts'
import type { Mailer } from '../mail/mail.ts'
import { poolsOf, type Database } from '../sql/database.ts'
import type { Check, DependencyChecks } from '../system/procedures/system-services.ts'

/** What the service depends on, or does without: null is not checked. */
export interface Dependencies {
  readonly database: Database
  /** A service that only reads needs no database that takes writes. */
  readonly isReadOnly: boolean
  readonly mailer: Pick<Mailer, 'verify'>
  readonly redis: Pick<Redis, 'attempt'> | null
  readonly redisPrefix: string
  readonly storages: Pick<Storages, 'probe'> | null
}

type Checks = Readonly<Record<string, Check>>

/** A mail server may count connections, and log in costs it work. */
const MAIL_LIFETIME = 30_000
const MAIL_PATIENCE = 2000
const REDIS_LIFETIME = 2000
const STORAGE_LIFETIME = 30_000

/** What the service depends on, one row for each check. Another dependency is one more row. */
export function createDependencyChecks(dependencies: Dependencies): DependencyChecks {
  const { database, mailer, redis, redisPrefix, storages } = dependencies
  const mail = mailer.verify === null ? null : remembered(MAIL_LIFETIME, mailChecks(mailer.verify))
  const shared = redis === null ? null : remembered(REDIS_LIFETIME, redisChecks(redis, redisPrefix))
  const files = storages === null ? null : remembered(STORAGE_LIFETIME, storageChecks(storages))
  return async () => {
    const [answers, ...others] = await Promise.all([answering(dependencies), mail?.(), shared?.(), files?.()])
    return Object.assign({ ...answers, ...pools(database) }, ...others)
  }
}

/** Those who ask at the same time, or soon after, get the same answer. */
function remembered(lifetime: number, ask: () => Promise<Checks>): () => Promise<Checks> {
  let last: { readonly answer: Promise<Checks>; readonly expires: number } | null = null
  return () => {
    if (last === null || last.expires <= performance.now())
      last = { answer: ask(), expires: performance.now() + lifetime }
    return last.answer
  }
}

const sinceThen = (began: number) => Math.round((performance.now() - began) * 10) / 10

/** The service works without it, so its failure is a warning. */
const optional = (componentType: Check['componentType'], isAnswering: boolean, observedValue: number): Check => ({
  status: isAnswering ? 'ok' : 'warn',
  componentType,
  observedValue,
  observedUnit: 'ms',
})

/** Connects and logs in, as before a mail, and leaves. */
const mailChecks = (verify: () => Promise<void>) => async (): Promise<Checks> => {
  const began = performance.now()
  const isAnswering = await within(MAIL_PATIENCE, verify()).then(
    () => true,
    () => false,
  )
  return { 'mail:responseTime': optional('component', isAnswering, sinceThen(began)) }
}

/** Takes no longer than REDIS_TIMEOUT, and does not wait for a connection. */
const redisChecks = (redis: Pick<Redis, 'attempt'>, prefix: string) => async (): Promise<Checks> => {
  const began = performance.now()
  const isAnswering = await redis.attempt(
    (client) => client.get(`${prefix}:trial`).then(() => true),
    () => false,
  )
  return { 'redis:responseTime': optional('datastore', isAnswering, sinceThen(began)) }
}

/** Without a storage only files do not work. The log has its place and the reason. */
const storageChecks = (storages: Pick<Storages, 'probe'>) => async (): Promise<Checks> =>
  Object.fromEntries(
    (await storages.probe()).map(({ location: { name }, reason }) => {
      const observedValue = reason === null
      const status = observedValue ? 'ok' : 'warn'
      return [`storage:${name}:writable`, { status, componentType: 'component', observedValue } as const]
    }),
  )

async function answering({ database, isReadOnly }: Dependencies): Promise<Checks> {
  const { driver, sessionFacts } = database
  const began = performance.now()
  // On the connection that would write: in SQLite it is another one than those that read.
  const asked = isReadOnly
    ? driver.query(sessionFacts())
    : driver.transaction((transaction) => transaction.query(sessionFacts()))
  const row = await asked.then(
    ([first]) => first ?? null,
    () => null,
  )
  const observedValue = sinceThen(began)
  const status = row === null ? 'error' : 'ok'
  const isWritable = row !== null && row[1] !== 't'
  return {
    'database:responseTime': { status, componentType: 'datastore', observedValue, observedUnit: 'ms' },
    'database:writable': {
      status: isWritable || (isReadOnly && row !== null) ? 'ok' : 'error',
      componentType: 'datastore',
      observedValue: isWritable,
    },
  }
}

/** The connections in use of each pool; statements that wait are a warning. */
const pools = (database: Database): Checks =>
  Object.fromEntries(
    poolsOf(database).map(([name, driver]) => {
      const { max, open, idle, waiting } = driver.stats()
      const status = waiting > 0 ? 'warn' : 'ok'
      const check = { status, componentType: 'component', observedValue: open - idle, threshold: max, waiting } as const
      return [`pool:${name}`, check]
    }),
  )
