import { ServiceError, ServiceErrors } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { authorizeCollection, namedFields } from '../../access/authorize-write.ts'
import type { Observe } from '../../observe.ts'
import { bindCreate, bindSave, startTree } from '../../query/bind-write.ts'
import { fieldOf, namesIn } from '../../query/writable-field.ts'
import type { Payload } from '../../query/mutation.ts'
import { noField } from '../../query/resolve.ts'
import type { Collection, Field, Schema } from '../../schema/schema.ts'
import type { SchemaCache } from '../../schema/schema-cache.ts'
import type { Database } from '../../sql/database.ts'
import { DatabaseError, type Transaction } from '../../sql/driver.ts'
import { isAboutValues } from '../../sql/faults.ts'
import { sql } from '../../sql/sql.ts'
import { typed } from '../../schema/typed-column.ts'
import { renewed } from '../../store/versions.ts'
import type { ChangedRow, Origin } from '../../changes/change.ts'
import { writeFault } from './faults.ts'
import { completeTree } from './complete.ts'
import { filteringOf } from './filtering.ts'
import type { Watch } from './guards.ts'
import { StaleVersionError } from './stale-version.ts'
import { DryRunDone } from './dry-run.ts'
import { hasKey, ownKey } from './own-key.ts'
import { writeContext } from './context.ts'
import type { WriteServices } from './request.ts'
import { rootOf } from './root.ts'
import { announced } from './transact.ts'
import { runTree, runWrite } from './write.ts'
import { recordset, statementKey } from './statements.ts'
import { checkTransactions } from './transactions.ts'

export interface ImportRequest {
  readonly collection: string
  /** The rows one by one, with values that the fields accept. An unreadable row is an error in its place. */
  readonly rows: (fieldNamed: FieldNamed) => AsyncIterable<Payload | ServiceError>
  readonly origin: Origin
  /** Runs everything, then rolls back. */
  readonly isDryRun: boolean
  /** How many errors are collected before giving up. */
  readonly maxErrors: number
}

/** Finds the field that a file names. A field that the caller may not write throws like a missing one. */
export type FieldNamed = (name: string) => Field

/** Writes any number of rows in one transaction and constant memory; returns their number. */
export type Import = (actor: Actor, request: ImportRequest) => Promise<number>

const BATCH = 500
const PROGRESS = 50_000

interface Entry {
  /** Position in the file, counted from 1. */
  readonly row: number
  readonly payload: Payload
}

interface Run {
  readonly actor: Actor
  readonly request: ImportRequest
  readonly collection: Collection
  readonly schema: Schema
  readonly services: WriteServices
  readonly transaction: Transaction
  readonly watch: Watch
  readonly translate: (error: DatabaseError) => Promise<ServiceError>
}

/** An import is never retried, because the file is a stream that cannot be read again. */
export function createImport(
  database: Database,
  schemaCache: SchemaCache,
  services: WriteServices,
  observe: Observe,
): Import {
  const { driver, dialect } = database
  const { failpoints } = services
  const indexColumns = async (schema: string, index: string) =>
    (await driver.query(dialect.indexColumns(schema, index))).map(([name]) => name ?? '')

  return async (caller, request) => {
    const { schema, actor } = await renewed(await schemaCache.stamp(), await schemaCache.latest(), caller, schemaCache)
    const root = rootOf({ collection: request.collection }, schema, actor)
    const creatable = authorizeCollection(root, 'create', actor)
    const collection = authorizeCollection(creatable, 'update', actor)
    checkTransactions(collection, 1, 'import')
    const translate = (error: DatabaseError) =>
      writeFault(error, { schema, actor, indexColumns, showsRaised: services.showsRaised })
    try {
      const count = await announced(services, schema, driver, async (transaction) => {
        if (failpoints !== null) await failpoints.hit('write.begun')
        const watch = services.guarding.watch(actor, schema, transaction)
        const run = { actor, request, collection, schema, services, transaction, watch, translate }
        const rows = await importRows(run, observe)
        if (request.isDryRun) {
          if (dialect.checkDeferred !== null) await transaction.query(dialect.checkDeferred)
          throw new DryRunDone(rows)
        }
        await watch.finish()
        if (failpoints !== null) await failpoints.hit('write.before-commit')
        return rows
      })
      if (failpoints !== null) await failpoints.hit('write.committed')
      return count
    } catch (error) {
      if (error instanceof DryRunDone) return error.answer
      if (error instanceof StaleVersionError)
        throw new ServiceError(
          'SERVICE_UNAVAILABLE',
          'Schema or permissions have changed meanwhile. Send the file again.',
        )
      throw error instanceof DatabaseError ? await translate(error) : error
    }
  }
}

async function importRows(run: Run, observe: Observe): Promise<number> {
  const { request, collection, services, transaction } = run
  await transaction.query(services.statements.dialect.waitForReader)
  const report = progress(collection.name, observe)
  let batch = startBatch()
  let row = 0
  const flush = async () => {
    await writeBatch(batch, run)
    batch = startBatch()
    report(row)
  }
  for await (const item of request.rows((name) => writableField(name, run))) {
    if (item instanceof ServiceError) batch.errors.push(atRow(item, row + 1))
    else {
      const key = hasKey(item, collection) ? JSON.stringify(keyOf(item, row + 1, collection, batch)) : null
      // A second row with the same key updates the row of the first, so it has to be in a later batch.
      if (key !== null && batch.keys.has(key)) await flush()
      if (key !== null) batch.keys.add(key)
      batch.entries.push({ row: row + 1, payload: item })
    }
    row += 1
    if (batch.entries.length + batch.errors.length >= BATCH || batch.errors.length >= request.maxErrors) await flush()
  }
  await flush()
  return row
}

function writableField(name: string, { collection, actor, schema }: Run): Field {
  const lists = namedFields('save', collection, actor)
  if (!lists.some((fields) => fields === 'all' || fields.has(name)))
    throw noField(name, collection.name, 'root', namesIn(lists))
  return fieldOf(name, collection, { schema, mayUse: actor.mayUse })
}

interface Batch {
  readonly entries: Entry[]
  readonly keys: Set<string>
  readonly errors: ServiceError[]
}

const startBatch = (): Batch => ({ entries: [], keys: new Set(), errors: [] })

function keyOf(item: Payload, row: number, collection: Collection, { errors }: Batch): string[] {
  try {
    return ownKey(item, collection)
  } catch (error) {
    errors.push(...errorsOf(error, row))
    return []
  }
}

/** Reports the progress every `PROGRESS` rows. */
function progress(collection: string, observe: Observe): (rows: number) => void {
  const began = performance.now()
  let told = 0
  return (rows) => {
    if (rows - told < PROGRESS) return
    told = rows
    const seconds = (performance.now() - began) / 1000
    observe({ kind: 'import-progress', collection, rows, rate: Math.round(rows / seconds) })
  }
}

async function writeBatch({ entries, errors }: Batch, run: Run): Promise<void> {
  const { actor, request, services, transaction } = run
  const { statements, changeSink } = services
  if (entries.length === 0 && errors.length === 0) return
  const bound = await bindEntries(entries, run)
  const problems = [...errors, ...bound.errors].sort((a, b) => Number(a.details['row']) - Number(b.details['row']))
  if (problems.length > 0) throw together(problems.slice(0, request.maxErrors))
  await transaction.query(statements.dialect.savepoint.make)
  let changes: readonly ChangedRow[]
  try {
    changes = await bound.write()
  } catch (error) {
    throw isAboutData(error) ? await blamed(error, entries, run) : error
  }
  await transaction.query(statements.dialect.savepoint.release)
  await changeSink.report(changes, { by: actor.user, origin: request.origin }, transaction)
}

/** A response has one status: errors with a different status than the first are left for the next attempt. */
function together(errors: readonly ServiceError[]): Error {
  const [first] = errors
  const alike = errors.filter(({ status }) => status === first?.status)
  return alike.length === 1 && first !== undefined ? first : new ServiceErrors(alike)
}

async function bindEntries(entries: readonly Entry[], run: Run) {
  const { actor, schema, collection, services, transaction, watch } = run
  const context = writeContext(schema, actor, services, watch)
  const { tree } = context
  const errors: ServiceError[] = []
  for (const { row, payload } of entries) {
    const from = tree.nodes.length
    try {
      if (hasKey(payload, collection)) bindSave(ownKey(payload, collection), payload, collection, [], context)
      else bindCreate(payload, collection, [], context)
      const bound = { ...startTree(), nodes: tree.nodes.slice(from) }
      await watch.prepare(bound)
      completeTree(bound, actor, services.filters.isFiltered)
    } catch (error) {
      errors.push(...errorsOf(error, row))
    }
  }
  const write = async (): Promise<readonly ChangedRow[]> => {
    const authorized = context.authorize(tree)
    await context.guard(authorized)
    const access = { actor, schema, fits: services.fits, grants: services.grants }
    const { changes } = await runTree(authorized, {
      statements: services.statements,
      transaction,
      context,
      access,
      extent: 'import',
      changeSink: services.changeSink,
      filtering: filteringOf({ ...run, extent: 'import' }, run.request, runWrite),
    })
    return watch.after(changes)
  }
  return { errors, write }
}

// attribution of errors

const isAboutData = (error: unknown): error is DatabaseError | ServiceError =>
  error instanceof ServiceError || (error instanceof DatabaseError && isAboutValues(error.fault))

function errorsOf(error: unknown, row: number): ServiceError[] {
  if (error instanceof ServiceErrors) return error.errors.map((each) => atRow(each, row))
  if (error instanceof ServiceError) return [atRow(error, row)]
  throw error
}

const atRow = (error: ServiceError, row: number, more: Readonly<Record<string, unknown>> = {}) =>
  new ServiceError(error.code, `Row ${row}: ${error.message}`, { ...error.details, ...more, row }, { cause: error })

/** The database refuses a batch as a whole. The last row of the shortest refused prefix is the invalid one. */
async function blamed(
  refusal: DatabaseError | ServiceError,
  entries: readonly Entry[],
  run: Run,
): Promise<ServiceError> {
  const { transaction, services } = run
  let error = refusal
  let good = 0
  let bad = entries.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    await transaction.query(services.statements.dialect.savepoint.back)
    try {
      await (await bindEntries(entries.slice(0, middle), run)).write()
      good = middle
    } catch (caught) {
      if (!isAboutData(caught)) throw caught
      error = caught
      bad = middle
    }
  }
  const entry = entries[bad - 1]
  const told = error instanceof DatabaseError ? await run.translate(error) : error
  if (entry === undefined) return told
  const isNamed = typeof told.details['field'] === 'string' || !isAboutOneValue(error)
  return atRow(told, entry.row, isNamed ? {} : { field: await blamedField(entry, run) })
}

const isAboutOneValue = (error: DatabaseError | ServiceError) =>
  error instanceof DatabaseError && ['too-long', 'out-of-range', 'invalid-value'].includes(error.fault)

/** The database does not name the value that it could not read, so each value is tested alone. */
async function blamedField({ payload }: Entry, run: Run): Promise<string | null> {
  const { collection, schema, actor, services, transaction, watch } = run
  const { statements } = services
  const { encode } = writeContext(schema, actor, services, watch)
  for (const [name, value] of Object.entries(payload)) {
    const field = collection.columns.get(name)
    if (field === undefined || (typeof value === 'object' && field.relation !== null)) continue
    await transaction.query(statements.dialect.savepoint.back)
    try {
      await statements.run(
        `read ${statementKey(collection, [field])}`,
        () => sql`select 1 from ${statements.dialect.bulk.rowsOf({ columns: [typed(field)], parameter: 0 }, 'x')}`,
        [recordset([[encode(field, value, [])]])],
        transaction,
      )
    } catch (error) {
      if (!isAboutData(error)) throw error
      return name
    }
  }
  return null
}
