// npm run prove:scale
// 5,000 tables with 50,000 columns: how soon the service is ready, what it holds in memory, what a read costs.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { fingerprintStatement } from '../../packages/server/src/sql/dialects/postgres/fingerprint.ts'
import { withDatabase } from '../../scripts/throwaway.ts'
import {
  authorization,
  get,
  median,
  memoryOf,
  processorTime,
  prove,
  TOKEN,
  untilReady,
  withService,
  type Figure,
  type Service,
} from './service.ts'

const run = promisify(execFile)
const STEP = 100
const FEW = 10
const ROWS = 1000
const POLLS = 30

export interface ScaleOptions {
  readonly tables: number
  readonly requests: number
  readonly repeats: number
  readonly seconds: number
  readonly changes: number
  readonly ratio: number
}

/** Every other table lies in a second schema; each leads to the one before it there. */
const tablesScript = (first: number, last: number) => `do $$
declare s text; t text;
begin
  for i in ${first}..${last} loop
    s := case when i % 2 = 0 then 'wide' else 'public' end;
    t := 'table_' || i;
    execute format('create table %I.%I (id serial primary key, name varchar(100) not null, code varchar(20) unique,
      body text default ''x'', amount numeric(10,2) default 0, created timestamptz default now(),
      flag boolean not null default false, parent_id integer, tags text[], data jsonb)', s, t);
    execute format('create index on %I.%I (name)', s, t);
    if i > 2 then
      execute format('alter table %I.%I add foreign key (parent_id) references %I.%I on delete set null',
        s, t, s, 'table_' || (i - 2));
    end if;
    if i % 5 = 0 then execute format('comment on column %I.%I.name is %L', s, t, 'the name of ' || t); end if;
    if i <= ${FEW} then
      execute format('insert into %I.%I (name, code, parent_id) select ''name '' || n, n, case when ${last} > 2 and %s > 2
        then n end from generate_series(1, ${ROWS}) n', s, t, i);
    end if;
  end loop;
end $$`

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const fill = (url: string, tables: number) =>
  withClient(url, async (client) => {
    await client.query('create schema wide')
    // One transaction for all of them would hold more locks than a server allows.
    for (let first = 1; first <= tables; first += STEP) {
      await client.query(tablesScript(first, Math.min(first + STEP - 1, tables)))
    }
    await client.query('vacuum analyze')
  })

const collection = (number: number) => (number % 2 === 0 ? `wide.table_${number}` : `table_${number}`)

async function readAround(service: Service, { tables, requests }: ScaleOptions): Promise<void> {
  const queries = ['', '?limit=5&fields=*,parent_id.name', '?filter[name][_contains]=1&sort=-code']
  for (let sent = 0; sent < requests; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        // The first two lead nowhere.
        const number = 3 + Math.floor(Math.random() * (tables - 2))
        return get(service, `/items/${collection(number)}${queries[(sent + index) % queries.length]}`)
      }),
    )
  }
}

/** Reads by key, in turn from the tables named; the same ones whatever the size of the database. */
const wrkScript = (tables: number) => `
  wrk.headers['Authorization'] = 'Bearer ${TOKEN}'
  local n = 0
  request = function()
    n = n + 1
    local t = (n * 7919) % ${tables} + 1
    local name = (t % 2 == 0 and 'wide.table_' or 'table_') .. t
    return wrk.format('GET', '/items/' .. name .. '/' .. (n % ${ROWS} + 1))
  end`

interface Speed {
  readonly perSecond: number
  /** Microseconds of processor time that the service took for one. */
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

/** The other service is stopped meanwhile, so that its polling costs it alone; each goes first every other time. */
async function readPairs(large: Service, small: Service, { repeats, seconds }: ScaleOptions): Promise<readonly Pair[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-wrk-'))
  const script = join(directory, 'keys.lua')
  await writeFile(script, wrkScript(FEW))
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

/** Milliseconds of one question whether anything changed: by the clock, and of the database's processor time. */
const pollCost = (url: string) =>
  withClient(url, async (client) => {
    const { text, values } = fingerprintStatement({ systemSchema: 'tain', schemas: null })
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const backend = { pid: rows[0]?.pid ?? 0 }
    const before = processorTime(backend)
    const costs: number[] = []
    for (let turn = 0; turn < POLLS; turn += 1) {
      const start = performance.now()
      await client.query({ name: 'fingerprint', text, values: [...values] })
      costs.push(performance.now() - start)
    }
    return { clock: median(costs), processor: ((processorTime(backend) - before) / POLLS) * 1000 }
  })

/** Every change of structure makes the service read all of it again, beside what it has. */
const changeStructure = (service: Service, url: string, changes: number) =>
  withClient(url, async (client) => {
    for (let change = 1; change <= changes; change += 1) {
      await client.query(`alter table table_1 add column extra_${change} integer`)
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

/** What is measured on the large database before the small one joins. */
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

export async function scale(options: ScaleOptions): Promise<readonly Figure[]> {
  return withDatabase('scale_large', (largeUrl) =>
    withDatabase('scale_small', async (smallUrl) => {
      await fill(largeUrl, options.tables)
      await fill(smallUrl, FEW)
      const poll = await pollCost(largeUrl)
      return withService({ DATABASE_URL: largeUrl }, async (large) => [
        ...(await measureLarge(large, largeUrl, options)),
        ...(await measureReads(large, smallUrl, options)),
        { what: `${options.tables} tables: fingerprint`, value: poll.clock, unit: 'ms' },
        {
          what: `${options.tables} tables: fingerprint, processor time`,
          value: poll.processor,
          unit: 'ms',
          bound: { atMost: 60 },
        },
      ])
    }),
  )
}

if (import.meta.main) {
  await prove('prove:scale', () =>
    scale({ tables: 5000, requests: 2000, repeats: 15, seconds: 2, changes: 5, ratio: 0.9 }),
  )
}
