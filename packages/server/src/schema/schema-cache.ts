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
  /** Whether names that are given for the first time are stored. */
  readonly storesNames?: boolean
}

/** Holds the current Schema and follows the database. Whoever began with one keeps it; new requests get the newest. */
export interface Snapshot {
  /** null until the first reading. */
  current(): Schema | null
  /** Reads anew; calls that come meanwhile share one reading that begins after them. */
  reload(): Promise<Schema>
  /** The current schema if it is at least of this version, else a new reading. */
  atLeast(version: number): Promise<Schema>
  /** The versions of structure and rights, as the database has them now. */
  stamp(): Promise<string>
  /** The schema of the newest version there is; asks the database which that is. */
  latest(): Promise<Schema>
  stop(): void
}

const inferredNames = (names: readonly GivenName[]): readonly string[] =>
  names.flatMap(({ kind, collection, name, instead }) => (kind === 'field' ? [`${collection}.${instead ?? name}`] : []))

/** A reading of the database's own structure, with the mark it was read under. */
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
  /** Mark of the structure that is served; one whose names could not be stored yet is not. */
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
      // Metadata changes far more often than structure, and structure is dear to read.
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
   * A name that was shown once stays, so it is stored before it is shown. null: read again what others have stored. What is
   * seen of a change that is under way gets no names that stay: it may be no part of what comes of it.
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

  /** A reading that began earlier may have missed the change a caller knows of, so it waits for one that begins later. */
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
