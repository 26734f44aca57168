// npm run verify ddl-failpoints [-- --dialect mysql]
// The service is killed at every hit of every failpoint of schema management. After a restart, schema and metadata are
// either in the old or in the new state, and consistent.
import { failpoints, type Failpoint } from '../../packages/server/src/lib/failpoint.ts'
import type { Figure } from '../measurements/service.ts'
import { disagreementsOf, structureOf } from '../schema/catalogue.ts'
import { mysqlDisagreements, mysqlStructure } from '../schema/catalogue-mysql.ts'
import { untilAloneOnMysql, withMysqlCopies } from './mysql-copies.ts'
import {
  hitsIn,
  sendAll,
  startTrapped,
  withCopies,
  type Copies,
  type Copy,
  type FailpointsResult,
  type Hit,
} from './failpoints.ts'
import { untilAlone } from './fixture.ts'
import { prepareStructure, schemaScenarios, type CrashDialect, type SchemaScenario } from './schema-scenarios.ts'
import { startServer } from './server.ts'

const LANES = 2

/** From these failpoints on, the change is committed. */
const COMMITS = /^schema\.(?:committed|(?:before|after)-clear-away)$/u

/** How to inspect each database, and the failpoints that it does not have. */
interface Place {
  readonly dialect: CrashDialect
  readonly withCopies: <T>(work: (copies: Copies) => Promise<T>) => Promise<T>
  readonly structureOf: (query: Copy['query']) => Promise<string>
  readonly disagreementsOf: (query: Copy['query']) => Promise<string[]>
  readonly untilAlone: (copy: Copy) => Promise<void>
  readonly without: RegExp
}

const places: Readonly<Record<CrashDialect, Place>> = {
  postgres: {
    dialect: 'postgres',
    withCopies: (work) => withCopies(work, prepareStructure),
    structureOf,
    disagreementsOf,
    untilAlone,
    without: /-clear-away$/u,
  },
  mysql: {
    dialect: 'mysql',
    withCopies: (work) => withMysqlCopies(work, (url) => prepareStructure(url, 'mysql')),
    structureOf: mysqlStructure,
    disagreementsOf: mysqlDisagreements,
    untilAlone: untilAloneOnMysql,
    without: /-define$/u,
  },
}

const ownOf = ({ without }: Place) => failpoints.filter((name) => name.startsWith('schema.') && !without.test(name))

/** A start without traps, which completes or rolls back an interrupted change. */
async function startAndStop({ url }: Copy): Promise<void> {
  const server = await startServer({ DATABASE_URL: url, DB_POOL_MAX: '4' })
  await server.stop()
}

const setUp = async ({ query }: Copy, { setup }: SchemaScenario, { dialect }: Place) => {
  if (setup !== undefined) await query(setup[dialect])
}

/** Runs the scenario without failures. */
async function rehearse(scenario: SchemaScenario, copies: Copies, place: Place) {
  const copy = await copies.make()
  await setUp(copy, scenario, place)
  await startAndStop(copy)
  const before = await place.structureOf(copy.query)
  await setUp(copy, scenario, place)
  const server = await startTrapped(copy, '*:note')
  await sendAll(server, scenario)
  await server.stop()
  const after = await place.structureOf(copy.query)
  await copy.close()
  return { hits: hitsIn(server.log()).filter(({ name }) => name.startsWith('schema.')), before, after }
}

/** Kills the service at this hit, restarts it and returns the resulting content of the database. */
async function crashAt({ name, count }: Hit, scenario: SchemaScenario, copy: Copy, place: Place): Promise<string> {
  await setUp(copy, scenario, place)
  // The kill may happen during the start or during the request.
  const server = await startTrapped(copy, `${name}:${count}:crash`).catch(() => null)
  if (server !== null) {
    await sendAll(server, scenario).catch(() => undefined)
    setTimeout(() => server.child.kill('SIGTERM'), 2000).unref()
    if ((await server.ended()) !== 'SIGKILL') throw new Error(`${scenario.name}: ${name} was not hit ${count} times`)
  }
  await place.untilAlone(copy)
  await startAndStop(copy)
  return place.structureOf(copy.query)
}

interface Tally {
  crashes: number
  readonly reached: Set<Failpoint>
  readonly wrong: string[]
}

export type Choose = (hits: readonly Hit[], reached: ReadonlySet<Failpoint>) => readonly Hit[]

async function crashThrough(
  scenario: SchemaScenario,
  choose: Choose,
  copies: Copies,
  tally: Tally,
  place: Place,
): Promise<void> {
  const { hits, before, after } = await rehearse(scenario, copies, place)
  const chosen = choose(hits, tally.reached)
  for (const { name } of hits) tally.reached.add(name)
  if (after === before) tally.wrong.push(`${scenario.name}: nothing was changed`)
  let copy = await copies.make()
  for (const hit of chosen) {
    const left = await crashAt(hit, scenario, copy, place)
    tally.crashes += 1
    const where = `${scenario.name}: hit ${hit.count} of ${hit.name}`
    const isDone = COMMITS.test(hit.name)
    if (left !== (isDone ? after : before))
      tally.wrong.push(`${where} left ${left === before || left === after ? 'the wrong one' : 'something between'}`)
    for (const line of await place.disagreementsOf(copy.query)) tally.wrong.push(`${where} left ${line}`)
    if (!isDone) continue
    await copy.close()
    copy = await copies.make()
  }
  await copy.close()
}

/** Runs the scenarios, a few at a time, each on its own databases. */
export async function crashSchemaChanges(
  copies: Copies,
  choose: Choose = (hits) => hits,
  dialect: CrashDialect = 'postgres',
): Promise<FailpointsResult> {
  const place = places[dialect]
  const tally: Tally = { crashes: 0, reached: new Set(), wrong: [] }
  const waiting = [...schemaScenarios]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await crashThrough(next, choose, copies, tally, place)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return { crashes: tally.crashes, missed: ownOf(place).filter((name) => !tally.reached.has(name)), wrong: tally.wrong }
}

export const withStructures = <T>(
  work: (copies: Copies) => Promise<T>,
  dialect: CrashDialect = 'postgres',
): Promise<T> => places[dialect].withCopies(work)

/** The first hit of each failpoint. */
const firstOfEach: Choose = (hits, reached) => {
  const seen = new Set(reached)
  return hits.filter(({ name }) => {
    const isNew = !seen.has(name)
    seen.add(name)
    return isNew
  })
}

/** Every second one of these. */
function everySecond(): Choose {
  let turn = 0
  return (hits, reached) => firstOfEach(hits, reached).filter(() => (turn += 1) % 2 === 0)
}

/** A change takes many more steps on MariaDB, because each is a transaction. */
const someOf = (dialect: CrashDialect): Choose => (dialect === 'mysql' ? everySecond() : firstOfEach)

export async function figures(dialect: CrashDialect, everyHit: boolean): Promise<Figure[]> {
  const { crashes, missed, wrong } = await withStructures(
    (copies) => crashSchemaChanges(copies, everyHit ? undefined : someOf(dialect), dialect),
    dialect,
  )
  for (const text of [...missed, ...wrong]) console.log(text)
  return [
    { what: 'operations of schema management', value: schemaScenarios.length, unit: '' },
    { what: 'failpoints', value: ownOf(places[dialect]).length, unit: '' },
    { what: 'failpoints that no operation came by', value: missed.length, unit: '', bound: { atMost: 0 } },
    { what: 'crashes, each followed by a start', value: crashes, unit: '' },
    {
      what: 'states between before and after, or in disagreement',
      value: wrong.length,
      unit: '',
      bound: { atMost: 0 },
    },
  ]
}
