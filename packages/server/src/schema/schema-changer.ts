import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError, type SchemaPlan } from '@tain/contract'
import { parseExactJson } from '../lib/exact-json.ts'
import { between, type Failpoints } from '../lib/failpoint.ts'
import { createMutex } from '../lib/mutex.ts'
import type { Observe } from '../observe.ts'
import { run, type Database } from '../sql/database.ts'
import type {
  DdlPlan,
  DdlStatement,
  DdlStatements,
  Obstacle,
  Preparation,
  PreparedObject,
  PrintedTable,
  SchemaChange,
  TableRef,
} from '../sql/ddl.ts'
import { DatabaseError, type Row, type Statement, type Transaction } from '../sql/driver.ts'
import type { DeclaredTable } from '../sql/service-tables.ts'
import { blockOf, changeFault, nameOf, refusedBy, stuckFault, type FoundObstacle } from './change-faults.ts'
import type { Change, SchemaChanger, PruneReferences, MetadataChange, Planner } from './change.ts'
import { createCatalogue } from './change-catalogue.ts'
import { storePermissions } from './change-permissions.ts'
import type { Schema } from './schema.ts'
import type { Snapshot } from './schema-cache.ts'

export interface ChangeStoreOptions {
  readonly systemSchema: string
  /** The system tables. */
  readonly declared: readonly DeclaredTable[]
  readonly failpoints: Failpoints | null
  readonly observe: Observe
  readonly pruneReferences: PruneReferences
}

const LOCK_WAIT = 60_000
/** Statements that queue behind a change wait as long as the change does, and have 2 s in total. */
const TABLE_WAIT = 1000
const MAX_TRIES = 8
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000
/** Table size in bytes; scanning a larger table blocks other statements for too long. */
const LARGE = 1024 ** 2

/**
 * Runs schema changes one at a time across all replicas. A change is planned under a lock and applied in one
 * transaction with its metadata, permissions and the new version.
 */
export function createSchemaChanger(
  database: Database,
  snapshot: Snapshot,
  options: ChangeStoreOptions,
): SchemaChanger {
  const { schemaDriver: driver, dialect, ddl, serviceTables } = database
  const { systemSchema, failpoints, observe, pruneReferences } = options
  const mutex = createMutex()
  const rowsOf = (name: string) => {
    const table = options.declared.find((entry) => entry.name === name)
    if (table === undefined) throw new TypeError(`"${name}" is no table of the service`)
    return serviceTables.rows(systemSchema, table)
  }
  const catalogue = createCatalogue(database, rowsOf)

  /** Runs work under the mutex of this process and the lock of all replicas. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const leave = await mutex.take()
    const done: { result?: T } = {}
    try {
      await driver.transaction(async (transaction) => {
        for (const statement of ddl.lock(systemSchema, LOCK_WAIT))
          await transaction.query(statement).catch(refuseToWait)
        done.result = await work()
      }, 'read')
      return done.result as T
    } catch (error) {
      // The lock can be lost after the work is done; the completed work remains valid.
      if ('result' in done) return done.result
      throw changeFault(error, ddl)
    } finally {
      leave()
    }
  }

  /** Retries work that waits only briefly for table locks, so that other statements never queue behind it for long. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof DatabaseError) || !ddl.isBusy(error) || tries === MAX_TRIES) throw error
        observe({ kind: 'schema-busy', tries, error })
        await sleep(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** tries) * (0.5 + Math.random()))
      }
    }
  }

  async function sizesOf(changes: readonly SchemaChange[]): Promise<Sizes> {
    const tables = [...new Map(changes.map(({ table }) => [nameOf(table), table])).values()]
    const rows = tables.length === 0 ? [] : await patiently(() => driver.query(ddl.sizes(tables)))
    const sizes = new Map(
      tables.map((table, index) => {
        const [count, bytes, isPlain] = rows[index] ?? []
        return [nameOf(table), { rows: Number(count), isLarge: isPlain === 't' && Number(bytes) > LARGE }]
      }),
    )
    return {
      rowsOf: (table) => sizes.get(nameOf(table))?.rows ?? 0,
      isLarge: (table) => sizes.get(nameOf(table))?.isLarge ?? false,
      total: [...sizes.values()].reduce((sum, { rows: count }) => sum + count, 0),
    }
  }

  async function obstaclesTo(changes: readonly SchemaChange[]): Promise<readonly FoundObstacle[]> {
    const found: FoundObstacle[] = []
    const onExisting = changes.filter((change) => !isOnNew(change, changes))
    for (const obstacle of [...permissionsFor(onExisting, ddl), ...onExisting.flatMap(ddl.obstaclesTo)]) {
      const [row] = await patiently(() => driver.query(obstacle.count))
      if (Number(row?.[0]) > 0) found.push({ ...obstacle, found: Number(row?.[0]), names: row?.[1] ?? null })
    }
    return found
  }

  /** A transaction with a short lock timeout. */
  const impatiently = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    driver.transaction(async (transaction) => {
      await transaction.query(ddl.impatience(TABLE_WAIT))
      return work(transaction)
    })

  /** Statements outside of transactions block no other statements, so they may wait for locks themselves. */
  const runAlone = ({ statement, isOutside }: { statement: Statement; isOutside: boolean }): Promise<unknown> =>
    isOutside
      ? database.backgroundDriver.execute(statement)
      : patiently(() => impatiently((transaction) => transaction.query(statement)))

  const writeDown = (object: PreparedObject, transaction: Transaction): Promise<unknown> => {
    const { kind, table, name } = object
    return run(serviceTables.steps.write(systemSchema, [{ kind, ...table, name }]), transaction, dialect)
  }

  /**
   * Runs slow steps ahead of the change. A crash leaves a step unfinished, so each one is journaled before it starts.
   */
  async function prepare({ preparations }: DdlPlan): Promise<void> {
    let begun: Preparation | null = null
    try {
      for (const preparation of preparations) {
        const { makes } = preparation
        if (makes !== null)
          await between(failpoints, 'schema.before-journal', 'schema.after-journal', () =>
            driver.transaction((transaction) => writeDown(makes, transaction)),
          )
        begun = preparation
        await between(failpoints, 'schema.before-prepare', 'schema.after-prepare', () => runAlone(preparation))
        begun = null
      }
    } catch (error) {
      // There is nothing to undo, and a role without permission for the step may not undo it either.
      if (begun !== null && begun.makes !== null && isUnmade(error, begun, ddl)) await removeLastStep()
      await takeBack()
      throw error
    }
  }

  const removeStep = (id: string): Promise<unknown> =>
    driver.transaction((transaction) => run(serviceTables.steps.remove(systemSchema, id), transaction, dialect))

  async function removeLastStep(): Promise<void> {
    const [last] = await run(serviceTables.steps.list(systemSchema), driver, dialect)
    if (last !== undefined) await removeStep(last[4] ?? '')
  }

  /**
   * Undoes journaled steps. Call it only under the lock, when no other replica prepares a change. Returns the step that
   * the database refuses to undo.
   */
  async function takeBack(): Promise<Stuck | null> {
    const rows = await run(serviceTables.steps.list(systemSchema), driver, dialect)
    if (rows.length === 0) return null
    const objects = rows.map(([kind, schema, table, name]): PreparedObject => ({
      kind: kind === 'index' || kind === 'column' || kind === 'statement' ? kind : 'constraint',
      table: { schema: schema ?? '', table: table ?? '' },
      name: name ?? '',
    }))
    for (const [index, object] of objects.entries()) {
      try {
        await between(failpoints, 'schema.before-take-back', 'schema.after-take-back', () =>
          runAlone(ddl.takeBack(object)),
        )
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.fault === 'unavailable') throw error
        const { table, name } = object
        observe({ kind: 'undo-failed', object: `${nameOf(table)} ${name}`, error })
        return { table, error }
      }
      // Removed one by one: repeating the undo of a later step could revert the undo of an earlier one.
      await removeStep(rows[index]?.[4] ?? '')
    }
    observe({ kind: 'change-undone', objects: objects.map(({ table, name }) => `${nameOf(table)} ${name}`) })
    return null
  }

  async function store(changes: readonly MetadataChange[], transaction: Transaction): Promise<void> {
    for (const change of changes) {
      const { kind, table } = change
      const statement =
        kind === 'insert'
          ? serviceTables.insert(systemSchema, table, change.values)
          : kind === 'remove'
            ? serviceTables.remove(systemSchema, table, change.keys)
            : serviceTables[kind](systemSchema, table, change.keys, change.values)
      const step = kind === 'insert' ? 'put' : kind
      await between(failpoints, `schema.before-${step}`, `schema.after-${step}`, () =>
        run(statement, transaction, dialect),
      )
    }
  }

  async function pruneGone({ gone }: Change, schema: Schema, transaction: Transaction): Promise<void> {
    if (gone === null) return
    await run(database.guards.lockPermissions(systemSchema), transaction, dialect)
    const read = async (table: string) => {
      const [row] = await run(rowsOf(table), transaction, dialect)
      return parseExactJson(row?.[0] ?? '[]') as Readonly<Record<string, unknown>>[]
    }
    const rows = { permissions: await read('service_permissions'), presets: await read('service_presets') }
    const changes = pruneReferences(gone, rows, schema)
    if (changes.length === 0) return
    await store(changes, transaction)
    await run(serviceTables.bumpPermissions(systemSchema), transaction, dialect)
  }

  /** Applies the whole change in one transaction and returns the new version. */
  function define(change: Change, plan: DdlPlan, schema: Schema): Promise<number> {
    const { statements, preparations, afterwards = [] } = plan
    return impatiently(async (transaction) => {
      for (const { statement } of statements)
        await between(failpoints, 'schema.before-define', 'schema.after-define', () => transaction.query(statement))
      const isName = ({ table }: MetadataChange) => table === 'service_names'
      await store(
        change.metadata.filter((row) => !isName(row)),
        transaction,
      )
      await pruneGone(change, schema, transaction)
      await storePermissions(change, (changes) => store(changes, transaction), database, systemSchema, transaction)
      if (preparations.length > 0) await run(serviceTables.steps.clear(systemSchema), transaction, dialect)
      for (const { statement, table } of afterwards.toReversed())
        await writeDown({ kind: 'statement', table, name: statement.text }, transaction)
      const [row] = await between(failpoints, 'schema.before-bump', 'schema.after-bump', () =>
        run(serviceTables.bump(systemSchema), transaction, dialect),
      )
      // Names are stored under the lock of the version row, as in storeNames.
      await store(change.metadata.filter(isName), transaction)
      if (failpoints !== null) await failpoints.hit('schema.before-commit')
      return Number(row?.[0])
    })
  }

  /** Cleans up after the commit. A failed cleanup is repeated at the next change or the next start. */
  async function clearAway({ afterwards = [] }: DdlPlan): Promise<void> {
    if (afterwards.length === 0) return
    try {
      for (const { statement } of afterwards)
        await between(failpoints, 'schema.before-clear-away', 'schema.after-clear-away', () =>
          runAlone({ statement, isOutside: false }),
        )
      await driver.transaction((transaction) => run(serviceTables.steps.clear(systemSchema), transaction, dialect))
    } catch (error) {
      observe({ kind: 'cleanup-postponed', error })
    }
  }

  /** Definitions of the changed tables, if the plan needs them. */
  async function printedTables(changes: readonly SchemaChange[]): Promise<PrintedTable> {
    const printed = new Map<string, string | null>()
    const { print } = ddl
    if (print !== null)
      for (const { table } of changes) {
        if (printed.has(nameOf(table))) continue
        const [row] = await patiently(() => driver.query(print(table))).catch(noneWhenMissing)
        printed.set(nameOf(table), row?.at(-1) ?? null)
      }
    return (table) => printed.get(nameOf(table)) ?? null
  }

  async function planFor(changes: readonly SchemaChange[], { isLarge }: Sizes): Promise<DdlPlan> {
    return ddl.plan(changes, isLarge, await printedTables(changes))
  }

  async function make(planner: Planner): Promise<number | null> {
    const began = performance.now()
    const stuck = await takeBack()
    if (stuck !== null) throw stuckFault(stuck, ddl)
    const schema = await snapshot.reload()
    const change = await planner(schema, catalogue)
    if (isNothing(change)) return null
    const [obstacle] = await obstaclesTo(change.ddl)
    if (obstacle !== undefined) throw refusedBy(obstacle)
    const plan = await planFor(change.ddl, await sizesOf(change.ddl))
    await prepare(plan)
    const version = await patiently(() => define(change, plan, schema)).catch(async (error: unknown) => {
      if (plan.preparations.length > 0) await takeBack()
      throw error
    })
    await clearAway(plan)
    const statements = [...plan.preparations, ...plan.statements, ...(plan.afterwards ?? [])].map(
      ({ statement }) => statement.text,
    )
    if (statements.length > 0) observe({ kind: 'schema-changed', statements, milliseconds: performance.now() - began })
    return version
  }

  return {
    async change(planner) {
      const version = await alone(() => make(planner))
      if (failpoints !== null && version !== null) await failpoints.hit('schema.committed')
      return version === null ? snapshot.latest() : snapshot.atLeast(version)
    },

    async preview(planner) {
      try {
        const change = await planner(await snapshot.reload(), catalogue)
        const sizes = await sizesOf(change.ddl)
        const blocks = (await obstaclesTo(change.ddl)).map(blockOf)
        return planOf(await planFor(change.ddl, sizes), sizes, blocks)
      } catch (error) {
        throw changeFault(error, ddl)
      }
    },

    async look(work) {
      return work(await snapshot.reload(), catalogue)
    },

    async recover() {
      const left = await run(serviceTables.steps.list(systemSchema), database.driver, dialect)
      if (left.length === 0) return
      await driver.transaction(async (transaction) => {
        const [row] = await transaction.query(ddl.tryLock(systemSchema))
        if (row?.[0] === 't') await takeBack()
      }, 'read')
    },
  }
}

const isNothing = ({ ddl, metadata, gone, permissionChanges = [] }: Change) =>
  ddl.length === 0 && metadata.length === 0 && gone === null && permissionChanges.length === 0

interface Stuck {
  readonly table: TableRef
  readonly error: DatabaseError
}

const permissionsFor = (changes: readonly SchemaChange[], { permission }: DdlStatements): readonly Obstacle[] => {
  if (permission === null) return []
  const tables = new Map(changes.map(({ table }) => [nameOf(table), table]))
  return [...tables.values()].map((table) => ({ kind: 'not-permitted', table, column: null, count: permission(table) }))
}

/**
 * Whether the database refused the statement as a whole. A statement outside of a transaction may leave an unfinished
 * object behind, unless permission to run it was denied.
 */
function isUnmade(error: unknown, { isOutside }: Preparation, ddl: DdlStatements): boolean {
  if (!(error instanceof DatabaseError) || error.fault === 'unavailable') return false
  return !isOutside || ddl.faultOf(error) === 'not-permitted'
}

interface Sizes {
  readonly rowsOf: (table: TableRef) => number
  readonly isLarge: (table: TableRef) => boolean
  readonly total: number
}

const noneWhenMissing = (error: unknown): readonly Row[] => {
  if (error instanceof DatabaseError && error.fault === 'schema-changed') return []
  throw error
}

const refuseToWait = (error: unknown): never => {
  throw error instanceof DatabaseError && (error.fault === 'timeout' || error.fault === 'too-slow')
    ? new ServiceError('SERVICE_UNAVAILABLE', 'Another schema change is running; nothing was changed.')
    : error
}

/** Changes to an object that exists now, even if a new object takes its name. */
const going: ReadonlySet<SchemaChange['kind']> = new Set(['drop-table', 'drop-column', 'check-empty'])

/**
 * Whether a change applies to an object that the same plan creates: it has no rows that could block the change, and
 * cannot be queried yet.
 */
function isOnNew(change: SchemaChange, all: readonly SchemaChange[]): boolean {
  if (going.has(change.kind)) return false
  const isMade = (table: TableRef, column: string | null) =>
    all.some((other) => {
      if (nameOf(other.table) !== nameOf(table) || other === change) return false
      if (other.kind === 'create-table') return true
      if (other.kind === 'add-column') return other.column.name === column
      return other.kind === 'set-type' && change.kind !== 'set-not-null' && other.column === column
    })
  if (isMade(change.table, 'column' in change && typeof change.column === 'string' ? change.column : null)) return true
  if (change.kind !== 'add-foreign-key') return false
  const pairs = [[change.column, change.toColumn] as const, ...(change.rest ?? [])]
  return pairs.some(([from, to]) => isMade(change.table, from) || isMade(change.to, to))
}

const planOf = (
  { preparations, statements, afterwards = [] }: DdlPlan,
  { rowsOf, total }: Sizes,
  blocks: SchemaPlan['blocks'],
): SchemaPlan => ({
  statements: [...preparations, ...statements, ...afterwards].map(
    ({ statement, table, lock, rewrites, scans }: DdlStatement) => ({
      sql: statement.text,
      table: nameOf(table),
      lock,
      rewrites,
      scans,
      rows: rowsOf(table),
    }),
  ),
  rows: total,
  blocks,
})
