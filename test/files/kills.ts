// npm run verify file-kills [-- --kills 300]
// The service is killed at every step of bringing files in and taking them away, and at random: every row has its content,
// and what belongs to no row is swept.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { failpoints, type Failpoint } from '../../packages/server/src/lib/failpoint.ts'
import { runCommand } from '../lib/command.ts'
import { hitsIn } from '../crash/failpoints.ts'
import { startServer, type Server } from '../crash/server.ts'
import { connect, createDatabase, type TestConnection } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { freePort } from '../lib/free-port.ts'
import { judge, operations, type Client, type Known, type OperationName } from './file-world.ts'

const CLIENTS = 6
const LONGEST_LIFE = 120

export interface FileKills {
  readonly crashes: number
  readonly kills: number
  readonly acknowledged: number
  /** Failpoints of files that no operation came by. */
  readonly missed: readonly Failpoint[]
  readonly wrong: readonly string[]
  readonly odd: readonly string[]
  readonly orphans: number
  /** Objects of no row after the sweep. */
  readonly left: readonly string[]
}

interface Place {
  readonly url: string
  readonly root: string
  readonly connection: TestConnection
  readonly environment: Readonly<Record<string, string>>
}

async function withPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const database = await createDatabase('postgres')
  const root = await mkdtemp(join(tmpdir(), 'tain-file-kills-'))
  const connection = await connect(database.url)
  const environment = {
    DATABASE_URL: database.url,
    STORAGE_LOCAL_ROOT: root,
    LOG_LEVEL: 'info',
    DB_POOL_MAX: '4',
    SECRET: 'file-kills-secret-file-kills-secret-file',
  }
  try {
    return await work({ url: database.url, root, connection, environment })
  } finally {
    await connection.close()
    await rm(root, { recursive: true, force: true })
    await database.drop()
  }
}

const clientOf = (url: string, known: Known, odd: string[]): Client => ({ url, known, odd, done: { count: 0 } })

/** The failpoints that an operation comes by, each with its number of hits. */
async function rehearse(name: OperationName, place: Place, known: Known, odd: string[]) {
  const server = await startServer({ ...place.environment, TAIN_FAILPOINTS: '*:note' })
  await operations[name](clientOf(server.url, known, odd))
  await sleep(200)
  await server.stop()
  return hitsIn(server.log()).filter(
    ({ name: point }) => point.startsWith('files.') || point === 'write.before-commit' || point === 'write.committed',
  )
}

async function crashAt(trap: string, name: OperationName, place: Place, known: Known, odd: string[]): Promise<boolean> {
  const server = await startServer({ ...place.environment, TAIN_FAILPOINTS: `${trap}:crash` })
  await operations[name](clientOf(server.url, known, odd)).catch(() => undefined)
  setTimeout(() => server.child.kill('SIGTERM'), 2000).unref()
  return (await server.ended()) === 'SIGKILL'
}

/** Files to replace and to delete. */
async function bringSome(count: number, place: Place, known: Known, odd: string[]): Promise<void> {
  const server = await startServer(place.environment)
  for (let n = 0; n < count; n += 1) await operations.upload(clientOf(server.url, known, odd))
  await server.stop()
}

/** Kills at every hit of every failpoint of each operation. */
async function crashEverywhere(place: Place, known: Known, odd: string[], wrong: string[], isWhole: boolean) {
  const reached = new Set<Failpoint>()
  let crashes = 0
  await bringSome(20, place, known, odd)
  for (const name of Object.keys(operations) as OperationName[]) {
    const all = await rehearse(name, place, known, odd)
    // The first operation that comes by a failpoint stands for the others.
    const hits = isWhole ? all : all.filter(({ name: point, count }) => count === 1 && !reached.has(point))
    for (const { name: point, count } of hits) {
      reached.add(point)
      if (!(await crashAt(`${point}:${count}`, name, place, known, odd)))
        wrong.push(`${name}: ${point} was not hit ${count} times`)
      crashes += 1
      const verdict = await judge(place.connection, 'tain.', place.root, known)
      wrong.push(...verdict.wrong.map((words) => `${name}, ${point} ${count}: ${words}`))
    }
  }
  const own = failpoints.filter((point) => point.startsWith('files.'))
  return { crashes, missed: own.filter((point) => !reached.has(point)) }
}

/** Waits for a response that is as wanted, but not for ever. */
async function untilDone({ done }: Client): Promise<void> {
  const before = done.count
  for (let waited = 0; done.count === before && waited < 5000; waited += 5) await sleep(5)
}

async function killAtRandom(kills: number, place: Place, known: Known, odd: string[]): Promise<void> {
  const port = await freePort()
  const names = Object.keys(operations) as OperationName[]
  for (let kill = 1; kill <= kills; kill += 1) {
    const server: Server = await startServer({ ...place.environment, LOG_LEVEL: 'warn' }, port)
    const state = { isOver: false }
    const client = clientOf(server.url, known, odd)
    const work = Array.from({ length: CLIENTS }, async (_, n) => {
      for (let turn = 0; !state.isOver; turn += 1)
        await operations[names[(n + turn) % names.length] ?? 'upload'](client).catch(() => undefined)
    })
    // Half of them die at once, half after a response: then all kinds of operations are under way.
    if (kill % 2 === 0) await untilDone(client)
    await sleep(Math.random() * LONGEST_LIFE)
    state.isOver = true
    await server.stop('SIGKILL')
    await Promise.all(work)
    if (kill % 25 === 0) console.log(`${kill} kills, ${known.size} files`)
  }
}

/** `isWhole`: at every hit of every failpoint, not only at the first. */
export async function runFileKills(kills: number, isWhole = true): Promise<FileKills> {
  return withPlace(async (place) => {
    const known: Known = new Map()
    const odd: string[] = []
    const wrong: string[] = []
    const { crashes, missed } = await crashEverywhere(place, known, odd, wrong, isWhole)
    await killAtRandom(kills, place, known, odd)
    const after = await judge(place.connection, 'tain.', place.root, known)
    // Unfinished uploads are nobody's as soon as they have expired.
    await place.connection.query(`update tain.service_uploads set expires = now() - interval '1 minute', holder = null`)
    const sweep = await runCommand(['files', 'sweep', '--older-than', '0s'], { environment: place.environment })
    if (sweep.code !== 0) odd.push(`files sweep: ${sweep.error}`)
    const swept = await judge(place.connection, 'tain.', place.root, known)
    const parts = await readdir(join(place.root, '.part')).catch(() => [])
    return {
      crashes,
      kills,
      acknowledged: known.size,
      missed,
      odd,
      wrong: [...wrong, ...after.wrong, ...swept.wrong],
      orphans: after.orphans.length,
      left: [...swept.orphans, ...parts.map((name) => `.part/${name}`)],
    }
  })
}

const none = { atMost: 0 }

/** There are at least as many operations with failpoints. */
const LEAST_CRASHES = 12

export async function figures(kills: number, everyHit: boolean): Promise<Figure[]> {
  const { crashes, kills: done, acknowledged, missed, wrong, odd, orphans, left } = await runFileKills(kills, everyHit)
  for (const text of [...missed, ...wrong, ...odd.slice(0, 20), ...left]) console.log(text)
  return [
    { what: 'crashes at failpoints', value: crashes, unit: '', bound: { atLeast: LEAST_CRASHES } },
    { what: 'failpoints that no operation came by', value: missed.length, unit: '', bound: none },
    { what: 'random kills', value: done, unit: '' },
    { what: 'files that were acknowledged', value: acknowledged, unit: '' },
    { what: 'rows without their content, lost or wrong files', value: wrong.length, unit: '', bound: none },
    { what: 'unexpected responses', value: odd.length, unit: '', bound: none },
    { what: 'objects of no row before the sweep', value: orphans, unit: '' },
    { what: 'objects of no row after the sweep', value: left.length, unit: '', bound: none },
  ]
}
