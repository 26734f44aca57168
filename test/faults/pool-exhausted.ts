// npm run verify pool-exhausted
// Slow statements hold all connections of the pool while many clients ask for something else.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { authorization, untilReady, withService, type Figure, type Service } from '../measurements/service.ts'

interface ExhaustedOptions {
  /** Seconds for which all connections are held. */
  readonly seconds: number
  readonly clients: number
}

type Dialect = 'postgres' | 'mysql'

const POOL = 10
const SERVED_IN = 500
/** Retry-After says at least a second. */
const PAUSE = 1000

const tables: Readonly<Record<Dialect, (seconds: number) => string>> = {
  postgres: (seconds) => `create table things (id integer primary key); insert into things values (1);
    create function take_a_nap() returns text language sql volatile as $$ select pg_sleep(${seconds})::text $$;
    create view naps as select 1 as id, take_a_nap() as nap`,
  mysql: (seconds) => `create table things (id integer primary key); insert into things values (1);
    create view naps as select 1 as id, sleep(${seconds}) as nap`,
}

const running: Readonly<Record<Dialect, string>> = {
  postgres: `select count(*) from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%naps%' and pid <> pg_backend_pid()`,
  mysql: `select count(*) from information_schema.processlist
    where db = database() and info like '%naps%' and command = 'Query' and id <> connection_id()`,
}

interface Outcome {
  readonly status: number
  readonly milliseconds: number
  readonly hasRetryAfter: boolean
}

function ask({ url }: Service, path: string, agent: Agent): Promise<Outcome> {
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (status: number, hasRetryAfter: boolean) =>
      resolve({ status, milliseconds: performance.now() - began, hasRetryAfter })
    get(`${url}${path}`, { agent, headers: authorization }, (answer) => {
      answer.resume()
      answer.once('end', () => end(answer.statusCode ?? 0, answer.headers['retry-after'] !== undefined))
    }).once('error', () => end(0, false))
  })
}

/** Asks until `isOver`, and keeps every outcome. */
async function keepAsking(
  asking: () => Promise<Outcome>,
  pause: number,
  isOver: () => boolean,
  outcomes: Outcome[],
): Promise<void> {
  while (!isOver()) {
    const outcome = await asking()
    if (!isOver()) outcomes.push(outcome)
    await sleep(pause)
  }
}

const THING = '/items/things/1'

/** Milliseconds until twenty requests in a row are served without a wait. */
async function untilNormal(service: Service, agent: Agent): Promise<number> {
  const began = performance.now()
  for (let row = 0; row < 20;) {
    const { status, milliseconds } = await ask(service, THING, agent)
    row = status === 200 && milliseconds < SERVED_IN ? row + 1 : 0
    if (performance.now() - began > 30_000) return Infinity
  }
  return performance.now() - began
}

const percentile = (outcomes: readonly Outcome[], share: number): number => {
  const sorted = outcomes.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function exhaust(service: Service, database: TestDatabase, clients: number): Promise<readonly Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients + POOL + 2 })
  const state = { isOver: false }
  const isOver = () => state.isOver
  const [asked, pings]: [Outcome[], Outcome[]] = [[], []]
  try {
    const held = Array.from({ length: POOL }, () => ask(service, '/items/naps?fields=id,nap', agent))
    const holders = Promise.all(held)
    const counts = async () => Number((await database.query(running[database.dialect as Dialect]))[0]?.[0])
    while ((await counts()) < POOL) await sleep(10)
    const asking = [
      keepAsking(() => ask(service, '/server/ping', agent), 20, isOver, pings),
      ...Array.from({ length: clients }, () => keepAsking(() => ask(service, THING, agent), PAUSE, isOver, asked)),
    ]
    await Promise.race(held)
    state.isOver = true
    const naps = await holders
    const back = await untilNormal(service, agent)
    await Promise.all(asking)
    return figuresOf(database.dialect, { naps, asked, pings, back })
  } finally {
    agent.destroy()
  }
}

interface Measured {
  readonly naps: readonly Outcome[]
  readonly asked: readonly Outcome[]
  readonly pings: readonly Outcome[]
  readonly back: number
}

function figuresOf(dialect: string, { naps, asked, pings, back }: Measured): readonly Figure[] {
  const refused = asked.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter)
  const none = { atMost: 0 }
  return [
    {
      what: `${dialect}: slow statements that failed`,
      value: naps.filter(({ status }) => status !== 200).length,
      unit: '',
      bound: none,
    },
    { what: `${dialect}: refusals`, value: refused.length, unit: '', bound: { atLeast: 1 } },
    {
      what: `${dialect}: answers other than 503 with Retry-After`,
      value: asked.length - refused.length,
      unit: '',
      bound: none,
    },
    { what: `${dialect}: refusals, p50`, value: percentile(refused, 0.5), unit: 'ms' },
    { what: `${dialect}: refusals, p99`, value: percentile(refused, 0.99), unit: 'ms', bound: { atMost: 2200 } },
    { what: `${dialect}: /server/ping, p99`, value: percentile(pings, 0.99), unit: 'ms', bound: { atMost: 50 } },
    { what: `${dialect}: /server/ping, longest`, value: percentile(pings, 1), unit: 'ms' },
    {
      what: `${dialect}: /server/ping, answers other than 200`,
      value: pings.filter(({ status }) => status !== 200).length,
      unit: '',
      bound: none,
    },
    { what: `${dialect}: normal again after`, value: back, unit: 'ms', bound: { atMost: 1000 } },
  ]
}

async function poolExhausted(dialect: Dialect, { seconds, clients }: ExhaustedOptions): Promise<readonly Figure[]> {
  const database = await createDatabase(dialect)
  try {
    await database.query(tables[dialect](seconds))
    const settings = { DATABASE_URL: database.url, DB_POOL_MAX: String(POOL), LOG_LEVEL: 'warn' }
    return await withService(settings, async (service) => {
      await untilReady(service)
      return exhaust(service, database, clients)
    })
  } finally {
    await database.drop()
  }
}

export const figures = async (options: ExhaustedOptions): Promise<Figure[]> => [
  ...(await poolExhausted('postgres', options)),
  ...(await poolExhausted('mysql', options)),
]
