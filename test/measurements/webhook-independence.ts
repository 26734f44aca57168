import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { startReceiver, type Receiver } from '../webhooks/receiver.ts'
import { authorization, untilReady, withService, type Figure } from './service.ts'

const SAMPLES = 50

export interface IndependenceOptions {
  /** How many deliveries wait for the silent receiver. */
  readonly waiting: number
  readonly rounds: number
}

/** A service with one receiver that answers at once. */
interface Side {
  readonly url: string
  readonly receiver: Receiver
  readonly times: number[]
  /** Resolves when the next delivery arrives. */
  readonly arrival: () => Promise<void>
}

async function send(url: string, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { ...authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return (JSON.parse(text) as { data: Record<string, unknown> }).data
}

const keys = { postgres: 'serial primary key', mysql: 'int auto_increment primary key', sqlite: 'integer primary key' }

async function withSide<T>(dialect: TestDialect, work: (side: Side, database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await createDatabase(dialect)
  await database.query(`create table tags (id ${keys[dialect]}, name varchar(200))`)
  let arrived = () => {}
  const receiver = await startReceiver(() => {
    arrived()
    return 204
  })
  const arrival = () => new Promise<void>((resolve) => (arrived = resolve))
  const environment = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    SECRET: 'webhook-independence-webhook-independence',
    WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.0/8',
    WEBHOOKS_TIMEOUT: '2s',
  }
  try {
    return await withService(environment, async (service) => {
      await untilReady(service)
      await send(service.url, 'POST', '/webhooks', { name: 'sound', url: receiver.url, collections: ['tags'] })
      return work({ url: service.url, receiver, times: [], arrival }, database)
    })
  } finally {
    await receiver.close()
    await database.drop()
  }
}

const numbers = {
  postgres: (count: number) => `generate_series(1, ${count}) as g(n)`,
  mysql: (count: number) => `(select seq as n from seq_1_to_${count}) as g`,
  sqlite: (count: number) =>
    `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s) as g`,
}
const times = { postgres: 'now()', mysql: 'now(6)', sqlite: `strftime('%Y-%m-%d %H:%M:%f', 'now')` }

/** Has deliveries of as many items wait for a receiver that never answers, and waits until the service notices that. */
async function addSilent({ url }: Side, silent: Receiver, database: TestDatabase, waiting: number): Promise<void> {
  const { dialect } = database
  const values = { name: 'silent', url: silent.url, collections: ['tags'], events: ['delete'], status: 'paused' }
  const id = String((await send(url, 'POST', '/webhooks', values))['id'])
  const table = dialect === 'postgres' ? 'tain.service_deliveries' : 'service_deliveries'
  const [key, name] = dialect === 'mysql' ? ['`key`', `concat('d', n)`] : ['key', `'d' || n`]
  await database.query(`insert into ${table} (id, webhook, type, collection, ${key}, position, status, attempts,
      next_attempt, due, epoch, number, ordinal, item, content)
    select ${name}, '${id}', 'tags.delete', 'tags', '1', 'e-1', 'waiting', '[]', ${times[dialect]}, ${times[dialect]}, 'e', n, n,
      ${name}, '{"type":"tags.delete"}' from ${numbers[dialect](waiting)}`)
  await send(url, 'PATCH', `/webhooks/${id}`, { status: 'active' })
  const began = performance.now()
  while ((await send(url, 'GET', `/webhooks/${id}`))['failing_since'] === null) {
    if (performance.now() - began > 60_000) throw new Error('the silent receiver was not noticed within a minute')
    await sleep(100)
  }
}

/** From the begin of a write to the arrival of its delivery. */
async function sample({ url, arrival, times: found }: Side): Promise<void> {
  const began = performance.now()
  const arrived = arrival().then(() => found.push(performance.now() - began))
  await send(url, 'POST', '/items/tags', { name: 'a tag' })
  await arrived
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN

/** How long a delivery takes with and without deliveries that wait for another receiver, which is silent. */
export const measureIndependence = (
  dialect: TestDialect,
  { waiting, rounds }: IndependenceOptions,
): Promise<Figure[]> =>
  withSide(dialect, (alone) =>
    withSide(dialect, async (beside, database) => {
      const silent = await startReceiver(() => () => {})
      await addSilent(beside, silent, database, waiting)
      for (let warming = 0; warming < SAMPLES; warming += 1) for (const side of [alone, beside]) await sample(side)
      for (const { times: found } of [alone, beside]) found.length = 0
      for (let round = 0; round < rounds; round += 1)
        for (const side of Math.random() < 0.5 ? [alone, beside] : [beside, alone])
          for (let count = 0; count < SAMPLES; count += 1) await sample(side)
      await silent.close()
      const p99 = [alone, beside].map(({ times: found }) => quantile(found, 0.99)) as [number, number]
      const p50 = [alone, beside].map(({ times: found }) => quantile(found, 0.5)) as [number, number]
      return [
        { what: `delivery on ${dialect}, p50`, value: p50[0], unit: 'ms' },
        { what: `delivery on ${dialect}, p99`, value: p99[0], unit: 'ms' },
        { what: `with ${waiting} waiting for a silent receiver, p50`, value: p50[1], unit: 'ms' },
        { what: `with ${waiting} waiting for a silent receiver, p99`, value: p99[1], unit: 'ms' },
        { what: 'p99 with / p99 without', value: p99[1] / p99[0], unit: '', bound: { atMost: 1.2 } },
      ]
    }),
  )
