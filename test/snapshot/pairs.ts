import { isDeepStrictEqual } from 'node:util'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { chosenDialect } from '../lib/chosen-dialect.ts'
import { createRng } from '../random/rng.ts'
import { dataOf, openService, type Answer, type Service } from '../lib/service.ts'
import { catalogueOf } from './catalogue.ts'
import { install } from './install.ts'
import { mutated, randomStructure, type Structure } from './structure.ts'

export interface Pairs {
  readonly seed: number
  readonly from: number
  readonly pairs: number
  /** No new pair starts after this time. */
  readonly seconds: number
  readonly say: (line: string) => void
}

export interface PairsResult {
  readonly pairs: number
  /** Schema changes made during the run. */
  readonly changes: number
  readonly refusals: number
  readonly merges: number
  readonly failures: readonly string[]
}

interface Side {
  readonly database: TestDatabase
  readonly service: Service
}

interface Diff {
  readonly hash: string
  readonly diff: Readonly<Record<string, readonly unknown[]>>
  readonly changes: readonly {
    readonly kind: string
    readonly table: { readonly schema: string; readonly table: string }
  }[]
}

type Document = Readonly<Record<string, unknown>>

class Difference extends Error {}

const fail = (what: string, detail: unknown): never => {
  throw new Difference(`${what}: ${typeof detail === 'string' ? detail : JSON.stringify(detail).slice(0, 4000)}`)
}

async function start(): Promise<Side> {
  const database = await createDatabase(chosenDialect())
  return { database, service: await openService({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' }) }
}

async function stop({ database, service }: Side): Promise<void> {
  await service.stop()
  await database.drop()
}

const snapshotOf = async ({ service }: Side): Promise<Document> =>
  dataOf(await service.get('/schema/snapshot')) as Document

const expected = (answer: Answer, status: number, what: string): Answer =>
  answer.status === status ? answer : fail(what, `${answer.status} ${answer.text}`)

const differing = (a: readonly string[], b: readonly string[]) => ({
  missing: b.filter((line) => !a.includes(line)),
  surplus: a.filter((line) => !b.includes(line)),
})

const linesOf = (document: Document): string[] =>
  ['collections', 'fields', 'relations'].flatMap((section) =>
    (document[section] as readonly unknown[]).map((item) => `${section} ${JSON.stringify(item)}`),
  )

async function diffOf({ service }: Side, wanted: Document, mode: string): Promise<Diff | null> {
  const answer = await service.send('POST', `/schema/diff?mode=${mode}`, wanted)
  if (answer.status === 204) return null
  return dataOf(expected(answer, 200, `diff, mode ${mode}`)) as Diff
}

function emptyRowSql({ schema, table }: Diff['changes'][number]['table']): string {
  if (chosenDialect() === 'mysql') return `insert into \`${table.replaceAll('`', '``')}\` () values ()`
  const name = [schema, table].map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
  return `insert into ${name} default values`
}

/**
 * Inserts a row into a table that is about to be dropped. Without the flag nothing may change, including lossless
 * changes.
 */
async function refusesToLose(target: Side, diff: Diff): Promise<boolean> {
  for (const { kind, table } of diff.changes) {
    if (kind !== 'drop-table') continue
    const isInserted = await target.database.query(emptyRowSql(table)).then(
      () => true,
      () => false,
    )
    if (!isInserted) continue
    const before = await catalogueOf(target.database)
    expected(await target.service.send('POST', '/schema/apply', diff), 422, 'dropping a table with rows')
    const after = await catalogueOf(target.database)
    if (!isDeepStrictEqual(before, after)) fail('a refusal has changed something', differing(after, before))
    return true
  }
  return false
}

/** Existing objects stay and the objects in the file are added. If that needs a drop, the merge is refused. */
async function merges(target: Side, wanted: Document): Promise<boolean> {
  const answer = await target.service.send('POST', '/schema/diff?mode=merge', wanted)
  if (answer.status === 204 || answer.status === 422) return false
  const diff = dataOf(expected(answer, 200, 'diff, mode merge')) as Diff
  const drops = diff.changes.filter(({ kind }) => kind === 'drop-table' || kind === 'drop-column')
  if (drops.length > 0) fail('merging drops', drops)
  const before = await catalogueOf(target.database)
  const applied = await target.service.send('POST', '/schema/apply', diff)
  // A foreign key that stays may be incompatible with the new type of its column.
  if (applied.status !== 204) return false
  const left = new Set((await catalogueOf(target.database)).map(thingOf))
  const gone = before.map(thingOf).filter((thing) => thing !== null && !left.has(thing))
  if (gone.length > 0) fail('merging has dropped', gone)
  const again = await target.service.send('POST', '/schema/diff?mode=merge', wanted)
  if (again.status !== 204) fail('merging again would do something', again.text)
  return true
}

/** Identifies tables and columns by name. */
function thingOf(line: string): string | null {
  const [kind, ...cells] = JSON.parse(line) as (string | null)[]
  return kind === 'table' || kind === 'column'
    ? JSON.stringify([kind, ...cells.slice(0, kind === 'table' ? 2 : 3)])
    : null
}

async function checkPair(
  source: Side,
  target: Side,
  isMerged: boolean,
): Promise<{ changes: number; refused: boolean; merged: boolean }> {
  const wanted = await snapshotOf(source)
  if (!isDeepStrictEqual(wanted, await snapshotOf(source))) fail('two snapshots of one structure differ', '')
  const merged = isMerged && (await merges(target, wanted))
  const diff = await diffOf(target, wanted, 'mirror')
  let refused = false
  if (diff !== null) {
    refused = await refusesToLose(target, diff)
    const plan = await target.service.send('POST', '/schema/apply?allow_data_loss=true', diff, {
      headers: { prefer: 'tx=rollback' },
    })
    expected(plan, 200, 'the plan')
    expected(await target.service.send('POST', '/schema/apply?allow_data_loss=true', diff), 204, 'apply')
  }
  const now = await snapshotOf(target)
  if (now['hash'] !== wanted['hash']) {
    const rest = await target.service.send('POST', '/schema/diff?mode=mirror', wanted)
    fail('apply(diff(A, B)) is not B', rest.status === 204 ? differing(linesOf(now), linesOf(wanted)) : rest.text)
  }
  if (!isDeepStrictEqual(now, wanted)) fail('equal hashes of different snapshots', '')
  const [have, want] = [await catalogueOf(target.database), await catalogueOf(source.database)]
  if (!isDeepStrictEqual(have, want)) fail('the databases themselves differ', differing(have, want))
  const schema = chosenDialect() === 'postgres' ? 'tain.' : ''
  const version = () => target.database.query(`select version from ${schema}service_version`)
  const before = await version()
  expected(await target.service.send('POST', '/schema/diff?mode=mirror', wanted), 204, 'diff once more')
  const nothing = { hash: now['hash'], diff: { collections: [], fields: [], relations: [] } }
  expected(await target.service.send('POST', '/schema/apply', nothing), 204, 'applying nothing')
  if (!isDeepStrictEqual(before, await version())) fail('applying again did something', '')
  return { changes: diff?.changes.length ?? 0, refused, merged }
}

const SHARE_MERGED = 0.25

/** Each schema is the target of one pair and the starting point of the next. */
export async function runPairs({ seed, from, pairs, seconds, say }: Pairs): Promise<PairsResult> {
  const source = await start()
  const target = await start()
  const failures: string[] = []
  let [changes, refusals, mergeCount, done] = [0, 0, 0, 0]
  let before: Structure = { tables: [], folders: [], metadata: [] }
  try {
    await install(target.database, before)
    for (let index = 0; index < from; index += 1) before = structureAt(seed, index, before)
    if (from > 0) await install(target.database, before)
    const deadline = performance.now() + seconds * 1000
    for (let index = from; index < from + pairs && performance.now() < deadline; index += 1) {
      const wanted = structureAt(seed, index, before)
      await install(source.database, wanted)
      try {
        const found = await checkPair(source, target, createRng(seed, index, 2).chance(SHARE_MERGED))
        changes += found.changes
        refusals += found.refused ? 1 : 0
        mergeCount += found.merged ? 1 : 0
      } catch (error) {
        if (!(error instanceof Difference)) throw error
        failures.push(`pair ${index} of seed ${seed}: ${error.message}`)
        say(failures.at(-1) ?? '')
        await install(target.database, wanted)
      }
      done += 1
      before = wanted
      if (done % 100 === 0) say(`${done} pairs, ${changes} changes, ${failures.length} failures`)
    }
  } finally {
    await Promise.all([stop(source), stop(target)])
  }
  return { pairs: done, changes, refusals, merges: mergeCount, failures }
}

/** Half of the schemas are new, the other half are the previous one with a few changes. */
function structureAt(seed: number, index: number, before: Structure): Structure {
  const rng = createRng(seed, index)
  return rng.chance(0.5) ? randomStructure(rng) : mutated(rng, before)
}
