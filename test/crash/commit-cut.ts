// npm run verify commit-cut: connections that break at COMMIT, the responses that clients get, and the resulting rows.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresProtocol } from '../../packages/server/src/sql/database.ts'
import { startCluster } from '../lib/postgres-cluster.ts'
import { connect, type TestConnection } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { startFaultProxy, type Fault } from './fault-proxy.ts'
import { prepare, untilAlone } from './fixture.ts'
import { send, startServer, type Reply, type Server } from './server.ts'
import { floorsOf, judgeTrees, makeTree, type Verdict } from './trees.ts'

const CLIENTS = 4
const CUTS: readonly Fault[] = ['cut-before', 'cut-after', 'cut-reply', 'rst']
/** Short, so that the service gives up a silent connection within a few seconds. */
const STATEMENT_TIMEOUT = 1000

export interface CutsResult {
  readonly cuts: number
  readonly sent: number
  readonly retries: number
  /** Trees that were acknowledged but are missing, or the reverse. */
  readonly wrong: readonly string[]
  /** Unexpected responses. */
  readonly odd: readonly string[]
  readonly verdict: Verdict
}

interface Stage {
  readonly server: Server
  readonly database: TestConnection
  readonly floors: ReadonlyMap<string, string>
  readonly commits: () => number
  /** Chooses the fault for the next COMMITs. */
  fault: () => Fault
}

async function withStage<T>(protocol: PostgresProtocol, work: (stage: Stage) => Promise<T>): Promise<T> {
  const cluster = await startCluster({ fsync: 'on', max_connections: '60' })
  try {
    await prepare(cluster.url)
    const database = await connect(cluster.url)
    const floors = await floorsOf(database)
    const control = { fault: (): Fault => 'pass' }
    const proxy = await startFaultProxy(cluster.url, () => control.fault())
    const server = await startServer({
      DATABASE_URL: proxy.url,
      LOG_LEVEL: 'error',
      DB_STATEMENT_TIMEOUT: String(STATEMENT_TIMEOUT),
      POSTGRES_PROTOCOL: protocol,
      // Only what clients write is committed.
      SCHEMA_POLL_INTERVAL: '3600000',
    })
    try {
      return await work(Object.assign(control, { server, database, floors, commits: proxy.commits }))
    } finally {
      await server.stop('SIGKILL')
      await proxy.close()
      await database.close()
    }
  } finally {
    await cluster.destroy()
  }
}

const outcomeOf = ({ status, text }: Reply): string => {
  if (status === 200) return 'done'
  const { errors } = JSON.parse(text) as { errors: { extensions: { code: string; outcome?: string } }[] }
  const extensions = errors[0]?.extensions
  return `${status} ${extensions?.code ?? ''} ${extensions?.outcome ?? ''}`.trim()
}

const UNKNOWN = '503 SERVICE_UNAVAILABLE unknown'
const AWAY = '503 SERVICE_UNAVAILABLE'

const post = ({ server }: Stage, body: object, headers: Readonly<Record<string, string>> = {}) =>
  send(server.url, 'POST', '/items/articles?fields=id', body, headers)

/** Clients with an Idempotency-Key retry until they get a response: each tree exists exactly once. */
export const cutWithKey = (cuts: number, protocol: PostgresProtocol = 'direct'): Promise<CutsResult> =>
  withStage(protocol, async (stage) => {
    const state = { cuts: 0, sent: 0, retries: 0 }
    const odd: string[] = []
    const promised = new Set<string>()
    stage.fault = () => {
      if (state.cuts >= cuts || Math.random() < 0.4) return 'pass'
      state.cuts += 1
      return CUTS[state.cuts % CUTS.length] ?? 'pass'
    }
    const writeOne = async (): Promise<void> => {
      state.sent += 1
      const { id, body } = makeTree(`k${state.sent}`)
      for (;;) {
        const outcome = outcomeOf(await post(stage, body, { 'idempotency-key': id }))
        if (outcome === 'done') break
        if (outcome !== UNKNOWN && outcome !== AWAY) odd.push(outcome)
        state.retries += 1
        await sleep(20)
      }
      promised.add(id)
    }
    const client = async () => {
      while (state.cuts < cuts) await writeOne()
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    const { verdict, ids } = await judgeTrees(stage.database, stage.floors)
    const wrong = [...new Set([...promised, ...ids])].filter((id) => promised.has(id) !== ids.has(id))
    return { ...state, wrong, odd, verdict }
  })

/** Without a key the client is told that the outcome is unknown, and the service does not retry. */
export const cutWithoutKey = (
  cuts: number,
  blackholes: number,
  protocol: PostgresProtocol = 'direct',
): Promise<CutsResult> =>
  withStage(protocol, async (stage) => {
    const odd: string[] = []
    const committed = new Set<string>()
    const faults: Fault[] = [
      ...Array.from({ length: cuts }, (_, index) => CUTS[index % CUTS.length] ?? 'pass'),
      ...Array.from({ length: blackholes }, (): Fault => 'blackhole'),
    ]
    for (const [index, fault] of faults.entries()) {
      const { id, body } = makeTree(`n${index}`)
      await untilServed(stage)
      stage.fault = () => fault
      const before = stage.commits()
      const outcome = outcomeOf(await post(stage, body))
      if (outcome !== UNKNOWN) odd.push(`${fault}: ${outcome}`)
      if (stage.commits() !== before + 1) odd.push(`${fault}: ${stage.commits() - before} commits`)
      stage.fault = () => 'pass'
      if (fault === 'cut-after' || fault === 'cut-reply') committed.add(id)
    }
    await stage.server.stop('SIGKILL')
    await untilAlone(stage.database)
    const { verdict, ids } = await judgeTrees(stage.database, stage.floors)
    const wrong = [...new Set([...committed, ...ids])].filter((id) => committed.has(id) !== ids.has(id))
    return { cuts: faults.length, sent: faults.length, retries: 0, wrong, odd, verdict }
  })

/** After a cut the pool needs a moment to reconnect. */
async function untilServed({ server }: Stage): Promise<void> {
  while ((await send(server.url, 'GET', '/items/topics?limit=1')).status !== 200) await sleep(5)
}

const none = { atMost: 0 }

const figuresOf = (what: string, cuts: number, retries: number, { verdict, ...result }: CutsResult): Figure[] => [
  { what: `${what}: connections cut at COMMIT`, value: result.cuts, unit: '', bound: { atLeast: cuts } },
  { what: `${what}: trees sent`, value: result.sent, unit: '' },
  { what: `${what}: repetitions by clients`, value: result.retries, unit: '', bound: { atLeast: retries } },
  { what: `${what}: duplicates`, value: verdict.duplicates.length, unit: '', bound: none },
  { what: `${what}: lost or unpromised`, value: result.wrong.length, unit: '', bound: none },
  { what: `${what}: partial trees`, value: verdict.partial.length + verdict.strays, unit: '', bound: none },
  { what: `${what}: records that do not match`, value: verdict.mismatches, unit: '', bound: none },
  { what: `${what}: answers of another kind`, value: result.odd.length, unit: '', bound: none },
]

interface Cuts {
  readonly cuts: number
  /** Connections that say nothing more after COMMIT. */
  readonly blackholes: number
  readonly protocol: PostgresProtocol
}

export async function figures({ cuts, blackholes, protocol }: Cuts): Promise<Figure[]> {
  const withKey = await cutWithKey(cuts, protocol)
  const withoutKey = await cutWithoutKey(cuts, blackholes, protocol)
  for (const text of new Set([...withKey.odd, ...withoutKey.odd])) console.log(text)
  return [
    ...figuresOf('Idempotency-Key', cuts, cuts, withKey),
    ...figuresOf('no key', cuts + blackholes, 0, withoutKey),
  ]
}
