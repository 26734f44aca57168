// npm run verify kills [-- --kills 300 --dialect sqlite]
// The service is killed repeatedly while clients write nested trees through it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { freePort } from '../lib/free-port.ts'
import { send, startServer } from './server.ts'
import { stages, type Stage, type StageName } from './stage.ts'
import { floorsOf, judgeTrees, makeTree, type Verdict } from './trees.ts'

const WRITERS = 16
const LONGEST_LIFE = 50

export interface KillsResult {
  readonly kills: number
  readonly sent: number
  readonly acked: number
  readonly lost: readonly string[]
  readonly unasked: readonly string[]
  /** Responses other than success, a broken connection or a refusal. */
  readonly odd: readonly string[]
  /** Trees that exist although the service refused them with 503 (sessions of the killed process may linger). */
  readonly refused: readonly string[]
  /** Trees that were committed without a response: the kill came between the commit and the response. */
  readonly silent: number
  /** Problems with the database files after a kill. */
  readonly damage: readonly string[]
  readonly verdict: Verdict
  /** Milliseconds until the sessions of the last killed process were gone. */
  readonly settle: number | null
}

interface Writers {
  /** Writers pause while the service is known to be down. */
  resume(): void
  pause(): void
  /** Resolves at the next acknowledgement. */
  nextAck(): Promise<void>
  stop(): Promise<void>
  readonly odd: readonly string[]
  readonly refused: readonly string[]
}

function startWriters(url: string, ledger: Ledger): Writers {
  const odd: string[] = []
  const refused: string[] = []
  const listeners: (() => void)[] = []
  const state = { isOver: false, count: 0, gate: Promise.withResolvers<void>() }
  const writeOne = async () => {
    state.count += 1
    const { id, body } = makeTree(`t${state.count}`)
    ledger.note('sent', id)
    const reply = await send(url, 'POST', '/items/articles?fields=id', body).catch(() => null)
    if (reply === null) return
    if (reply.status === 503) return void refused.push(id)
    if (reply.status !== 200) return void odd.push(`${reply.status} ${reply.text}`)
    ledger.note('acked', id)
    for (const listener of listeners.splice(0)) listener()
  }
  const write = async () => {
    for (;;) {
      await state.gate.promise
      if (state.isOver) return
      await writeOne()
    }
  }
  const all = Array.from({ length: WRITERS }, write)
  return {
    odd,
    refused,
    resume: () => state.gate.resolve(),
    pause() {
      state.gate = Promise.withResolvers<void>()
    },
    nextAck: () => new Promise((resolve) => listeners.push(resolve)),
    async stop() {
      state.isOver = true
      state.gate.resolve()
      await Promise.all(all)
    },
  }
}

/** Half of the kills hit a service that has just started, half one that has acknowledged a write. */
async function killAgainAndAgain(kills: number, stage: Stage, ledger: Ledger) {
  const environment = { DATABASE_URL: stage.url, LOG_LEVEL: 'warn' }
  const damage: string[] = []
  const port = await freePort()
  const writers = startWriters(`http://127.0.0.1:${port}`, ledger)
  for (let kill = 1; kill <= kills; kill += 1) {
    const server = await startServer(environment, port)
    writers.resume()
    if (kill % 2 === 0) await writers.nextAck()
    await sleep(Math.random() * LONGEST_LIFE)
    writers.pause()
    await server.stop('SIGKILL')
    damage.push(...(await stage.damage()))
    if (kill % 25 === 0) console.log(`${kill} kills`)
  }
  await writers.stop()
  return { odd: writers.odd, refused: writers.refused, damage }
}

export async function runKills(kills: number, dialect: StageName = 'postgres'): Promise<KillsResult> {
  const directory = await mkdtemp(join(tmpdir(), 'tain-kills-'))
  const stage = await stages[dialect]()
  const ledger = openLedger(join(directory, 'ledger'))
  try {
    const before = await connect(stage.url)
    const floors = await floorsOf(before)
    await before.close()
    const { odd, refused, damage } = await killAgainAndAgain(kills, stage, ledger)
    const database = await connect(stage.url)
    const began = performance.now()
    await stage.settle?.(database)
    const settle = stage.settle === null ? null : performance.now() - began
    const { verdict, ids } = await judgeTrees(database, floors, stage.own)
    await database.close()
    const { sent, acked } = ledger.read()
    return {
      kills,
      sent: sent.size,
      acked: acked.size,
      lost: [...acked].filter((id) => !ids.has(id)),
      unasked: [...ids].filter((id) => !sent.has(id)),
      odd,
      refused: refused.filter((id) => ids.has(id)),
      silent: [...ids].filter((id) => !acked.has(id)).length,
      damage,
      verdict,
      settle,
    }
  } finally {
    ledger.close()
    await stage.destroy()
    await rm(directory, { recursive: true, force: true })
  }
}

const none = { atMost: 0 }

export async function figures(kills: number, dialect: StageName): Promise<Figure[]> {
  const { verdict, ...result } = await runKills(kills, dialect)
  for (const text of new Set([...result.odd, ...result.damage])) console.log(text)
  return [
    { what: 'SIGKILLs under 16 writers', value: result.kills, unit: '' },
    { what: 'trees sent', value: result.sent, unit: '' },
    { what: 'trees acknowledged', value: result.acked, unit: '', bound: { atLeast: 1 } },
    { what: 'trees whole but not acknowledged', value: result.silent, unit: '' },
    { what: 'partial trees', value: verdict.partial.length + verdict.strays, unit: '', bound: none },
    { what: 'acknowledged trees lost', value: result.lost.length, unit: '', bound: none },
    { what: 'trees that no writer sent', value: result.unasked.length, unit: '', bound: none },
    { what: 'trees written twice', value: verdict.duplicates.length, unit: '', bound: none },
    { what: 'rows, activity and revisions that do not match', value: verdict.mismatches, unit: '', bound: none },
    { what: 'damages found in files', value: result.damage.length, unit: '', bound: none },
    { what: 'trees refused, and yet there', value: result.refused.length, unit: '', bound: none },
    { what: 'answers other than 200 and 503', value: result.odd.length, unit: '', bound: none },
    ...(result.settle === null
      ? []
      : [{ what: 'until the last sessions were gone', value: result.settle, unit: 'ms', bound: { atMost: 5000 } }]),
  ]
}
