// npm run verify outage
// The database stops and restarts under load, and the service shuts down under load.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { putUnderLoad, tally, type LoadOptions, type Outcome } from './load.ts'
import { hasEnded, untilReady, withService, type Figure, type Service } from './service.ts'

export interface OutageOptions {
  readonly cycles: number
  readonly shutdowns: number
}

const ROWS = 100
const DOWN = 1000
const PATIENCE = 10_000
const SHUTDOWN_TIMEOUT = 30_000

const load: LoadOptions = {
  keepAlive: 16,
  fresh: 0,
  path: (turn) => `/items/things/${(turn % ROWS) + 1}`,
  pause: 2,
  endsWhenRefused: false,
}

async function fill(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `create table things (id integer primary key, name text);
     insert into things select n, 'thing ' || n from generate_series(1, ${ROWS}) n`,
  )
  await client.end()
}

const isSuccess = ({ status }: Outcome) => status === 200
const isRefusal = ({ status, hasRetryAfter }: Outcome) => status === 503 && hasRetryAfter
const longest = (outcomes: readonly Outcome[]) =>
  outcomes.reduce((most, { began, ended }) => Math.max(most, ended - began), 0)

interface Cycle {
  /** Requests sent while the database was down. */
  readonly down: readonly Outcome[]
  readonly recovery: number
}

/** Milliseconds from a positive pg_isready to the first successful request. */
async function comeBack(cluster: Cluster, outcomes: readonly Outcome[]): Promise<number> {
  const began = performance.now()
  await cluster.start()
  const back = performance.now()
  const isFirst = (outcome: Outcome) => isSuccess(outcome) && outcome.ended > began
  let from = 0
  while (performance.now() - back < PATIENCE) {
    const first = outcomes.slice(from).find(isFirst)
    if (first !== undefined) return Math.max(0, first.ended - back)
    from = outcomes.length
    await sleep(5)
  }
  return Infinity
}

async function cycle(cluster: Cluster, mode: 'fast' | 'immediate', outcomes: readonly Outcome[]): Promise<Cycle> {
  await cluster.stop(mode)
  const down = performance.now()
  await sleep(DOWN)
  const up = performance.now()
  const recovery = await comeBack(cluster, outcomes)
  await sleep(500)
  return { down: outcomes.filter(({ began, ended }) => began > down && ended < up), recovery }
}

async function proveCycles(cluster: Cluster, cycles: number): Promise<readonly Figure[]> {
  return withService({ DATABASE_URL: cluster.url }, async (service) => {
    await untilReady(service)
    const { outcomes, stop } = putUnderLoad(service, load)
    const results: Cycle[] = []
    let exits = 0
    for (let turn = 0; turn < cycles; turn += 1) {
      results.push(await cycle(cluster, turn % 2 === 0 ? 'immediate' : 'fast', outcomes))
      if (hasEnded(service.child)) exits += 1
    }
    await stop()
    const down = results.flatMap((result) => result.down)
    console.log(`${cycles} outages: ${tally(outcomes)}; while down: ${tally(down)}`)
    console.log(`recovery in ms: ${results.map(({ recovery }) => Math.round(recovery)).join(', ')}`)
    return [
      { what: 'outages: exits of the process', value: exits, unit: '', bound: { atMost: 0 } },
      { what: 'outages: answers while down', value: down.length, unit: '', bound: { atLeast: cycles } },
      {
        what: 'outages: answers while down other than 503 with Retry-After',
        value: down.filter((outcome) => !isRefusal(outcome)).length,
        unit: '',
        bound: { atMost: 0 },
      },
      {
        what: 'outages: answers at any time other than 200 and 503 with Retry-After',
        value: outcomes.filter((outcome) => !isSuccess(outcome) && !isRefusal(outcome)).length,
        unit: '',
        bound: { atMost: 0 },
      },
      { what: 'outages: longest answer while down', value: longest(down), unit: 'ms', bound: { atMost: 1000 } },
      { what: 'outages: longest answer at any time', value: longest(outcomes), unit: 'ms' },
      {
        what: 'outages: longest from pg_isready to the first success',
        value: Math.max(...results.map(({ recovery }) => recovery)),
        unit: 'ms',
        bound: { atMost: 1000 },
      },
    ]
  })
}

async function proveStart(cluster: Cluster): Promise<readonly Figure[]> {
  await cluster.stop('fast')
  return withService({ DATABASE_URL: cluster.url }, async (service) => {
    await untilListening(service)
    const { outcomes, stop } = putUnderLoad(service, load)
    await sleep(2 * DOWN)
    const down = [...outcomes]
    const recovery = await comeBack(cluster, outcomes)
    await sleep(500)
    await stop()
    console.log(`started without a database: ${tally(down)}; then ${tally(outcomes.slice(down.length))}`)
    return [
      { what: 'start without database: answers', value: down.length, unit: '', bound: { atLeast: 1 } },
      {
        what: 'start without database: answers other than 503 with Retry-After',
        value: down.filter((outcome) => !isRefusal(outcome)).length,
        unit: '',
        bound: { atMost: 0 },
      },
      {
        what: 'start without database: from pg_isready to the first success',
        value: recovery,
        unit: 'ms',
        bound: { atMost: 1000 },
      },
    ]
  })
}

async function untilListening(service: Service): Promise<void> {
  while (
    !(await fetch(`${service.url}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (hasEnded(service.child)) throw new Error(`the service ended with code ${service.child.exitCode}`)
    if (service.age() > PATIENCE) throw new Error('the service does not listen')
    await sleep(50)
  }
}

interface Shutdown {
  readonly outcomes: readonly Outcome[]
  readonly failed: readonly Outcome[]
  /** Reset by the kernel when the port was closed: connected for the client, never accepted by the service. */
  readonly unaccepted: readonly Outcome[]
  readonly milliseconds: number
  readonly code: number | null
}

async function shutDown(cluster: Cluster): Promise<Shutdown> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-proof-'))
  const file = join(directory, 'accepted.json')
  try {
    const settings = {
      DATABASE_URL: cluster.url,
      SHUTDOWN_TIMEOUT: String(SHUTDOWN_TIMEOUT),
      NODE_OPTIONS: `--import ${import.meta.resolve('./accepted.ts')}`,
      TAIN_PROOF_ACCEPTED: file,
    }
    const run = await withService(settings, terminate)
    const accepted = new Set(JSON.parse(await readFile(file, 'utf8')) as readonly (number | null)[])
    const bad = run.outcomes.filter((outcome) => !isSuccess(outcome))
    const wasAccepted = ({ port, status }: Outcome) => status !== 0 || (port !== null && accepted.has(port))
    return { ...run, failed: bad.filter(wasAccepted), unaccepted: bad.filter((outcome) => !wasAccepted(outcome)) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function terminate(service: Service): Promise<Pick<Shutdown, 'outcomes' | 'milliseconds' | 'code'>> {
  await untilReady(service)
  const { outcomes, over } = putUnderLoad(service, { ...load, fresh: 16, pause: 0, endsWhenRefused: true })
  await sleep(1000 + Math.random() * 500)
  const start = performance.now()
  const exit = once(service.child, 'exit') as Promise<[number | null]>
  service.child.kill('SIGTERM')
  const [code] = await exit
  const milliseconds = performance.now() - start
  await over
  return { outcomes, milliseconds, code }
}

async function proveShutdown(cluster: Cluster, shutdowns: number): Promise<readonly Figure[]> {
  const results: Shutdown[] = []
  for (let turn = 0; turn < shutdowns; turn += 1) results.push(await shutDown(cluster))
  const outcomes = results.flatMap((result) => result.outcomes)
  const failed = results.flatMap((result) => result.failed)
  console.log(`${shutdowns} SIGTERM under load: ${tally(outcomes)}; failed: ${tally(failed) || 'none'}`)
  return [
    { what: 'SIGTERM: requests', value: outcomes.length, unit: '', bound: { atLeast: shutdowns } },
    { what: 'SIGTERM: failed requests', value: failed.length, unit: '', bound: { atMost: 0 } },
    {
      what: 'SIGTERM: connections reset in the queue of the kernel',
      value: results.reduce((sum, { unaccepted }) => sum + unaccepted.length, 0),
      unit: '',
    },
    {
      what: 'SIGTERM: exits with a code other than 0',
      value: results.filter(({ code }) => code !== 0).length,
      unit: '',
      bound: { atMost: 0 },
    },
    {
      what: 'SIGTERM: longest until the exit',
      value: Math.max(...results.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
      bound: { atMost: SHUTDOWN_TIMEOUT },
    },
  ]
}

export async function outage({ cycles, shutdowns }: OutageOptions): Promise<readonly Figure[]> {
  const cluster = await startCluster()
  try {
    await fill(cluster.url)
    const cycled = await proveCycles(cluster, cycles)
    const started = await proveStart(cluster)
    return [...cycled, ...started, ...(await proveShutdown(cluster, shutdowns))]
  } finally {
    await cluster.destroy()
  }
}
