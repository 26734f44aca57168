// npm run verify webhooks [-- --deliveries 5000 --dialect postgres --waiting 100000 --rounds 20]
// How many deliveries one process sends in a second, to receivers that answer at once and to one that is far away behind TLS,
// and how long a delivery takes while 100,000 others wait for a receiver that is silent, in 20 rounds.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDialect } from '../lib/databases.ts'
import { makeCertificate, startDistantReceiver } from '../webhooks/distant.ts'
import { startReceiver, type Receiver } from '../webhooks/receiver.ts'
import { measureIndependence } from './webhook-independence.ts'
import { authorization, untilReady, withService, type Figure } from './service.ts'

const HOSTS = 4
const ROWS_AT_ONCE = 500
/** Milliseconds. */
const ROUND_TRIP = 50
const DISTANT = 1500

async function send(
  url: string,
  method: string,
  path: string,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { ...authorization, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return (JSON.parse(text) as { data: Readonly<Record<string, unknown>> }).data
}

async function until(isDone: () => boolean): Promise<number> {
  const began = performance.now()
  while (!isDone()) {
    if (performance.now() - began > 120_000) throw new Error('deliveries did not arrive within two minutes')
    await sleep(5)
  }
  return performance.now() - began
}

const receiversOn = (hosts: number) =>
  Promise.all(Array.from({ length: hosts }, (_, n) => startReceiver(undefined, `127.0.0.${n + 1}`)))

/** Deliveries in a second to all of these receivers together. */
async function rateOf(count: number, receivers: readonly Receiver[], url: string): Promise<number> {
  const hosts = receivers.length
  const made = await Promise.all(
    receivers.map((receiver) =>
      send(url, 'POST', '/webhooks', { name: 'rate', url: receiver.url, collections: ['tags'], status: 'paused' }),
    ),
  )
  const each = Math.ceil(count / hosts)
  for (let at = 0; at < each; at += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, each - at) }, () => ({ name: 'a tag' }))
    await send(url, 'POST', '/items/tags', rows)
  }
  await sleep(2000)
  for (const { id } of made) await send(url, 'PATCH', `/webhooks/${String(id)}`, { status: 'active' })
  const time = await until(() => receivers.every(({ received }) => received.length >= each))
  await sleep(500)
  const extra = receivers.reduce((sum, { received }) => sum + received.length, 0) - each * hosts
  if (extra > 0) throw new Error(`${extra} deliveries arrived twice`)
  for (const { id } of made) await fetch(`${url}/webhooks/${String(id)}`, { method: 'DELETE', headers: authorization })
  for (const receiver of receivers) await receiver.close()
  return (each * hosts) / (time / 1000)
}

async function measureWebhooks(count: number, dialect: TestDialect): Promise<Figure[]> {
  const database = await createDatabase(dialect)
  const key = { postgres: 'serial primary key', mysql: 'int auto_increment primary key', sqlite: 'integer primary key' }
  await database.query(`create table tags (id ${key[dialect]}, name varchar(200))`)
  const certificate = makeCertificate()
  const environment = {
    NODE_EXTRA_CA_CERTS: certificate.file,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    SECRET: 'webhook-rates-secret-webhook-rates-secret',
    WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.0/8',
  }
  try {
    return await withService(environment, async (service) => {
      const { url } = service
      await untilReady(service)
      const many = await rateOf(count, await receiversOn(HOSTS), url)
      const one = await rateOf(count, await receiversOn(1), url)
      const distant = await rateOf(DISTANT, [await startDistantReceiver(certificate, ROUND_TRIP)], url)
      return [
        {
          what: `deliveries to ${HOSTS} hosts on ${dialect}`,
          value: Math.round(many),
          unit: '/s',
          bound: { atLeast: 1000 },
        },
        { what: `deliveries to one host on ${dialect}`, value: Math.round(one), unit: '/s', bound: { atLeast: 1000 } },
        {
          what: `deliveries to one TLS host at ${ROUND_TRIP} ms on ${dialect}`,
          value: Math.round(distant),
          unit: '/s',
          bound: { atLeast: 150 },
        },
      ]
    })
  } finally {
    certificate.remove()
    await database.drop()
  }
}

interface Webhooks {
  readonly dialect: TestDialect
  readonly deliveries: number
  /** Deliveries that wait for a silent receiver. */
  readonly waiting: number
  readonly rounds: number
}

export const webhooks = async ({ dialect, deliveries, waiting, rounds }: Webhooks): Promise<Figure[]> => [
  ...(await measureWebhooks(deliveries, dialect)),
  ...(await measureIndependence(dialect, { waiting, rounds })),
]
