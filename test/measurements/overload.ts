// npm run verify overload
// Five times as many requests as the database can serve, and 2,000 clients that send slowly.
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '../lib/databases.ts'
import { authorization, memoryOf, untilReady, withService, type Figure, type Service } from './service.ts'

export interface OverloadOptions {
  readonly seconds: number
  readonly slowClients: number
}

/** With two connections and 20 ms for each statement the client is not the limit. */
const CONNECTIONS = 2
const STATEMENT = 0.02
const TIMES = 5
const SLOW_PATH = '/items/naps?fields=id,nap'

const TABLES = `
  create table things (id integer primary key, name text);
  insert into things select n, 'thing ' || n from generate_series(1, 100) n;
  create function take_a_nap() returns text language sql volatile as $$ select pg_sleep(${STATEMENT})::text $$;
  create view naps as select 1 as id, take_a_nap() as nap;`

interface Outcome {
  readonly began: number
  readonly ended: number
  readonly status: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 4000 })

function ask({ url }: Service, path: string): Promise<Outcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ began, ended: performance.now(), status })
    const request = get(`${url}${path}`, { agent, headers: authorization }, (answer: IncomingMessage) => {
      answer.resume()
      answer.once('end', () => end(answer.statusCode ?? 0))
    })
    request.once('error', () => end(0))
  })
}

/** Clients that each wait for their response before they ask again. */
async function peak(service: Service, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let served = 0
  const client = async () => {
    while (performance.now() < until) if ((await ask(service, SLOW_PATH)).status === 200) served += 1
  }
  await Promise.all(Array.from({ length: CONNECTIONS * 3 }, client))
  return served / seconds
}

/** Requests at a rate, whether or not earlier ones are answered. */
async function flood(service: Service, rate: number, seconds: number, path: string): Promise<readonly Outcome[]> {
  const began = performance.now()
  const asked: Promise<Outcome>[] = []
  while (performance.now() - began < seconds * 1000) {
    const due = ((performance.now() - began) / 1000) * rate
    while (asked.length < due) asked.push(ask(service, path))
    await sleep(2)
  }
  return Promise.all(asked)
}

const durations = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ began, ended }) => ended - began).toSorted((one, other) => one - other)

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Milliseconds until ten requests in a row succeed without a wait. */
async function untilNormal(service: Service): Promise<number> {
  const began = performance.now()
  for (let row = 0; row < 10;) {
    const { status, began: sent, ended } = await ask(service, SLOW_PATH)
    row = status === 200 && ended - sent < 200 ? row + 1 : 0
    if (performance.now() - began > 20_000) return Infinity
  }
  return performance.now() - began
}

async function proveFlood(service: Service, seconds: number): Promise<readonly Figure[]> {
  const best = await peak(service, 3)
  const state = { isOver: false }
  const looks: Outcome[] = []
  const idle = memoryOf(service).rss
  let most = idle
  const looking = (async () => {
    while (!state.isOver) {
      most = Math.max(most, memoryOf(service).rss)
      looks.push(await ask(service, '/server/ping'))
      await sleep(50)
    }
  })()
  const outcomes = await flood(service, best * TIMES, seconds, SLOW_PATH)
  state.isOver = true
  await looking
  const served = outcomes.filter(({ status }) => status === 200)
  const refused = outcomes.filter(({ status }) => status === 503)
  const back = await untilNormal(service)
  return [
    { what: 'peak without overload', value: best, unit: '/s' },
    { what: 'requests sent', value: outcomes.length / seconds, unit: '/s' },
    {
      what: 'goodput at five times the peak, share of the peak',
      value: served.length / seconds / best,
      unit: '',
      bound: { atLeast: 0.8 },
    },
    {
      what: 'answers other than 200 and 503',
      value: outcomes.length - served.length - refused.length,
      unit: '',
      bound: { atMost: 0 },
    },
    { what: 'refusals', value: refused.length / seconds, unit: '/s', bound: { atLeast: 1 } },
    { what: 'refusals, p99', value: percentile(durations(refused), 0.99), unit: 'ms', bound: { atMost: 100 } },
    { what: 'served, p50', value: percentile(durations(served), 0.5), unit: 'ms' },
    { what: 'served, p99', value: percentile(durations(served), 0.99), unit: 'ms' },
    {
      what: '/server/ping meanwhile, p99',
      value: percentile(durations(looks), 0.99),
      unit: 'ms',
      bound: { atMost: 50 },
    },
    { what: 'memory over that before', value: most - idle, unit: 'MB', bound: { atMost: 150 } },
    { what: 'normal again after', value: back, unit: 'ms', bound: { atMost: 5000 } },
  ]
}

/** Half of them send a header line at a time, the others a body byte at a time. */
async function openSlowly({ port }: Service, count: number): Promise<readonly Socket[]> {
  const head = `POST /items/things HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization.authorization}\r\n`
  const body = `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`
  const sockets = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write(at % 2 === 0 ? head : body)
      return socket
    }),
  )
  const timer = setInterval(() => {
    for (const [at, socket] of sockets.entries())
      if (!socket.destroyed) socket.write(at % 2 === 0 ? `X-Slow: ${at}\r\n` : ' ')
  }, 1000)
  timer.unref()
  return sockets
}

async function proveSlowClients(service: Service, count: number, seconds: number): Promise<readonly Figure[]> {
  const path = '/items/things/1'
  await flood(service, 100, 1, path)
  const sockets = await openSlowly(service, count)
  const outcomes = await flood(service, 100, seconds, path)
  for (const socket of sockets) socket.destroy()
  return [
    {
      what: `with ${count} slow clients: answers other than 200`,
      value: outcomes.filter(({ status }) => status !== 200).length,
      unit: '',
      bound: { atMost: 0 },
    },
    {
      what: `with ${count} slow clients: p99`,
      value: percentile(durations(outcomes), 0.99),
      unit: 'ms',
      bound: { atMost: 100 },
    },
  ]
}

export async function overload({ seconds, slowClients }: OverloadOptions): Promise<readonly Figure[]> {
  const database = await createDatabase('postgres')
  try {
    await database.query(TABLES)
    const settings = { DATABASE_URL: database.url, DB_POOL_MAX: String(CONNECTIONS), LOG_LEVEL: 'warn' }
    return await withService(settings, async (service) => {
      await untilReady(service)
      const flooded = await proveFlood(service, seconds)
      return [...flooded, ...(await proveSlowClients(service, slowClients, Math.min(seconds, 10)))]
    })
  } finally {
    agent.destroy()
    await database.drop()
  }
}
