// npm run verify failpoints: the service is killed at every hit of every failpoint, and the database has all changes or none.
import { failpoints, type Failpoint } from '../../packages/server/src/lib/failpoint.ts'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { connect, type TestConnection } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { contentOf, copyDatabase, prepareHeard, reset, untilAlone } from './fixture.ts'
import { scenarios, type Scenario } from './scenarios.ts'
import { send, startServer, type Server } from './server.ts'

const TEMPLATE = 'template_crash'
const LANES = 3
/** From these failpoints on, the change is committed. */
const COMMITS = /\.(?:committed|after-single-statement-create)$/u

const own = failpoints.filter((name) => name.startsWith('write.'))

export interface FailpointsResult {
  readonly crashes: number
  /** Failpoints that no request reached. */
  readonly missed: readonly Failpoint[]
  readonly wrong: readonly string[]
}

export interface Hit {
  readonly name: Failpoint
  readonly count: number
}

export interface Copy extends TestConnection {
  readonly url: string
}

/** Creates copies of the prepared database in one cluster. */
export interface Copies {
  make(): Promise<Copy>
}

export async function withCopies<T>(
  work: (copies: Copies) => Promise<T>,
  fill: (url: string) => Promise<void> = prepareHeard,
): Promise<T> {
  const cluster: Cluster = await startCluster({ fsync: 'on', max_connections: '60' })
  let count = 0
  try {
    await fill(await copyDatabase(cluster.url, 'template0', TEMPLATE))
    return await work({
      async make() {
        count += 1
        const url = await copyDatabase(cluster.url, TEMPLATE, `copy_${count}`)
        return { url, ...(await connect(url)) }
      },
    })
  } finally {
    await cluster.destroy()
  }
}

export const startTrapped = ({ url }: Copy, traps: string): Promise<Server> =>
  startServer({ DATABASE_URL: url, DB_POOL_MAX: '4', LOG_LEVEL: 'info', TAIN_FAILPOINTS: traps })

export async function sendAll({ url }: Server, { requests }: Scenario): Promise<void> {
  for (const { method, path, body, headers } of requests) {
    const { status, text } = await send(url, method, path, body, headers)
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  }
}

export const hitsIn = (log: string): Hit[] =>
  log
    .split('\n')
    .filter((line) => line.includes('"msg":"failpoint"'))
    .map((line) => JSON.parse(line) as Hit)

/** Runs the scenario without failures. Returns every failpoint it reaches, and the content before and after. */
async function rehearse(scenario: Scenario, copies: Copies) {
  const copy = await copies.make()
  const before = await contentOf(copy)
  const server = await startTrapped(copy, '*:note')
  await sendAll(server, scenario)
  await server.stop()
  const after = await contentOf(copy)
  await copy.close()
  // Positions are given after the write, whenever that is.
  const hits = hitsIn(server.log()).filter(({ name }) => own.includes(name))
  return { hits, before, after }
}

/** Sets each trap one hit beyond the last: none may fire. */
async function runBeyond(scenario: Scenario, hits: readonly Hit[], copies: Copies): Promise<string> {
  const copy = await copies.make()
  const counts = new Map(hits.map(({ name, count }) => [name, count]))
  const traps = own.map((name) => `${name}:${(counts.get(name) ?? 0) + 1}:crash`)
  const server = await startTrapped(copy, traps.join(','))
  await sendAll(server, scenario)
  await server.stop()
  const content = await contentOf(copy)
  await copy.close()
  return content
}

/** Kills the service at this hit and returns the resulting content of the database. */
async function crashAt({ name, count }: Hit, scenario: Scenario, copy: Copy): Promise<string> {
  const server = await startTrapped(copy, `${name}:${count}:crash`)
  await sendAll(server, scenario).catch(() => undefined)
  // If no crash happens, this stops the service.
  setTimeout(() => server.child.kill('SIGTERM'), 1000).unref()
  if ((await server.ended()) !== 'SIGKILL') throw new Error(`${name} was not hit ${count} times`)
  await untilAlone(copy)
  return contentOf(copy)
}

interface Tally {
  crashes: number
  readonly reached: Set<Failpoint>
  readonly wrong: string[]
}

async function crashThrough(
  scenario: Scenario,
  choose: (hits: readonly Hit[]) => readonly Hit[],
  copies: Copies,
  tally: Tally,
): Promise<void> {
  const { hits, before, after } = await rehearse(scenario, copies)
  for (const { name } of hits) tally.reached.add(name)
  if (after === before) tally.wrong.push(`${scenario.name}: nothing was changed`)
  if ((await runBeyond(scenario, hits, copies)) !== after) tally.wrong.push(`${scenario.name}: not the same twice`)
  const committed = hits.findIndex(({ name }) => COMMITS.test(name))
  const copy = await copies.make()
  for (const hit of choose(hits)) {
    const left = await crashAt(hit, scenario, copy)
    tally.crashes += 1
    const where = `${scenario.name}: hit ${hit.count} of ${hit.name}`
    if (left !== before && left !== after) tally.wrong.push(`${where} left something between`)
    else if (left !== (hits.indexOf(hit) < committed ? before : after)) tally.wrong.push(`${where} left the wrong one`)
    await reset(copy)
  }
  await copy.close()
}

/** Runs the scenarios, a few at a time, each on its own databases. */
export async function crashEverywhere(
  copies: Copies,
  choose: (hits: readonly Hit[]) => readonly Hit[] = (hits) => hits,
): Promise<FailpointsResult> {
  const tally: Tally = { crashes: 0, reached: new Set(), wrong: [] }
  const waiting = [...scenarios]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await crashThrough(next, choose, copies, tally)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return { crashes: tally.crashes, missed: own.filter((name) => !tally.reached.has(name)), wrong: tally.wrong }
}

const none = { atMost: 0 }

/** The first hit of each failpoint, and every hit right before a commit. */
function firstOfEach(): (hits: readonly Hit[]) => Hit[] {
  const seen = new Set<string>()
  return (hits) =>
    hits.filter(({ name }) => {
      const isNew = !seen.has(name)
      seen.add(name)
      return isNew || name === 'write.before-commit'
    })
}

export async function figures(everyHit: boolean): Promise<Figure[]> {
  const choose = everyHit ? undefined : firstOfEach()
  const { crashes, missed, wrong } = await withCopies((copies) => crashEverywhere(copies, choose))
  for (const text of [...missed, ...wrong]) console.log(text)
  return [
    { what: 'failpoints of writes', value: own.length, unit: '' },
    { what: 'failpoints that no request came by', value: missed.length, unit: '', bound: none },
    {
      what: everyHit ? 'crashes, one at every hit of each' : 'crashes, one at the first hit of each',
      value: crashes,
      unit: '',
    },
    { what: 'states between before and after, or the wrong one', value: wrong.length, unit: '', bound: none },
  ]
}
