import type { Actor } from '../access/actor.ts'
import { createGrantCache } from '../access/grants.ts'
import type { ChangeSink } from '../changes/sink.ts'
import type { Failpoints } from '../lib/failpoint.ts'
import type { AbortFlag } from '../lib/abort-flag.ts'
import type { Observe } from '../observe.ts'
import type { CostLimits } from '../query/cost.ts'
import type { Collection, Schema } from '../schema/schema.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Database } from '../sql/database.ts'
import { createAuthorizeShape, createCompileRead, type CompileOptions } from './compile-read.ts'
import { currentSchema } from './current-schema.ts'
import { explainRead, type Explanation } from './explain-read.ts'
import { createList } from './list-rows.ts'
import { createFits } from './operand-compatible.ts'
import { rowPermissions, type RowQuestion, type RowPermissions } from './row-permissions.ts'
import { isCurrent, renewed } from '../store/versions.ts'
import type { PermissionStore } from '../store/permission-store.ts'
import type { WriteFilters } from './write/filters.ts'
import { createGuarding, type Guards } from './write/guards.ts'
import { createImport, type Import } from './write/import.ts'
import type { WriteServices } from './write/request.ts'
import { createWriteStatements } from './write/statements.ts'
import { createWrite, type Write } from './write/transact.ts'
import { createReadByReader, type ReadByReader } from './reader-reads.ts'
import { itemReply, type Item, type Read, type Rows, type Stream } from './read.ts'
import { withDependents, type RowCache } from './row-cache.ts'
import { createTableEstimates, type TableEstimates } from './table-estimates.ts'
import type { PlanGuard } from './plan-guard.ts'
import { markShared } from './shared-reads.ts'
import { createWatch, type Watch } from './watch.ts'
import { askRows, askStream, runRead, type ReadServices } from './run-read.ts'

/** The single entry point: every protocol ends here. */
export interface Engine {
  list(actor: Actor, read: Read, signal?: AbortFlag): Promise<Rows>
  item(actor: Actor, read: Read, signal?: AbortFlag): Promise<Item>
  stream(actor: Actor, read: Read, signal?: AbortFlag): Promise<Stream>
  /** The statement of a read and its plan, for administrators. */
  explain(actor: Actor, read: Read): Promise<Explanation>
  /** Reads by the primary and past every cache: rows that have at least what was committed before. */
  readonly fresh: Pick<Engine, 'list' | 'item'>
  readonly watch: Watch
  readonly write: Write
  readonly importRows: Import
  /** The caller with the newest permissions, for responses that no statement produces. */
  renew(actor: Actor): Promise<Actor>
  /** The rules that decide whether the caller may perform an action, and which of them hold for a row. */
  rowPermissions(actor: Actor, question: RowQuestion): Promise<RowPermissions>
  /** The current schema; throws SERVICE_UNAVAILABLE until there is one. */
  schema(): Schema
  /** The schema as the database has it now, also if another program has just changed it. */
  exactSchema(): Promise<Schema>
  /** Estimated numbers of rows, for all tables at once. */
  estimates(): Promise<TableEstimates>
  /** Changes with the schema; null until there is one. */
  structureVersion(): string | null
}

export interface EngineOptions {
  readonly database: Database
  readonly schemaCache: SchemaCache
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
  readonly filters: WriteFilters
  readonly changeSink: ChangeSink
  readonly permissionStore: PermissionStore | null
  /** Whether callers see the text that database triggers and functions raise. */
  readonly showsRaised: boolean
  /** Null: every read asks the database. */
  readonly rowCache: RowCache | null
  /** Called after a write, with the collections that it has changed. */
  readonly onWritten: (collections: readonly Collection[]) => void
  /** The oldest rows that servers beside the primary may give, in milliseconds. */
  readonly readersLagMax: number
  /** Responses say whether they are the same for everybody. */
  readonly tellsShared: boolean
  /** Null: plans may cost anything. */
  readonly planGuard: PlanGuard | null
  /** For tests; null otherwise. */
  readonly failpoints: Failpoints | null
}

const SHAPES = 2000

export function createEngine(options: EngineOptions): Engine {
  const { database, schemaCache, systemSchema, observe, showsRaised, rowCache } = options
  const { driver, dialect } = database
  const version = systemSchema === null ? null : dialect.versionTable(systemSchema)
  const fits = createFits(dialect)
  const grants = createGrantCache()
  const compiling: CompileOptions = { ...compileOptions(options), version, fits, grants }
  const compileRead = createCompileRead(compiling)

  const services = writeServices(options, { compileRead, fits, grants })
  const reads: ReadServices = {
    driver,
    schemaCache,
    compileRead,
    hasVersions: version !== null,
    observe,
    showsRaised,
    rowCache,
    readByReader: readByReaderOf(options),
    planGuard: options.planGuard,
    tellsShared: options.tellsShared,
  }

  const fresh: ReadServices = { ...reads, rowCache: null, readByReader: null }
  return {
    fresh: { list: createList(database, compiling, fresh), item: createItem(fresh) },
    watch: createWatch({ ...reads, dialect, authorizeShape: createAuthorizeShape(compiling) }),
    list: createList(database, compiling, reads),
    item: createItem(reads),
    stream: (actor, read, signal) =>
      runRead(actor, read, (prepared) => askStream(prepared, read, signal, reads), reads),
    explain: async (caller, read) => {
      const current = currentSchema(schemaCache)
      const { schema, actor } = await renewed(await schemaCache.stamp(), current, caller, schemaCache)
      return explainRead(actor, read, schema, { compileRead, database })
    },
    write: createWrite(database, schemaCache, services, observe),
    importRows: createImport(database, schemaCache, services, observe),
    renew: async (actor) =>
      (await renewed(await schemaCache.stamp(), currentSchema(schemaCache), actor, schemaCache)).actor,
    rowPermissions: async (caller, question) => {
      for (;;) {
        const { schema, actor } = await renewed(
          await schemaCache.stamp(),
          currentSchema(schemaCache),
          caller,
          schemaCache,
        )
        const answer = await rowPermissions(actor, question, schema, services, driver)
        if (version === null || isCurrent(await schemaCache.stamp(), schema, actor)) return answer
      }
    },
    schema: () => currentSchema(schemaCache),
    exactSchema: () => schemaCache.exact(),
    estimates: createTableEstimates(database),
    structureVersion: () => schemaCache.current()?.structureVersion ?? null,
  }
}

const createItem =
  (reads: ReadServices): Engine['item'] =>
  (caller, read, signal) =>
    runRead(
      caller,
      read,
      (prepared, schema, actor) => {
        const asked = askRows(prepared, signal, itemReply, reads, { schema, actor })
        return reads.tellsShared ? asked.then((found) => markShared(found, prepared, actor, reads)) : asked
      },
      reads,
    )

/** Without versions nothing tells whether the rights are those of now. */
const readByReaderOf = ({ database, systemSchema, readersLagMax, observe }: EngineOptions): ReadByReader | null =>
  database.readers === null || systemSchema === null
    ? null
    : createReadByReader(database, database.readers, { systemSchema, lagMax: readersLagMax, observe })

const compileOptions = ({ database, limitDefault, responseSize, cost, rowCache, tellsShared }: EngineOptions) => ({
  dialect: database.dialect,
  limitDefault,
  responseSize,
  cost,
  size: SHAPES,
  isCaching: rowCache !== null || tellsShared,
})

const writeServices = (
  {
    database,
    limitDefault,
    cost,
    maxBatch,
    systemSchema,
    observe,
    guards,
    filters,
    changeSink,
    permissionStore,
    showsRaised,
    rowCache,
    onWritten,
    failpoints,
  }: EngineOptions,
  shared: Pick<WriteServices, 'compileRead' | 'fits' | 'grants'>,
): WriteServices => ({
  ...shared,
  statements: createWriteStatements(database.dialect, failpoints),
  systemSchema: systemSchema ?? '',
  maxBatch,
  limitDefault,
  cost,
  failpoints,
  showsRaised,
  guarding: createGuarding(database, systemSchema ?? '', guards, shared.compileRead, observe),
  filters,
  changeSink,
  permissionStore,
  onWritten: async (collections, schema) => {
    onWritten([...collections])
    if (rowCache !== null) await rowCache.change(withDependents(collections, schema))
  },
})
