import { setTimeout as sleep } from 'node:timers/promises'
import { EVERYTHING } from '../schema/mirror.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Database } from '../sql/database.ts'
import { NOT_BEGUN } from '../sql/service/events.ts'
import { DatabaseError } from '../sql/driver.ts'
import type { EventLog } from './event-log.ts'
import type { NewChange } from './logged-change.ts'
import {
  createServiceStatements,
  inTransaction,
  type RunServiceStatement,
} from '../sql/service/run-service-statement.ts'

/** Which collections are listened to, by this process and by others. */
export interface Interests {
  /** Resolves once no running write can miss that; returns what ends the interest. */
  readonly listen: (collections: readonly string[]) => Promise<() => void>
  /** The position since when all changes of a collection are kept; null: they are not. */
  readonly since: (collection: string, isSystem: boolean) => Promise<number | null>
  /** Says again what this process listens to, before the others forget it. */
  readonly renew: () => Promise<void>
  /** Forgets what nobody has listened to for the time that changes are kept. */
  readonly forget: () => Promise<void>
}

export interface InterestOptions {
  readonly database: Database
  readonly systemSchema: string
  readonly schemaCache: Pick<SchemaCache, 'current' | 'atLeast'>
  /** How long an interest outlives those who had it, in milliseconds. */
  readonly lifetime: number
  readonly append: EventLog['append']
}

const heard = (collection: string): NewChange => ({
  write: `heard ${collection}`,
  collection,
  key: '',
  kind: 'heard',
  before: null,
  after: null,
  user: null,
})

/** Writes take milliseconds; transactions of other programs may be open for hours, and are not ours to wait for. */
const LONGEST_WAIT = 10_000
const PAUSE = 5
/** Where the database does not tell who writes. */
const BLIND_WAIT = 1000

export function createInterests({ database, systemSchema, schemaCache, lifetime, append }: InterestOptions): Interests {
  const { events, serviceTables, driver } = database
  const ask = createServiceStatements(database, systemSchema)
  const held = new Map<string, number>()
  const sinces = async () => new Map((await ask(events.interests)).map(([name, since]) => [name ?? '', Number(since)]))

  const isHeard = (name: string, schema: Schema | null) =>
    name === EVERYTHING
      ? [...(schema?.collections.values() ?? [])].every((one) => one.isSystem || one.capturedSince !== null)
      : (schema?.collections.get(name)?.capturedSince ?? null) !== null

  /** The version is that of the schema from which on every write knows; null: it was so before. */
  const store = (names: readonly string[]): Promise<number | null> =>
    inTransaction(driver, async (transaction) => {
      const schema = schemaCache.current()
      for (const name of names) await ask(events.listen, [name, String(lifetime)], transaction)
      const [version] = await ask(serviceTables.version, [], transaction)
      if (Number(version?.[0]) === schema?.version && names.every((name) => isHeard(name, schema))) return null
      const [bumped] = await ask(serviceTables.bump, [], transaction)
      return Number(bumped?.[0])
    })

  /**
   * Positions that were told before say nothing about a collection that nobody has listened to, so it begins at one that
   * nobody knows.
   */
  const begin = (names: readonly string[]): Promise<void> =>
    inTransaction(driver, async (transaction) => {
      await append(names.map(heard), transaction)
      for (const name of names) await ask(events.begin, [name], transaction)
    })

  async function listen(names: readonly string[]): Promise<void> {
    const version = await store(names)
    const known = await sinces()
    const fresh = names.filter((name) => known.get(name) === NOT_BEGUN)
    if (version === null && fresh.length === 0) return
    const schema = await schemaCache.atLeast(version ?? 0)
    await writersOf(tablesOf(names, schema), events, ask)
    if (fresh.length > 0) await begin(fresh)
  }

  return {
    async listen(collections) {
      const names = [...new Set(collections)]
      const fresh = names.filter((name) => !held.has(name) || !isHeard(name, schemaCache.current()))
      if (fresh.length > 0) await listen(fresh)
      for (const name of names) held.set(name, (held.get(name) ?? 0) + 1)
      return once(() => names.forEach((name) => letGo(held, name)))
    },
    since: async (collection, isSystem) => beginOf(collection, isSystem, await sinces()),
    async renew() {
      if (held.size > 0) await listen([...held.keys()])
    },
    forget: () => forget(driver, serviceTables, events, ask),
  }
}

async function forget(
  driver: Database['driver'],
  { bump }: Database['serviceTables'],
  { unheard, removeUnheard }: Database['events'],
  ask: RunServiceStatement,
): Promise<void> {
  if ((await ask(unheard)).length === 0) return
  await inTransaction(driver, async (transaction) => {
    await ask(removeUnheard, [], transaction)
    await ask(bump, [], transaction)
  })
}

function beginOf(collection: string, isSystem: boolean, sinces: ReadonlyMap<string, number>): number | null {
  const found = [sinces.get(collection), isSystem ? undefined : sinces.get(EVERYTHING)]
  const begun = found.flatMap((since) => (since === undefined || since === NOT_BEGUN ? [] : [since]))
  return begun.length === 0 ? null : Math.min(...begun)
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

function letGo(held: Map<string, number>, name: string): void {
  const left = (held.get(name) ?? 1) - 1
  if (left === 0) held.delete(name)
  else held.set(name, left)
}

const tablesOf = (names: readonly string[], { collections }: Schema): readonly Collection[] =>
  names.includes(EVERYTHING)
    ? [...collections.values()].filter(({ isSystem }) => !isSystem)
    : names.flatMap((name) => collections.get(name) ?? [])

/** Waits until the transactions that write to these tables now are over: they began under an older schema. */
async function writersOf(
  collections: readonly Collection[],
  { writers }: Database['events'],
  ask: RunServiceStatement,
): Promise<void> {
  const end = performance.now() + LONGEST_WAIT
  for (const { schema, table } of collections) {
    const [all, among] = [writers(schema, table, false), writers(schema, table, true)]
    if (all === null || among === null) continue
    try {
      let names = (await ask(() => all)).map(([name]) => name)
      while (names.length > 0 && performance.now() < end) {
        await sleep(PAUSE)
        names = (await ask(() => among, [JSON.stringify(names)])).map(([name]) => name)
      }
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.fault === 'unavailable') throw error
      await sleep(BLIND_WAIT)
      return
    }
  }
}
