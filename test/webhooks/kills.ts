// npm run verify webhook-kills [-- --kills 20 --dialect postgres]
// Workers are killed at every step of bringing changes to webhooks, and at random, while receivers fail now and then: every
// change arrives at least once, and in order for each item.
import { setTimeout as sleep } from 'node:timers/promises'
import { failpoints, type Failpoint } from '../../packages/server/src/lib/failpoint.ts'
import { send, startServer, type Server } from '../crash/server.ts'
import { createDatabase, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { startReceiver, type Received } from './receiver.ts'

const ITEMS = 12
const FAILING = 0.2
/** At this hit of its failpoint a worker dies: by then it works. */
const HIT = 6
const LONGEST_LIFE = 800
/** Longer than a lease. */
const PATIENCE = 180_000

export interface WebhookKills {
  readonly crashes: number
  readonly kills: number
  /** Failpoints of webhooks at which no worker died. */
  readonly missed: readonly Failpoint[]
  readonly changes: number
  /** Changes that no receiver has taken. */
  readonly lost: readonly string[]
  readonly inversions: readonly string[]
  /** Deliveries that were taken more than once. */
  readonly repeated: number
  readonly dead: number
}

interface Place {
  readonly database: TestDatabase
  readonly environment: Readonly<Record<string, string>>
  readonly writer: Server
}

async function withPlace<T>(dialect: TestDialect, work: (place: Place) => Promise<T>): Promise<T> {
  const database = await createDatabase(dialect)
  await database.query('create table tags (id integer primary key, n integer)')
  const environment = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    DB_POOL_MAX: '4',
    SECRET: 'webhook-kills-secret-webhook-kills-secret',
    WEBHOOKS_ALLOWED_ADDRESSES: '127.0.0.1/32',
    WEBHOOKS_TIMEOUT: '2s',
    WEBHOOKS_RETRY_DELAYS: Array.from({ length: 40 }, () => '100ms').join(','),
  }
  const writer = await startServer({ ...environment, WEBHOOKS_ENABLED: 'false' })
  try {
    return await work({ database, environment, writer })
  } finally {
    await writer.stop()
    await database.drop()
  }
}

const isTaken = new WeakSet<Received>()

/** Writes items one after the other until it is told to end; returns how often each was written. */
async function writeItems(url: string, state: { readonly isOver: boolean }): Promise<number> {
  const written = await Promise.all(
    Array.from({ length: ITEMS }, async (_, id) => {
      for (let n = 1; ; n += 1) {
        if (state.isOver) return n - 1
        const { status, text } = await send(url, 'PATCH', `/items/tags/${id + 1}`, { n })
        // A machine that is busy refuses some.
        if (status === 503) n -= 1
        else if (status !== 200) throw new Error(text)
        await sleep(150 + Math.random() * 200)
      }
    }),
  )
  return written.reduce((sum, count) => sum + count, 0)
}

async function crashAt(point: Failpoint, { environment }: Place): Promise<boolean> {
  const worker = await startServer({ ...environment, TAIN_FAILPOINTS: `${point}:${HIT}:crash` }).catch(() => null)
  if (worker === null) return false
  const timer = setTimeout(() => worker.child.kill('SIGTERM'), 10_000)
  const signal = await worker.ended()
  clearTimeout(timer)
  return signal === 'SIGKILL'
}

async function killAtRandom(kills: number, { environment }: Place): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    const workers = await Promise.all([startServer(environment), startServer(environment)])
    await sleep(Math.random() * LONGEST_LIFE)
    await Promise.all(workers.map((worker) => worker.stop('SIGKILL')))
  }
}

const numberOf = ({ body }: Received): number => Number(String(body.data['position']).split('-')[1])

function judge(received: readonly Received[], logged: ReadonlySet<number>) {
  const taken = received.filter((entry) => isTaken.has(entry))
  const arrived = new Set(taken.map(numberOf))
  const inversions = [...Map.groupBy(taken, ({ body }) => body.data['key'])].flatMap(([key, entries]) =>
    entries.flatMap((entry, index) => {
      const before = entries[index - 1]
      return before !== undefined && numberOf(before) > numberOf(entry)
        ? [`item ${String(key)}: ${numberOf(before)} before ${numberOf(entry)}`]
        : []
    }),
  )
  const lost = [...logged].filter((number) => !arrived.has(number)).map((number) => `change ${number}`)
  return { lost, inversions, repeated: taken.length - arrived.size }
}

const tableIn = ({ dialect }: TestDatabase, name: string) => (dialect === 'postgres' ? `tain.${name}` : name)

async function countOf(database: TestDatabase, status: string): Promise<number> {
  const table = tableIn(database, 'service_deliveries')
  const [row] = await database.query(`select count(*) from ${table} where status = '${status}'`)
  return Number(row?.[0])
}

/** Every change that was committed, by its number in the log. */
async function loggedIn(database: TestDatabase): Promise<ReadonlySet<number>> {
  const rows = await database.query(`select position from ${tableIn(database, 'service_events')} where kind = 'update'`)
  return new Set(rows.map(([position]) => Number(position)))
}

/** Lets one worker finish what is left. */
async function finish({ database, environment }: Place, expected: number): Promise<void> {
  const worker = await startServer(environment)
  const end = Date.now() + PATIENCE
  const isDone = async () =>
    (await countOf(database, 'waiting')) === 0 &&
    (await countOf(database, 'delivered')) + (await countOf(database, 'dead')) >= expected
  while (!(await isDone()) && Date.now() < end) await sleep(200)
  await worker.stop()
}

export const runWebhookKills = (kills: number, dialect: TestDialect): Promise<WebhookKills> =>
  withPlace(dialect, async (place) => {
    const receiver = await startReceiver((entry) => {
      if (Math.random() < FAILING) return 503
      isTaken.add(entry)
      return 204
    })
    const { database, writer } = place
    for (let id = 1; id <= ITEMS; id += 1) await send(writer.url, 'POST', '/items/tags', { id, n: 0 })
    const body = { name: 'kills', url: receiver.url, collections: ['tags'], events: ['update'] }
    const { status, text } = await send(writer.url, 'POST', '/webhooks', body)
    if (status !== 200) throw new Error(text)
    const state = { isOver: false }
    const writing = writeItems(writer.url, state)
    const own = failpoints.filter((point) => point.startsWith('webhooks.'))
    const missed: Failpoint[] = []
    for (const point of own) {
      if (!(await crashAt(point, place))) missed.push(point)
      console.log(`${point}: ${receiver.received.length} requests`)
    }
    await killAtRandom(kills, place)
    state.isOver = true
    const written = await writing
    await finish(place, written)
    const logged = await loggedIn(database)
    const verdict = judge(receiver.received, logged)
    await receiver.close()
    const unlogged = written - logged.size
    return {
      crashes: own.length - missed.length,
      kills: kills * 2,
      missed,
      changes: written,
      ...verdict,
      lost: [
        ...verdict.lost,
        ...Array.from({ length: Math.max(0, unlogged) }, () => 'a write that the log does not have'),
      ],
      dead: await countOf(database, 'dead'),
    }
  })

const none = { atMost: 0 }

export async function figures(kills: number, dialect: TestDialect): Promise<Figure[]> {
  const result = await runWebhookKills(kills, dialect)
  for (const line of [...result.missed, ...result.lost.slice(0, 20), ...result.inversions.slice(0, 20)])
    console.log(line)
  const { crashes, missed, changes, lost, inversions, repeated, dead } = result
  return [
    { what: 'crashes at failpoints', value: crashes, unit: '' },
    { what: 'failpoints that no worker came by', value: missed.length, unit: '', bound: none },
    { what: 'random kills', value: result.kills, unit: '' },
    { what: 'changes', value: changes, unit: '' },
    { what: 'changes that did not arrive', value: lost.length, unit: '', bound: none },
    { what: 'changes of an item in the wrong order', value: inversions.length, unit: '', bound: none },
    { what: 'deliveries taken more than once', value: (repeated / changes) * 100, unit: '%', bound: { atMost: 2 } },
    { what: 'dead deliveries', value: dead, unit: '', bound: none },
  ]
}
