// npm run verify cuts
// Connections to the database and connections of clients break at random bytes. Every response names the request it
// belongs to, so that one given to another request is seen.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { untilReady, withService, type Figure, type Service } from '../measurements/service.ts'
import { createRng, type Rng } from '../random/rng.ts'
import { cutsOf, startCutProxy, type Cut, type CutKind, type CutProxy } from './cut-proxy.ts'
import { client, nap, tables, type Outcome } from './cut-requests.ts'

const CLIENTS = 24
export const POOL = 10
const STATEMENT_TIMEOUT = 1000
const ACQUIRE_TIMEOUT = 2000
/** The service waits so much longer than the server's own statement timeout, before it gives a connection up. */
const SILENCE = STATEMENT_TIMEOUT + 5000
/** Each statement of a request can wait for a connection, and then for a server that says nothing; a write has several. */
const LONGEST = 2 * (ACQUIRE_TIMEOUT + SILENCE)
const PATIENCE = 3 * LONGEST
/** A client whose own connection broke without a word gives up. */
const CLIENT_PATIENCE = 1000

type Target = 'postgres' | 'postgres, sessions set by statements' | 'mysql' | 'clients'

interface Stage {
  readonly dialect: 'postgres' | 'mysql'
  readonly settings: Readonly<Record<string, string>>
  /** Bytes after which a connection breaks at the latest. */
  readonly most: number
  readonly cutsClients: boolean
}

const stages: Readonly<Record<Target, Stage>> = {
  postgres: { dialect: 'postgres', settings: {}, most: 40_000, cutsClients: false },
  'postgres, sessions set by statements': {
    dialect: 'postgres',
    settings: { DB_PREPARED_STATEMENTS: '0', POSTGRES_PROTOCOL: 'driver' },
    most: 40_000,
    cutsClients: false,
  },
  mysql: { dialect: 'mysql', settings: {}, most: 40_000, cutsClients: false },
  clients: { dialect: 'postgres', settings: {}, most: 15_000, cutsClients: true },
}

const kinds: readonly (readonly [number, CutKind])[] = [
  [47, 'reset'],
  [47, 'truncate'],
  [3, 'half-open'],
  [3, 'black-hole'],
]

/** A fifth of the connections break while they are opened. */
const planOf = (rng: Rng, most: number): Cut => ({
  kind: rng.weighted(kinds),
  direction: rng.pick(['up', 'down']),
  after: rng.chance(0.2) ? rng.int(1, 800) : rng.int(800, most),
})

export interface CutResult {
  readonly cuts: number
  readonly requests: number
  readonly served: number
  readonly wrong: readonly string[]
  /** Responses other than 200 and 503, and broken connections of clients that were not cut. */
  readonly odd: readonly string[]
  readonly longest: number
  /** Milliseconds from the last cut until 100 requests in a row were served. */
  readonly recovery: number
  /** Connections to the database while more statements run than the pool has connections. */
  readonly backends: number
  readonly stray: number
}

const backendsOf = async ({ dialect, query }: TestDatabase): Promise<{ busy: number; all: number }> => {
  const text =
    dialect === 'postgres'
      ? `select count(*) filter (where query like '%naps%' and state = 'active'), count(*) from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
      : `select sum(info like '%naps%' and command = 'Query' and id <> connection_id()), count(*) - 1
         from information_schema.processlist where db = database()`
  const [row] = await query(text)
  return { busy: Number(row?.[0]), all: Number(row?.[1]) }
}

async function untilNormal(port: number): Promise<number> {
  const began = performance.now()
  const state = { row: 0 }
  const seen = ({ status }: Outcome) => {
    state.row = status === 200 ? state.row + 1 : 0
  }
  const isOver = () => state.row >= 100 || performance.now() - began > PATIENCE
  await Promise.all([1, 2, 3, 4].map((own) => client(port, own, createRng(own), { patience: PATIENCE, isOver, seen })))
  return state.row >= 100 ? performance.now() - began : Infinity
}

/** The most connections that work at once: a slot of the pool that a broken connection took away is missed here. */
async function saturate(port: number, database: TestDatabase): Promise<{ backends: number; all: number }> {
  const agent = new Agent({ keepAlive: true })
  const most = { backends: 0, all: 0 }
  const state = { isOver: false }
  const client = async () => {
    while (!state.isOver) await nap(port, agent, PATIENCE)
  }
  const clients = Array.from({ length: POOL * 2 }, client)
  const until = performance.now() + 10_000
  while (most.backends < POOL && performance.now() < until) {
    const { busy, all } = await backendsOf(database)
    most.backends = Math.max(most.backends, busy)
    most.all = Math.max(most.all, all)
    await sleep(25)
  }
  state.isOver = true
  await Promise.all(clients)
  agent.destroy()
  return most
}

/** Besides the pool: schema changes have three connections, and background work one. */
const OTHERS = 4

async function cutUnderLoad(
  { service, port, proxy, database }: { service: Service; port: number; proxy: CutProxy; database: TestDatabase },
  { cutsClients }: Stage,
  cuts: number,
  seed: number,
): Promise<CutResult> {
  const outcomes = { requests: 0, served: 0, wrong: [] as string[], odd: [] as string[], longest: 0 }
  const seen = ({ status, error, isWrong, text, began, ended }: Outcome) => {
    outcomes.requests += 1
    outcomes.longest = Math.max(outcomes.longest, ended - began)
    if (status === 200) outcomes.served += 1
    if (isWrong) outcomes.wrong.push(text.slice(0, 200))
    const isExpected = status === 200 || status === 503 || (cutsClients && error !== null)
    if (!isExpected) outcomes.odd.push(error ?? `${status} ${text.slice(0, 200)}`)
  }
  const patience = cutsClients ? CLIENT_PATIENCE : PATIENCE
  const isOver = () => cutsOf(proxy) >= cuts || service.child.exitCode !== null
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) => client(port, at + 1, createRng(seed, at), { patience, isOver, seen })),
  )
  proxy.relent()
  const recovery = await untilNormal(service.port)
  const { backends, all } = await saturate(service.port, database)
  return { ...outcomes, cuts: cutsOf(proxy), recovery, backends, stray: Math.max(0, all - POOL - OTHERS) }
}

export async function cut(target: Target, cuts: number, seed: number): Promise<CutResult> {
  const stage = stages[target]
  const database = await createDatabase(stage.dialect)
  const rng = createRng(seed)
  const control = { cuts: false }
  const plan = () => (control.cuts ? planOf(rng, stage.most) : undefined)
  try {
    await database.query(tables(stage.dialect, CLIENTS))
    const url = new URL(database.url)
    const near = await startCutProxy({ host: url.hostname, port: Number(url.port) }, () =>
      stage.cutsClients ? undefined : plan(),
    )
    const settings = {
      ...stage.settings,
      DATABASE_URL: Object.assign(url, { host: `127.0.0.1:${near.port}` }).href,
      DB_POOL_MAX: String(POOL),
      DB_STATEMENT_TIMEOUT: String(STATEMENT_TIMEOUT),
      DB_ACQUIRE_TIMEOUT: String(ACQUIRE_TIMEOUT),
      LOG_LEVEL: 'error',
    }
    try {
      return await withService(settings, async (service) => {
        await untilReady(service)
        control.cuts = true
        if (!stage.cutsClients)
          return await cutUnderLoad({ service, port: service.port, proxy: near, database }, stage, cuts, seed)
        const far = await startCutProxy({ host: '127.0.0.1', port: service.port }, plan)
        try {
          return await cutUnderLoad({ service, port: far.port, proxy: far, database }, stage, cuts, seed)
        } finally {
          await far.close()
        }
      })
    } finally {
      await near.close()
    }
  } finally {
    await database.drop()
  }
}

const none = { atMost: 0 }

const figuresOf = (what: string, result: CutResult): Figure[] => [
  { what: `${what}: connections cut`, value: result.cuts, unit: '' },
  { what: `${what}: requests`, value: result.requests, unit: '' },
  { what: `${what}: served`, value: result.served, unit: '' },
  { what: `${what}: answers of another request`, value: result.wrong.length, unit: '', bound: none },
  { what: `${what}: answers other than 200 and 503`, value: result.odd.length, unit: '', bound: none },
  { what: `${what}: longest request`, value: result.longest, unit: 'ms', bound: { atMost: LONGEST } },
  { what: `${what}: normal again after`, value: result.recovery, unit: 'ms', bound: { atMost: LONGEST } },
  { what: `${what}: connections that work`, value: result.backends, unit: '', bound: { atLeast: POOL } },
  { what: `${what}: connections too many`, value: result.stray, unit: '', bound: none },
]

/** Out of 10,000 cuts. */
const shares: readonly (readonly [Target, number])[] = [
  ['postgres', 0.3],
  ['postgres, sessions set by statements', 0.15],
  ['mysql', 0.35],
  ['clients', 0.2],
]

export async function cuts(count: number, seed: number): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [target, share] of shares) {
    const result = await cut(target, Math.round(count * share), seed)
    for (const text of new Set([...result.wrong, ...result.odd])) console.log(`${target}: ${text}`)
    figures.push(...figuresOf(target, result))
  }
  return figures
}
