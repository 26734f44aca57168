// npm run verify soak [-- --minutes 30]
// Reads, nested reads, writes, GraphQL, logins and schema changes for a long time: memory after garbage collection, handles
// and connections must not grow.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { untilReady, withService, type Figure, type Service } from '../measurements/service.ts'
import { createRng, type Rng } from '../random/rng.ts'
import { fit } from './linear-fit.ts'
import { account, actions, tables, type Action } from './soak-actions.ts'

export interface SoakOptions {
  readonly minutes: number
  /** Seconds between two samples. */
  readonly every: number
  readonly clients: number
}

interface Sample {
  readonly at: number
  /** Megabytes after garbage collection. */
  readonly heap: number
  readonly handles: number
  readonly backends: number
}

const POOL = 10

const backendsOf = async ({ query }: TestDatabase): Promise<number> => {
  const [row] = await query(`select count(*) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
  return Number(row?.[0])
}

/** The service answers a signal with its heap and handles on standard error: see soak-probe.ts. */
async function probe(service: Service): Promise<Pick<Sample, 'heap' | 'handles'>> {
  const before = service.log().length
  service.child.kill('SIGUSR2')
  for (;;) {
    const found = /soak: (\{.*\})\n/u.exec(service.log().slice(before))
    if (found !== null) return JSON.parse(found[1]!) as Pick<Sample, 'heap' | 'handles'>
    await sleep(20)
  }
}

interface Result {
  readonly samples: readonly Sample[]
  readonly counts: ReadonlyMap<string, number>
  readonly odd: readonly string[]
}

async function run(service: Service, database: TestDatabase, options: SoakOptions): Promise<Result> {
  const { minutes, every, clients } = options
  const began = performance.now()
  const isOver = () => performance.now() - began > minutes * 60_000
  const counts = new Map<string, number>()
  const odd: string[] = []
  const client = async (rng: Rng) => {
    const weighted = Object.entries(actions).map(([name, { weight, act }]) => [weight, [name, act] as const] as const)
    while (!isOver()) {
      const [name, act]: readonly [string, Action] = rng.weighted(weighted)
      const { status, text } = await act(service.url, rng)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (status !== 200 && status !== 204) odd.push(`${name}: ${status} ${text.slice(0, 200)}`)
      await sleep(20)
    }
  }
  const running = Array.from({ length: clients }, (_, at) => client(createRng(at)))
  const samples: Sample[] = []
  while (!isOver()) {
    await sleep(Math.min(every * 1000, 60_000))
    const backends = await backendsOf(database)
    samples.push({ at: (performance.now() - began) / 3_600_000, ...(await probe(service)), backends })
  }
  await Promise.all(running)
  return { samples, counts, odd }
}

/** The first third fills caches and compiles. */
const settled = <T>(samples: readonly T[]) => samples.slice(Math.floor(samples.length / 3))

function figuresOf({ samples, counts, odd }: Result): readonly Figure[] {
  const late = settled(samples)
  const heap = fit(late.map(({ at, heap: value }) => [at, value]))
  const handles = fit(late.map(({ at, handles: value }) => [at, value]))
  const most = Math.max(...samples.map(({ backends }) => backends))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  for (const { at, ...sample } of samples) console.log(`${(at * 60).toFixed(1)} min: ${JSON.stringify(sample)}`)
  console.log([...counts].map(([name, count]) => `${count} × ${name}`).join(', '))
  console.log(`heap: ${heap.slope.toFixed(2)} MB/h, 95 %: ${heap.low.toFixed(2)} to ${heap.high.toFixed(2)}`)
  return [
    { what: 'requests', value: total, unit: '' },
    { what: 'answers other than 200 and 204', value: odd.length, unit: '', bound: { atMost: 0 } },
    { what: 'heap after garbage collection, last', value: samples.at(-1)?.heap ?? 0, unit: 'MB' },
    { what: 'growth of the heap', value: heap.slope, unit: 'MB/h' },
    { what: 'growth of the heap, lower end of 95 %', value: heap.low, unit: 'MB/h', bound: { atMost: 1 } },
    { what: 'growth of the heap, upper end of 95 %', value: heap.high, unit: 'MB/h' },
    { what: 'growth of handles, lower end of 95 %', value: handles.low, unit: '/h', bound: { atMost: 1 } },
    { what: 'handles, last', value: samples.at(-1)?.handles ?? 0, unit: '' },
    // Schema changes have three connections of their own, and background work one.
    { what: 'connections to the database, most', value: most, unit: '', bound: { atMost: POOL + 4 } },
  ]
}

export async function soak(options: SoakOptions): Promise<readonly Figure[]> {
  const database = await createDatabase('postgres')
  try {
    await database.query(tables)
    const settings = {
      DATABASE_URL: database.url,
      DB_POOL_MAX: String(POOL),
      LOG_LEVEL: 'warn',
      SECRET: 'soak-secret-soak-secret-soak-secret',
      NODE_OPTIONS: `--expose-gc --import ${import.meta.resolve('./soak-probe.ts')}`,
      RATE_LIMITER_LOGIN_POINTS: '1000000',
      RATE_LIMITER_ACCOUNT_POINTS: '1000000',
    }
    return await withService(settings, async (service) => {
      await untilReady(service)
      await account(service.url)
      const result = await run(service, database, options)
      for (const text of new Set(result.odd.slice(0, 20))) console.log(text)
      return figuresOf(result)
    })
  } finally {
    await database.drop()
  }
}
