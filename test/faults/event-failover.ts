// npm run verify event-failover [-- --only patroni|galera]
// Nodes of a cluster die while the service and another program write, and somebody listens: whoever listens knows every row
// in the end, by events or because it was told that it begins anew.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@tain/sdk'
import { realtime } from '@tain/sdk/realtime'
import { Client } from 'pg'
import { TOKEN, untilReady, withService, type Figure, type Service } from '../measurements/service.ts'
import { agent, rowsIn, send, writeFor } from './acknowledged-writes.ts'
import { startGalera } from './galera.ts'
import { startPatroni, type Patroni } from './patroni.ts'

interface Listener {
  /** The rows that it knows. */
  readonly refs: ReadonlySet<string>
  /** How often it was told to begin anew. */
  readonly restarts: () => number
  readonly close: () => void
}

/** Keeps what it is told, as a client would. */
function listen({ url }: Service): Listener {
  const refs = new Set<string>()
  const live = realtime(createClient({ url, auth: TOKEN }))
  let restarts = 0
  const events = live.subscribe('notes', { fields: ['ref'], limit: -1 })
  void (async () => {
    for await (const told of events) {
      if (told.event === 'delete') continue
      if (told.event === 'init' && told.resumed !== true) {
        if (told.resumed === false) restarts += 1
        refs.clear()
      }
      for (const row of told.data ?? []) refs.add(String(row['ref']))
    }
  })()
  return { refs, restarts: () => restarts, close: () => live.close() }
}

/** Another program, which writes again what was not acknowledged. */
async function writeOutside(url: string, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      while (goesOn()) {
        await client.query('insert into notes (ref) values ($1)', [`outside ${randomUUID()}`])
        await sleep(40)
      }
    } catch {
      await sleep(200)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

interface Round {
  readonly name: string
  readonly fault: () => Promise<unknown>
  readonly outside: (goesOn: () => boolean) => Promise<void>
}

/** Rows that are there and not known, or known and not there. */
async function differences(service: Service, { refs }: Listener): Promise<readonly string[]> {
  const there = new Set((await rowsIn(service)).map(({ ref }) => ref))
  const missing = [...there].filter((ref) => !refs.has(ref))
  const invented = [...refs].filter((ref) => !there.has(ref))
  return [...missing.map((ref) => `missing: ${ref}`), ...invented.map((ref) => `invented: ${ref}`)]
}

const PATIENCE = 30_000

async function round(service: Service, listener: Listener, { name, fault, outside }: Round): Promise<Figure[]> {
  const state = { isOver: false }
  const writing = Promise.all([writeFor(service, () => !state.isOver), outside(() => !state.isOver)])
  await sleep(2000)
  await fault()
  await sleep(8000)
  state.isOver = true
  const [{ acknowledged }] = await writing
  const end = performance.now() + PATIENCE
  while (performance.now() < end && (await differences(service, listener)).length > 0) await sleep(250)
  const wrong = await differences(service, listener)
  for (const each of wrong) console.log(each)
  return [
    { what: `${name}: rows`, value: acknowledged.size, unit: '', bound: { atLeast: 50 } },
    {
      what: `${name}: rows that the listener misses, or invents`,
      value: wrong.length,
      unit: '',
      bound: { atMost: 0 },
    },
  ]
}

const settings = { LOG_LEVEL: 'warn', WEBSOCKETS_ENABLED: 'true' }

async function withNotes(
  environment: Readonly<Record<string, string>>,
  work: (service: Service, listener: Listener) => Promise<Figure[]>,
): Promise<Figure[]> {
  return withService({ ...settings, ...environment }, async (service) => {
    await untilReady(service)
    const made = { collection: 'notes', schema: {}, fields: [{ field: 'ref', type: 'string' }] }
    await send(service, '/collections', made, randomUUID())
    const listener = listen(service)
    try {
      await sleep(3000)
      return await work(service, listener)
    } finally {
      listener.close()
    }
  })
}

async function onPatroni(rounds: number): Promise<Figure[]> {
  const patroni = await startPatroni(1, 'logical')
  const faults: Readonly<Record<string, (patroni: Patroni) => Promise<unknown>>> = {
    'the primary dies': async () => (await patroni.primary())?.killServer(),
    'the primary hands over': () => patroni.switchOver(),
  }
  try {
    const environment = { DATABASE_URL: patroni.hostsUrl, EVENTS_OUTSIDE: 'logical' }
    return await withNotes(environment, async (service, listener) => {
      const figures: Figure[] = []
      for (let turn = 0; turn < rounds; turn += 1)
        for (const [name, fault] of Object.entries(faults)) {
          await patroni.untilWhole()
          const before = listener.restarts()
          const outside = (goesOn: () => boolean) => writeOutside(patroni.balancerUrl, goesOn)
          figures.push(...(await round(service, listener, { name, fault: () => fault(patroni), outside })))
          figures.push({
            what: `${name}: told to begin anew`,
            value: listener.restarts() - before,
            unit: '',
            ...(name === 'the primary hands over' ? { bound: { atLeast: 1 } } : {}),
          })
        }
      return figures
    })
  } finally {
    agent.destroy()
    await patroni.destroy()
  }
}

/** One node takes the writes. It is killed, and comes back. */
async function onGalera(rounds: number): Promise<Figure[]> {
  const galera = await startGalera()
  try {
    const [writing] = galera.nodes
    if (writing === undefined) throw new Error('the cluster has no node')
    return await withNotes({ DATABASE_URL: writing.url }, async (service, listener) => {
      const figures: Figure[] = []
      for (let turn = 0; turn < rounds; turn += 1) {
        const fault = async () => {
          await writing.kill()
          await writing.start()
        }
        const none = () => Promise.resolve()
        figures.push(
          ...(await round(service, listener, { name: 'the writing node of Galera dies', fault, outside: none })),
        )
      }
      return figures
    })
  } finally {
    agent.destroy()
    await galera.destroy()
  }
}

/** `only`: patroni or galera; both without. */
export async function figures(only: string | null, rounds: number): Promise<Figure[]> {
  return [...(only === 'galera' ? [] : await onPatroni(rounds)), ...(only === 'patroni' ? [] : await onGalera(rounds))]
}
