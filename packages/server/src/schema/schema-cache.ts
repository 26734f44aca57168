import type { Observe } from '../observe.ts'
import type { DatabaseSchema } from '../sql/database-schema.ts'
import { run, type Database } from '../sql/database.ts'
import { DatabaseError } from '../sql/driver.ts'
import { mirror, type NameTypes } from './mirror.ts'
import { hasNews, storeNames } from './name-store.ts'
import { afterStoring, type GivenName } from './names.ts'
import { emptyOverlay, readOverlay } from './overlay.ts'
import { createPollDelay } from './poll-delay.ts'
import type { Schema } from './schema.ts'
import type { SystemCollection } from './system-collection.ts'

export interface SchemaCacheOptions {
  readonly systemSchema: string
  readonly schemas: readonly string[] | null
  readonly isReadOnly: boolean
  readonly pollInterval: number
  readonly observe: Observe
  readonly systemCollections?: readonly SystemCollection[]
  readonly nameTypes?: NameTypes
  /** Whether newly assigned names are stored. */
  readonly storesNames?: boolean
}

/**
 * Caches the current Schema and follows the database. A running request keeps its schema; new requests get the newest.
 */
export interface Snapshot {
  /** null until the first read. */
  current(): Schema | null
  /** Reads again; calls during a read share one more read, which starts after them. */
  reload(): Promise<Schema>
  /** The cached schema if it has at least this version, else the result of a new read. */
  atLeast(version: number): Promise<Schema>
  /** The schema and permission versions, as they are in the database now. */
  stamp(): Promise<string>
  /** The newest schema; reads the current version from the database first. */
  latest(): Promise<Schema>
  stop(): void
}

const inferredNames = (names: readonly GivenName[]): readonly string[] =>
  names.flatMap(({ kind, collection, name, instead }) => (kind === 'field' ? [`${collection}.${instead ?? name}`] : []))

/** An introspected database schema with its fingerprint. */
interface Structure {
  readonly database: DatabaseSchema
  readonly fingerprint: string | null
}

export function createSchemaCache(database: Database, options: SchemaCacheOptions): Snapshot {
  const { driver, dialect } = database
  const scope = {
    systemSchema: options.systemSchema,
    schemas: options.schemas,
    ownTables: (options.systemCollections ?? []).map(({ name }) => name),
  }
  const system = {
    schema: options.systemSchema,
    declared: options.systemCollections ?? [],
    storedAs: dialect.storedAs,
  }
  let schema: Schema | null = null
  let structure: Structure | null = null
  /** Fingerprint of the schema that is served; null while its names could not be stored yet. */
  let servedFingerprint: string | null = null
  let isSettled = true
  let generation = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const read = async (): Promise<Schema> => {
    const began = performance.now()
    const [found, overlay] = await driver.transaction(async (transaction) => {
      await run(database.serviceTables.snapshot, transaction, dialect)
      const [mark] = await transaction.query(dialect.fingerprint(scope))
      const fingerprint = mark?.[0] ?? null
      // Metadata changes far more often than the database schema, and introspection is expensive.
      const isKnown = structure !== null && structure.fingerprint === fingerprint
      const current: Structure =
        isKnown && structure !== null
          ? structure
          : { database: await database.introspect((statement) => transaction.query(statement), scope), fingerprint }
      const metadata = options.isReadOnly
        ? emptyOverlay
        : await readOverlay(transaction, database, options.systemSchema)
      return [current, metadata] as const
    }, 'read')
    structure = found
    generation += 1
    const mirrored = mirror(found.database, overlay, {
      generation,
      fieldTypeOf: dialect.fieldTypeOf,
      isReadOnly: options.isReadOnly,
      ...(options.isReadOnly ? {} : { system }),
      ...(options.nameTypes === undefined ? {} : { nameTypes: options.nameTypes }),
    })
    const named = await remember(mirrored)
    if (named !== null)
      options.observe({
        kind: 'schema-loaded',
        version: named.version,
        collections: named.collections.size,
        milliseconds: performance.now() - began,
        hidden: named.hidden,
        withoutTransactions: [...named.collections.values()]
          .filter((one) => !one.isTransactional)
          .map(({ name }) => name),
      })
    return named ?? read()
  }

  /**
   * A published name never changes, so it is stored before it is published. Returns null if the metadata has changed
   * and must be read again. During a schema change no names are stored, because an intermediate state may differ from
   * the result.
   */
  const remember = async (mirrored: Schema): Promise<Schema | null> => {
    const { isReadOnly, storesNames = true, systemSchema } = options
    const { names } = mirrored
    isSettled = true
    if (isReadOnly || !storesNames || !hasNews(names)) return mirrored
    if (await isUnderWay()) {
      isSettled = false
      return mirrored
    }
    const version = await storeNames(database, systemSchema, mirrored.version, names)
    if (version === null) return null
    options.observe({
      kind: 'names-given',
      fields: inferredNames(names.fresh),
      displaced: inferredNames(names.displaced),
    })
    return Object.freeze({ ...mirrored, version, names: afterStoring(names) })
  }

  const isUnderWay = async (): Promise<boolean> => {
    const { isUnderWay: ask } = database.ddl
    return ask !== null && (await driver.query(ask(options.systemSchema)))[0]?.[0] === 't'
  }

  const load = async (): Promise<Schema> => {
    const found = await read()
    if (schema === null) schedule(0)
    schema = found
    servedFingerprint = isSettled ? (structure?.fingerprint ?? null) : null
    return found
  }

  let running: Promise<Schema> | null = null
  let next: Promise<Schema> | null = null

  /**
   * A running read may have missed the change that the caller knows of, so the caller waits for one that starts later.
   */
  const reload = (): Promise<Schema> => {
    if (running === null) {
      running = load().finally(() => {
        running = null
      })
      return running
    }
    next ??= running
      .catch(() => null)
      .then(() => {
        next = null
        return reload()
      })
    return next
  }

  const poll = async (): Promise<number> => {
    const began = performance.now()
    const [mark] = await driver.query(dialect.fingerprint(scope))
    const cost = performance.now() - began
    if ((mark?.[0] ?? null) !== servedFingerprint) await reload()
    return cost
  }

  const delay = createPollDelay(options.pollInterval)

  function schedule(cost: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      poll().then(schedule, (error: unknown) => {
        const isOutage = error instanceof DatabaseError && error.fault === 'unavailable'
        options.observe({ kind: 'poll-failed', error, isOutage })
        schedule(0)
      })
    }, delay.after(cost))
    timer.unref()
  }

  const atLeast = async (version: number) => (schema !== null && schema.version >= version ? schema : reload())

  const stamp = async (): Promise<string> => {
    if (options.isReadOnly) return `${schema?.version ?? 0}.0`
    const [row] = await run(database.serviceTables.stamp(options.systemSchema), driver, dialect)
    return row?.[0] ?? ''
  }

  const latest = async (): Promise<Schema> => {
    if (schema === null || options.isReadOnly) return schema ?? reload()
    return atLeast(Number.parseInt(await stamp(), 10))
  }

  return {
    current: () => schema,
    reload,
    atLeast,
    stamp,
    latest,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
