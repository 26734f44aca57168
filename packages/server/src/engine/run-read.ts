import { forbidden, invalidQuery, ServiceError } from '@tain/contract'
import type { Actor } from '../access/actor.ts'
import { readsAll } from '../access/grants.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import { inStage } from '../lib/request-context.ts'
import type { Observe } from '../observe.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Schema } from '../schema/schema.ts'
import { DatabaseError, type Driver, type Row } from '../sql/driver.ts'
import type { CompiledRead, CompileRead } from './compile-read.ts'
import { currentSchema } from './current-schema.ts'
import { faultToError, readFault } from './faults.ts'
import type { PlanGuard } from './plan-guard.ts'
import { VERSION } from './plan-read.ts'
import { hasRows, prepareRead, statementFor, type Prepared, type Read, type Stream } from './read.ts'
import { settledFault } from './undefined-name.ts'
import type { ReadByReader } from './reader-reads.ts'
import { cachedRows, type RowCache } from './row-cache.ts'
import { isCurrent, renewed, versionsOf } from '../store/versions.ts'

export interface ReadServices {
  readonly driver: Driver
  readonly schemaCache: SchemaCache
  readonly compileRead: CompileRead
  /** Whether statements return the schema version and the permission version. */
  readonly hasVersions: boolean
  readonly observe: Observe
  /** Whether callers see the text that database triggers and functions raise. */
  readonly showsRaised: boolean
  /** Null: every read asks the database. */
  readonly rowCache: RowCache | null
  /** Null: every read asks the primary. */
  readonly readByReader: ReadByReader | null
  /** Responses say whether they are the same for everybody. */
  readonly tellsShared: boolean
  /** Null: plans may cost anything. */
  readonly planGuard: PlanGuard | null
}

/** The first rows, and functions to continue or to discard the read. */
export interface Asked<T> {
  readonly rows: readonly Row[]
  readonly finish: () => T
  readonly discard?: () => Promise<unknown> | undefined
}

type Finish<T> = (prepared: Prepared, rows: readonly Row[]) => T

const MAX_TRIES = 5

/**
 * Runs a read: shape → statement → rows. Repeats it with the newer schema and permissions if the result is outdated.
 */
export async function runRead<T>(
  caller: Actor,
  read: Read,
  ask: (prepared: Prepared, schema: Schema, actor: Actor) => Promise<Asked<T>>,
  services: ReadServices,
): Promise<T> {
  const { schemaCache, compileRead, hasVersions, observe, showsRaised, planGuard } = services
  let schema = currentSchema(schemaCache)
  let actor = caller
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    let compiled: CompiledRead | null = null
    try {
      const prepared = prepare(actor, read, schema, compileRead)
      if (prepared instanceof ServiceError) {
        // A refusal must not rest on outdated versions either, but no statement has returned them, so they are read
        // here.
        const newest = await renewed(await schemaCache.stamp(), schema, actor, schemaCache)
        if (newest.schema === schema && newest.actor === actor) throw prepared
        ;({ schema, actor } = newest)
        continue
      }
      ;({ compiled } = prepared)
      if (planGuard !== null && !actor.isAdmin) await planGuard(statementFor(prepared), actor)
      const { rows, finish, discard } = await ask(prepared, schema, actor)
      const found = rows[0]?.[VERSION]
      if (!hasVersions || isCurrent(found, schema, actor)) return finish()
      await discard?.()
      observe({ kind: 'answer-outdated', had: versionsOf(schema, actor), found: found ?? '' })
      ;({ schema, actor } = await renewed(found, schema, actor, schemaCache))
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      if (error.fault !== 'schema-changed' || tries === MAX_TRIES)
        throw failureOf(error, read, compiled, showsRaised ? actor : null)
      observe({ kind: 'statement-outdated', error })
      const newest = await schemaCache.reload()
      const settled = tries === 1 ? null : settledFault(error, schema, newest, observe)
      if (settled !== null) throw failureOf(settled, read, compiled, showsRaised ? actor : null)
      schema = newest
    }
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', 'The schema of the database keeps changing.')
}

/** `reader` is the caller if raised texts may be shown at all; else null. */
function failureOf(
  error: DatabaseError,
  read: Read,
  compiled: CompiledRead | null,
  reader: Actor | null,
): ServiceError {
  const isByKey = read.key !== null || read.keys !== undefined
  if (compiled === null) return faultToError(error, isByKey)
  const { statement, collection } = compiled
  return readFault(error, {
    isByKey,
    binds: statement.binds,
    showsRaised: reader !== null && readsAll(collection, reader),
  })
}

function prepare(actor: Actor, read: Read, schema: Schema, compileRead: CompileRead): Prepared | ServiceError {
  try {
    return inStage('plan', () => prepareRead(actor, read, schema, compileRead))
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

export async function askRows<T>(
  prepared: Prepared,
  signal: AbortFlag | undefined,
  finish: Finish<T>,
  { driver, rowCache, schemaCache, readByReader }: ReadServices,
  { schema, actor }: { readonly schema: Schema; readonly actor: Actor },
): Promise<Asked<T>> {
  const statement = statementFor(prepared)
  const { compiled } = prepared
  const byPrimary = () => driver.query(statement, signal && { signal })
  const read =
    readByReader === null
      ? byPrimary
      : async () => (await readByReader({ compiled, statement, schema, actor, signal })) ?? byPrimary()
  const { collections } = compiled
  // Cached rows outlive a write that a reader has not replayed, so the cache is filled by the primary.
  const rows =
    rowCache === null || collections === null || prepared.isOfNow
      ? await read()
      : await cachedRows(statement, collections, rowCache, () => schemaCache.stamp(), byPrimary)
  return { rows, finish: () => finish(prepared, rows) }
}

/** A stream cannot be taken back, so its versions are checked before the first row is sent. */
export async function askStream(
  { compiled, values, cursor }: Prepared,
  read: Read,
  signal: AbortFlag | undefined,
  { driver }: ReadServices,
): Promise<Asked<Stream>> {
  if (cursor?.isBackward === true) throw invalidQuery('An export cannot go backward')
  const statement = { text: compiled.statement.text, values }
  const batches = driver.stream(statement, signal && { signal })[Symbol.asyncIterator]()
  const { value: rows = [] } = (await batches.next()) as { value?: readonly Row[] }
  return {
    rows,
    finish: () => ({ cells: compiled.cells, batches: batchesFrom(rows, batches, read) }),
    discard: () => batches.return?.(),
  }
}

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
