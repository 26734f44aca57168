// npm run verify ddl-live
// Two callers add, alter and drop fields on three replicas under traffic. No request fails, each response matches the
// schema before or after a change as a whole, and all replicas follow at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, withDatabase } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { startService, type Answer, type Service } from '../lib/service.ts'

export interface LiveOptions {
  /** Total over all callers. */
  readonly fields: number
  /** Requests per second. */
  readonly rate: number
  /** Polls the catalogue so rarely that replicas can only follow the versions in statement results. */
  readonly isLate: boolean
}

export interface LiveResult {
  readonly requests: number
  readonly failures: readonly string[]
  readonly mixtures: readonly string[]
  /** Milliseconds. */
  readonly slowestRead: number
  readonly slowestChange: number
  /** Longest time that a read waited for another session's lock, as reported by the database. */
  readonly longestWait: number
  readonly convergences: readonly number[]
}

const tables = ['left', 'right'] as const
const structure = tables
  .map(
    (name) => `create table "${name}" (id integer primary key, name text);
    insert into "${name}" select n, 'row ' || n from generate_series(1, 200) n;`,
  )
  .join('')

type Shape = ReadonlyMap<string, string>

/** The shape of a table and the longest interval in which it may have been visible. */
interface Version {
  readonly shape: Shape
  readonly from: number
  to: number
}

class History {
  readonly versions: Version[] = [{ shape: new Map(), from: 0, to: Infinity }]

  get latest(): Version {
    return this.versions.at(-1) as Version
  }

  /** Runs a change. Until the response arrives, both shapes may be seen. */
  async change(shape: Shape, work: () => Promise<void>): Promise<void> {
    const before = this.latest
    this.versions.push({ shape, from: performance.now(), to: Infinity })
    await work()
    before.to = performance.now()
  }

  fits(row: Readonly<Record<string, unknown>>, began: number, ended: number): boolean {
    const { id: _id, name: _name, ...rest } = row
    const seen = Object.entries(rest)
    return this.versions.some(
      ({ shape, from, to }) =>
        from <= ended &&
        to >= began &&
        shape.size === seen.length &&
        seen.every(([key, value]) => shape.get(key) === typeof value),
    )
  }
}

interface Run {
  readonly replicas: readonly Service[]
  readonly histories: ReadonlyMap<string, History>
  readonly count: { requests: number; slowestRead: number; slowestChange: number; longestWait: number }
  readonly failures: string[]
  readonly mixtures: string[]
  readonly convergences: number[]
  isOver: boolean
}

const historyOf = ({ histories }: Run, table: string): History => histories.get(table) as History

/** The request for a turn. It names fields that may be in the middle of a change. */
function requestOf(run: Run, turn: number): readonly [method: string, path: string, body?: unknown] {
  const table = tables[turn % 2] ?? 'left'
  const named = [...historyOf(run, table).latest.shape.keys()].at(-1) ?? 'name'
  switch (turn % 20) {
    case 1:
    case 8:
      return ['GET', `/items/${table}?fields=id,${named}&limit=2`]
    case 3:
    case 14:
      return ['GET', `/items/${table}?filter[${named}][_nnull]=true&sort=-${named}&limit=2`]
    case 5:
    case 10:
      return ['PATCH', `/items/${table}/${1 + (turn % 200)}?fields=id`, { name: `row ${turn}` }]
    case 7:
      return ['GET', `/fields/${table}`]
    default:
      return ['GET', `/items/${table}?fields=*&limit=3&sort=id`]
  }
}

async function request(run: Run, turn: number): Promise<void> {
  const replica = run.replicas[turn % run.replicas.length] as Service
  const [method, path, body] = requestOf(run, turn)
  const began = performance.now()
  const answer = await replica.send(method, path, body).catch((error: unknown) => String(error))
  const ended = performance.now()
  run.count.requests += 1
  if (method === 'GET') run.count.slowestRead = Math.max(run.count.slowestRead, ended - began)
  if (typeof answer === 'string' || ![200, 403].includes(answer.status)) {
    run.failures.push(`${method} ${path}: ${typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`}`)
    return
  }
  if (answer.status !== 200 || !path.includes('fields=*')) return
  const rows = (answer.body as { data: Record<string, unknown>[] }).data
  const history = historyOf(run, tables[turn % 2] ?? 'left')
  if (rows.length !== 3 || !rows.every((row) => history.fits(row, began, ended)))
    run.mixtures.push(`${path}: ${answer.text}`)
}

/** Sends the given number of requests per second, whether or not earlier ones have been answered. */
async function traffic(run: Run, rate: number): Promise<void> {
  const under = new Set<Promise<void>>()
  const began = performance.now()
  for (let turn = 0; !run.isOver; turn += 1) {
    const due = began + (turn * 1000) / rate - performance.now()
    if (due > 0) await sleep(due)
    const one = request(run, turn).finally(() => under.delete(one))
    under.add(one)
  }
  await Promise.all(under)
}

/** Continuously checks how long sessions wait for a table lock. */
async function watchWaits(run: Run, url: string): Promise<void> {
  const { query, close } = await connect(url)
  while (!run.isOver) {
    const [row] = await query(`select coalesce(max(extract(epoch from clock_timestamp() - waitstart) * 1000), 0)
      from pg_locks where not granted and locktype = 'relation' and mode = 'AccessShareLock'`)
    run.count.longestWait = Math.max(run.count.longestWait, Number(row?.[0]))
    await sleep(20)
  }
  await close()
}

/** Measures how long it takes until every replica shows a change made on one of them. */
async function convergence(run: Run, path: string, isThere: (answer: Answer) => boolean): Promise<void> {
  const began = performance.now()
  await Promise.all(
    run.replicas.map(async (replica) => {
      while (!isThere(await replica.get(path))) {
        if (performance.now() - began > 20_000) throw new Error(`not within 20 s: ${path} on ${replica.url}`)
        await sleep(5)
      }
    }),
  )
  run.convergences.push(performance.now() - began)
}

const valueOf = ({ body }: Answer, field: string): unknown =>
  (body as { data?: Record<string, unknown>[] } | undefined)?.data?.[0]?.[field]

/** A caller that changes one table: each field is added, altered to another type and dropped. */
async function caller(run: Run, table: string, fields: number, offset: number): Promise<void> {
  const history = historyOf(run, table)
  const change = async (turn: number, shape: Shape, method: string, path: string, body?: unknown) => {
    const replica = run.replicas[(turn + offset) % run.replicas.length] as Service
    const began = performance.now()
    await history.change(shape, async () => {
      const { status, text } = await replica.send(method, path, body)
      if (status >= 300) run.failures.push(`${method} ${path}: ${status} ${text}`)
    })
    run.count.slowestChange = Math.max(run.count.slowestChange, performance.now() - began)
  }
  for (let turn = 0; turn < fields; turn += 1) {
    const field = `field_${turn}`
    const address = `/fields/${table}/${field}`
    const items = `/items/${table}?fields=${field}&limit=1`
    const { shape } = history.latest
    const body = { field, type: 'integer', schema: { default_value: 7 }, meta: { note: 'live' } }
    await change(turn, new Map([...shape, [field, 'number']]), 'POST', `/fields/${table}`, body)
    await convergence(run, items, (answer) => valueOf(answer, field) === 7)
    await change(turn + 1, new Map([...shape, [field, 'string']]), 'PATCH', address, { type: 'string' })
    await convergence(run, items, (answer) => valueOf(answer, field) === '7')
    await change(turn + 2, shape, 'DELETE', address)
    await convergence(run, items, ({ status }) => status === 403)
  }
}

export const live = ({ fields, rate, isLate }: LiveOptions): Promise<LiveResult> =>
  withDatabase(async ({ url, query }) => {
    await query(structure)
    const environment = {
      DATABASE_URL: url,
      DB_POOL_MAX: '8',
      LOG_LEVEL: 'error',
      SCHEMA_POLL_INTERVAL: isLate ? '3600000' : '1000',
    }
    const replicas: Service[] = []
    for (let index = 0; index < 3; index += 1) replicas.push(await startService(environment))
    const run: Run = {
      replicas,
      histories: new Map(tables.map((name) => [name, new History()])),
      count: { requests: 0, slowestRead: 0, slowestChange: 0, longestWait: 0 },
      failures: [],
      mixtures: [],
      convergences: [],
      isOver: false,
    }
    try {
      const under = Promise.all([traffic(run, rate), watchWaits(run, url)])
      await sleep(1000)
      await Promise.all(tables.map((name, index) => caller(run, name, Math.ceil(fields / tables.length), index)))
      await sleep(500)
      run.isOver = true
      await under
    } finally {
      run.isOver = true
      await Promise.all(replicas.map((replica) => replica.stop()))
    }
    if (run.failures.length > 0) console.error(replicas.map((replica) => replica.log().slice(-1500)).join('\n'))
    return { ...run.count, failures: run.failures, mixtures: run.mixtures, convergences: run.convergences }
  })

/** Polling finds a change within a second. */
const limitOf = (isLate: boolean) => (isLate ? 5000 : 1000)

function figuresOf(
  { requests, failures, mixtures, slowestRead, slowestChange, longestWait, convergences }: LiveResult,
  { fields, isLate, limit }: Pick<LiveOptions, 'fields' | 'isLate'> & { readonly limit: number },
): Figure[] {
  const mode = isLate ? 'versions alone' : 'versions and polling'
  return [
    { what: `${mode}: requests`, value: requests, unit: '' },
    {
      what: `${mode}: changes, all replicas asked after each`,
      value: convergences.length,
      unit: '',
      bound: { atLeast: 3 * fields },
    },
    { what: `${mode}: failed requests and changes`, value: failures.length, unit: '', bound: { atMost: 0 } },
    {
      what: `${mode}: answers that fit no structure there was`,
      value: mixtures.length,
      unit: '',
      bound: { atMost: 0 },
    },
    { what: `${mode}: slowest convergence`, value: Math.max(...convergences), unit: 'ms', bound: { atMost: limit } },
    { what: `${mode}: longest wait of a read for a lock`, value: longestWait, unit: 'ms', bound: { atMost: 2000 } },
    { what: `${mode}: slowest read, whatever it waited for`, value: slowestRead, unit: 'ms' },
    { what: `${mode}: slowest change`, value: slowestChange, unit: 'ms' },
  ]
}

interface Live {
  readonly fields: number
  readonly rate: number
  /** Whether replicas follow by versions alone. */
  readonly late: boolean
  /** Milliseconds that the slowest convergence may take; 0 for the limit of a quiet machine. */
  readonly limit: number
}

export async function figures({ fields, rate, late, limit }: Live): Promise<Figure[]> {
  const result = await live({ fields, rate, isLate: late })
  for (const line of [...result.failures, ...result.mixtures].slice(0, 20)) console.log(line.slice(0, 500))
  return figuresOf(result, { fields, isLate: late, limit: limit === 0 ? limitOf(late) : limit })
}
