// npm run verify scale [-- --dialect sqlite|mysql] [-- --repeats 15]
// 5,000 tables with 50,000 columns: time until the service is ready, its memory, and the cost of a read.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect, withDatabase, type TestConnection, type TestDialect } from '../lib/databases.ts'
import { FEW, fill, fingerprintOf, ROWS, schemaOf } from './scale-tables.ts'
import {
  authorization,
  get,
  median,
  memoryOf,
  processorTime,
  TOKEN,
  untilReady,
  withService,
  type Figure,
  type Service,
} from './service.ts'

const run = promisify(execFile)
const POLLS = 30

export interface ScaleOptions {
  readonly dialect: TestDialect
  readonly tables: number
  readonly requests: number
  readonly repeats: number
  readonly seconds: number
  readonly changes: number
  readonly ratio: number
}

async function readAround(service: Service, { dialect, tables, requests }: ScaleOptions): Promise<void> {
  const queries = ['', '?limit=5&fields=*,parent_id.name', '?filter[name][_contains]=1&sort=-code']
  for (let sent = 0; sent < requests; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        // The first two tables have no parent.
        const number = 3 + Math.floor(Math.random() * (tables - 2))
        return get(
          service,
          `/items/${schemaOf(dialect, number)}table_${number}${queries[(sent + index) % queries.length]}`,
        )
      }),
    )
  }
}

/** Reads by key, in turn from the given tables; the same tables whatever the size of the database. */
const wrkScript = (dialect: TestDialect, tables: number) => `
  wrk.headers['Authorization'] = 'Bearer ${TOKEN}'
  local n = 0
  request = function()
    n = n + 1
    local t = (n * 7919) % ${tables} + 1
    local name = (t % 2 == 0 and '${schemaOf(dialect, 2)}' or '${schemaOf(dialect, 1)}') .. 'table_' .. t
    return wrk.format('GET', '/items/' .. name .. '/' .. (n % ${ROWS} + 1))
  end`

interface Speed {
  readonly perSecond: number
  /** Processor time of the service per request, in microseconds. */
  readonly processor: number
}

async function speedOf(service: Service, script: string, seconds: number): Promise<Speed> {
  const before = processorTime(service)
  const { stdout } = await run('wrk', ['-t1', '-c16', `-d${seconds}s`, '-s', script, service.url])
  if (/Non-2xx or 3xx responses|Socket errors/u.test(stdout)) throw new Error(`wrk saw failures: ${stdout}`)
  const requests = Number(/(\d+) requests in/u.exec(stdout)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/u.exec(stdout)?.[1])
  return { perSecond, processor: ((processorTime(service) - before) / requests) * 1e6 }
}

interface Pair {
  readonly large: Speed
  readonly small: Speed
}

/**
 * Pauses the other service during a run, so that its polling does not distort the result. The two take turns in going
 * first.
 */
async function readPairs(
  large: Service,
  small: Service,
  { dialect, repeats, seconds }: ScaleOptions,
): Promise<readonly Pair[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-wrk-'))
  const script = join(directory, 'keys.lua')
  await writeFile(script, wrkScript(dialect, FEW))
  const alone = async (service: Service, other: Service, time: number) => {
    process.kill(other.pid, 'SIGSTOP')
    try {
      return await speedOf(service, script, time)
    } finally {
      process.kill(other.pid, 'SIGCONT')
    }
  }
  const ofLarge = (time: number) => alone(large, small, time)
  const ofSmall = (time: number) => alone(small, large, time)
  try {
    await ofLarge(2)
    await ofSmall(2)
    const pairs: Pair[] = []
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const early = repeat % 2 === 0 ? await ofLarge(seconds) : undefined
      const other = await ofSmall(seconds)
      pairs.push({ large: early ?? (await ofLarge(seconds)), small: other })
    }
    return pairs
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function withConnection<T>(url: string, work: (connection: TestConnection) => Promise<T>): Promise<T> {
  const connection = await connect(url)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

interface PollCost {
  readonly clock: number
  /** Only where a session is a separate process. */
  readonly processor: number | null
}

/** Cost of one poll for schema changes, in milliseconds: wall clock, and processor time of the database. */
const pollCost = (url: string, dialect: TestDialect): Promise<PollCost> =>
  withConnection(url, async ({ query }) => {
    const fingerprint = fingerprintOf(dialect, new URL(url).pathname.slice(1))
    const session = dialect === 'postgres' ? Number((await query('select pg_backend_pid()'))[0]?.[0]) : null
    const used = () => (session === null ? 0 : processorTime({ pid: session }))
    const before = used()
    const costs: number[] = []
    for (let turn = 0; turn < POLLS; turn += 1) {
      const start = performance.now()
      await query(fingerprint)
      costs.push(performance.now() - start)
    }
    return { clock: median(costs), processor: session === null ? null : ((used() - before) / POLLS) * 1000 }
  })

/** Every schema change makes the service read the whole schema again while it still holds the old one. */
const changeStructure = (service: Service, url: string, changes: number) =>
  withConnection(url, async ({ query }) => {
    for (let change = 1; change <= changes; change += 1) {
      await query(`alter table table_1 add column extra_${change} integer`)
      await untilServed(service, `/items/table_1?limit=1&fields=extra_${change}`)
    }
  })

async function untilServed(service: Service, path: string): Promise<void> {
  const start = performance.now()
  for (;;) {
    if ((await fetch(`${service.url}${path}`, { headers: authorization })).ok) return
    if (performance.now() - start > 60_000) throw new Error(`${path} is not served`)
    await sleep(50)
  }
}

/** Measurements on the large database before the small one is added. */
async function measureLarge(service: Service, url: string, options: ScaleOptions): Promise<readonly Figure[]> {
  const what = `${options.tables} tables`
  const ready = await untilReady(service)
  const processor = processorTime(service)
  const afterReady = memoryOf(service)
  await readAround(service, options)
  const afterRequests = memoryOf(service)
  await changeStructure(service, url, options.changes)
  return [
    { what: `${what}: process start to ready`, value: ready / 1000, unit: 's', bound: { atMost: 5 } },
    { what: `${what}: processor time until ready`, value: processor, unit: 's' },
    { what: `${what}: RSS after ready`, value: afterReady.rss, unit: 'MB', bound: { atMost: 350 } },
    {
      what: `${what}: RSS after ${options.requests} requests over random tables`,
      value: afterRequests.rss,
      unit: 'MB',
      bound: { atMost: 350 },
    },
    {
      what: `${what}: peak RSS until ${options.changes} changes of structure later`,
      value: memoryOf(service).peak,
      unit: 'MB',
      bound: { atMost: 350 },
    },
  ]
}

async function measureReads(many: Service, smallUrl: string, options: ScaleOptions): Promise<readonly Figure[]> {
  const pairs = await withService({ DATABASE_URL: smallUrl }, async (few) => {
    await untilReady(few)
    return readPairs(many, few, options)
  })
  const each = pairs.map(({ large, small }) => `${Math.round(large.perSecond)} to ${Math.round(small.perSecond)}`)
  console.log(`reads by key, pairs: ${each.join(', ')}`)
  const middle = (value: (pair: Pair) => number) => median(pairs.map(value))
  const what = `${options.tables} tables`
  return [
    { what: `${what}: reads by key`, value: middle(({ large }) => large.perSecond), unit: '/s' },
    { what: `${FEW} tables: reads by key`, value: middle(({ small }) => small.perSecond), unit: '/s' },
    {
      what: 'reads by key, ratio',
      value: middle(({ large, small }) => large.perSecond / small.perSecond),
      unit: '',
      bound: { atLeast: options.ratio },
    },
    { what: `${what}: processor time per read`, value: middle(({ large }) => large.processor), unit: 'µs' },
    { what: `${FEW} tables: processor time per read`, value: middle(({ small }) => small.processor), unit: 'µs' },
  ]
}

const pollFigures = ({ clock, processor }: PollCost, tables: number): readonly Figure[] => [
  { what: `${tables} tables: fingerprint`, value: clock, unit: 'ms' },
  ...(processor === null
    ? []
    : [
        {
          what: `${tables} tables: fingerprint, processor time`,
          value: processor,
          unit: 'ms',
          bound: { atMost: 60 },
        },
      ]),
]

export async function scale(options: ScaleOptions): Promise<readonly Figure[]> {
  const { dialect, tables } = options
  return withDatabase(
    (many) =>
      withDatabase(async (few) => {
        await fill(many, tables)
        await fill(few, FEW)
        const poll = await pollCost(many.url, dialect)
        return withService({ DATABASE_URL: many.url }, async (large) => [
          ...(await measureLarge(large, many.url, options)),
          ...(await measureReads(large, few.url, options)),
          ...pollFigures(poll, tables),
        ])
      }, dialect),
    dialect,
  )
}
