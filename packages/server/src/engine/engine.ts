import { forbidden, ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { createGrantCache, readsAll } from '../access/grants.ts'
import type { Failpoints } from '../lib/failpoint.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { Observe } from '../observe.ts'
import type { CostLimits } from '../query/cost.ts'
import type { Schema } from '../schema/schema.ts'
import type { Snapshot } from '../schema/schema-cache.ts'
import type { Database } from '../sql/database.ts'
import { DatabaseError, type Row } from '../sql/driver.ts'
import { createCompileRead, type CompiledRead } from './compile-read.ts'
import { faultToError, readFault } from './faults.ts'
import { createFits } from './operand-compatible.ts'
import { VERSION } from './plan-read.ts'
import { rowPermissions, type RowQuestion, type RowPermissions } from './row-permissions.ts'
import { isCurrent, renewed, versionsOf } from './versions.ts'
import type { PermissionStore } from './permission-store.ts'
import { createGuarding, type Guards } from './write/guards.ts'
import { createImport, type Import } from './write/import.ts'
import type { WriteServices } from './write/request.ts'
import { createWriteStatements } from './write/statements.ts'
import { createWrite, type Write } from './write/transact.ts'
import {
  hasRows,
  itemReply,
  listReply,
  prepareRead,
  statementFor,
  type Item,
  type Prepared,
  type Read,
  type Rows,
  type Stream,
} from './read.ts'

/** The single entry point: every protocol ends here. */
export interface Engine {
  list(actor: Actor, read: Read, signal?: AbortFlag): Promise<Rows>
  item(actor: Actor, read: Read, signal?: AbortFlag): Promise<Item>
  stream(actor: Actor, read: Read, signal?: AbortFlag): Promise<Stream>
  readonly write: Write
  readonly importRows: Import
  /** The caller with the newest permissions, for responses that no statement produces. */
  renew(actor: Actor): Promise<Actor>
  /** The rules that decide whether the caller may perform an action, and which of them hold for a row. */
  rowPermissions(actor: Actor, question: RowQuestion): Promise<RowPermissions>
  /** The current schema; throws SERVICE_UNAVAILABLE until there is one. */
  schema(): Schema
}

export interface EngineOptions {
  readonly database: Database
  readonly snapshot: Snapshot
  readonly limitDefault: number
  /** Maximum size of a response in bytes. */
  readonly responseSize: number
  readonly cost: CostLimits
  /** Maximum number of rows that one request may write. */
  readonly maxBatch: number
  readonly systemSchema: string | null
  readonly observe: Observe
  /** Guards for writes to system collections. */
  readonly guards: Guards
  readonly permissionStore: PermissionStore | null
  /** Whether callers see the text that database triggers and functions raise. */
  readonly showsRaised: boolean
  /** For tests; null otherwise. */
  readonly failpoints: Failpoints | null
}

const MAX_TRIES = 5
const SHAPES = 2000

export function createEngine({
  database,
  snapshot,
  limitDefault,
  responseSize,
  cost,
  maxBatch,
  systemSchema,
  observe,
  guards,
  permissionStore,
  showsRaised,
  failpoints,
}: EngineOptions): Engine {
  const { driver, dialect } = database
  const version = systemSchema === null ? null : dialect.versionTable(systemSchema)
  const fits = createFits(dialect)
  const grants = createGrantCache()
  const compileRead = createCompileRead({
    dialect,
    limitDefault,
    version,
    responseSize,
    cost,
    size: SHAPES,
    fits,
    grants,
  })

  const services: WriteServices = {
    statements: createWriteStatements(dialect, failpoints),
    compileRead,
    systemSchema: systemSchema ?? '',
    maxBatch,
    limitDefault,
    cost,
    fits,
    grants,
    failpoints,
    showsRaised,
    guarding: createGuarding(database, systemSchema ?? '', guards, compileRead, observe),
    permissionStore,
  }

  const currentSchema = (): Schema => {
    const schema = snapshot.current()
    if (schema === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The database has not answered yet.')
    return schema
  }

  /**
   * Runs a read: shape → statement → rows. Repeats it with the newer schema and permissions if the result is outdated.
   */
  async function run<T>(caller: Actor, read: Read, ask: (prepared: Prepared) => Promise<Asked<T>>): Promise<T> {
    let schema = currentSchema()
    let actor = caller
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      let compiled: CompiledRead | null = null
      try {
        const prepared = prepare(actor, read, schema)
        if (prepared instanceof ServiceError) {
          // A refusal must not rest on outdated versions either, but no statement has returned them, so they are read
          // here.
          const newest = await renewed(await snapshot.stamp(), schema, actor, snapshot)
          if (newest.schema === schema && newest.actor === actor) throw prepared
          ;({ schema, actor } = newest)
          continue
        }
        ;({ compiled } = prepared)
        const { rows, finish, discard } = await ask(prepared)
        const found = rows[0]?.[VERSION]
        if (version === null || isCurrent(found, schema, actor)) return finish()
        await discard?.()
        observe({ kind: 'answer-outdated', had: versionsOf(schema, actor), found: found ?? '' })
        ;({ schema, actor } = await renewed(found, schema, actor, snapshot))
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        if (error.fault !== 'schema-changed' || tries === MAX_TRIES) throw failureOf(error, read, compiled, actor)
        observe({ kind: 'statement-outdated', error })
        schema = await snapshot.reload()
      }
    }
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The schema of the database keeps changing.')
  }

  const failureOf = (error: DatabaseError, read: Read, compiled: CompiledRead | null, actor: Actor): ServiceError => {
    const isByKey = read.key !== null || read.keys !== undefined
    if (compiled === null) return faultToError(error, isByKey)
    const { statement, collection } = compiled
    return readFault(error, {
      isByKey,
      binds: statement.binds,
      showsRaised: showsRaised && readsAll(collection, actor),
    })
  }

  function prepare(actor: Actor, read: Read, schema: Schema): Prepared | ServiceError {
    try {
      return prepareRead(actor, read, schema, compileRead)
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
  }

  async function askRows<T>(prepared: Prepared, signal: AbortFlag | undefined, finish: Finish<T>): Promise<Asked<T>> {
    const rows = await driver.query(statementFor(prepared), signal && { signal })
    return { rows, finish: () => finish(prepared, rows) }
  }

  /** A stream cannot be taken back, so its versions are checked before the first row is sent. */
  async function askStream({ compiled, values }: Prepared, read: Read, signal?: AbortFlag): Promise<Asked<Stream>> {
    const statement = { text: compiled.statement.text, values }
    const batches = driver.stream(statement, signal && { signal })[Symbol.asyncIterator]()
    const { value: rows = [] } = (await batches.next()) as { value?: readonly Row[] }
    return {
      rows,
      finish: () => ({ cells: compiled.cells, batches: batchesFrom(rows, batches, read) }),
      discard: () => batches.return?.(),
    }
  }

  return {
    list: (actor, read, signal) => run(actor, read, (prepared) => askRows(prepared, signal, listReply)),
    item: (actor, read, signal) => run(actor, read, (prepared) => askRows(prepared, signal, itemReply)),
    stream: (actor, read, signal) => run(actor, read, (prepared) => askStream(prepared, read, signal)),
    write: createWrite(database, snapshot, services, observe),
    importRows: createImport(database, snapshot, services, observe),
    renew: async (actor) => (await renewed(await snapshot.stamp(), currentSchema(), actor, snapshot)).actor,
    rowPermissions: async (caller, question) => {
      for (;;) {
        const { schema, actor } = await renewed(await snapshot.stamp(), currentSchema(), caller, snapshot)
        const answer = await rowPermissions(actor, question, schema, services, driver)
        if (version === null || isCurrent(await snapshot.stamp(), schema, actor)) return answer
      }
    },
    schema: currentSchema,
  }
}

/** The first rows, and functions to continue or to discard the read. */
interface Asked<T> {
  readonly rows: readonly Row[]
  readonly finish: () => T
  readonly discard?: () => Promise<unknown> | undefined
}

type Finish<T> = (prepared: Prepared, rows: readonly Row[]) => T

async function* batchesFrom(
  first: readonly Row[],
  others: AsyncIterator<readonly Row[]>,
  { key }: Read,
): AsyncIterable<readonly Row[]> {
  try {
    if (key !== null && !hasRows(first)) throw forbidden()
    yield hasRows(first) ? first : []
    for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value
  } catch (error) {
    throw error instanceof DatabaseError ? faultToError(error, false) : error
  } finally {
    await others.return?.()
  }
}
