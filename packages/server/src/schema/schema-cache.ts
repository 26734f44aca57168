import { run, type Database } from '../sql/database.ts'
import { DatabaseError } from '../sql/driver.ts'
import { createPollDelay } from './poll-delay.ts'
import { createSchemaReader, type SchemaReader, type SchemaReaderOptions } from './schema-reader.ts'
import type { Schema } from './schema.ts'

export interface SchemaCacheOptions extends SchemaReaderOptions {
  readonly pollInterval: number
}

/**
 * Caches the current Schema and follows the database. A running request keeps its schema; new requests get the newest.
 */
export interface SchemaCache {
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
  readonly metadata: SchemaReader['metadata']
  readonly schemaWith: SchemaReader['schemaWith']
  stop(): void
}

export function createSchemaCache(database: Database, options: SchemaCacheOptions): SchemaCache {
  const { isReadOnly, systemSchema } = options
  const reader = createSchemaReader(database, options)
  let schema: Schema | null = null
  let servedFingerprint: string | null = null

  const reload = sharedReads(async () => {
    const found = await reader.read()
    if (schema === null) polling.start()
    schema = found.schema
    servedFingerprint = found.fingerprint
    return schema
  })

  const polling = createPolling(options, async () => {
    const began = performance.now()
    const fingerprint = await reader.fingerprint()
    const cost = performance.now() - began
    if (fingerprint !== servedFingerprint) await reload()
    return cost
  })

  const atLeast = async (version: number) => (schema !== null && schema.version >= version ? schema : reload())

  const stamp = async (): Promise<string> => {
    if (isReadOnly) return `${schema?.version ?? 0}.0`
    const [row] = await run(database.serviceTables.stamp(systemSchema), database.driver, database.dialect)
    return row?.[0] ?? ''
  }

  const latest = async (): Promise<Schema> => {
    if (schema === null || isReadOnly) return schema ?? reload()
    return atLeast(Number.parseInt(await stamp(), 10))
  }

  const { metadata, schemaWith } = reader
  return { current: () => schema, reload, atLeast, stamp, latest, metadata, schemaWith, stop: () => polling.stop() }
}

/**
 * A running read may have missed the change that the caller knows of, so the caller waits for one that starts later.
 */
function sharedReads(load: () => Promise<Schema>): () => Promise<Schema> {
  let running: Promise<Schema> | null = null
  let next: Promise<Schema> | null = null

  const read = (): Promise<Schema> => {
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
        return read()
      })
    return next
  }
  return read
}

interface Polling {
  start(): void
  stop(): void
}

/** Polls until it is stopped; `poll` returns its cost in milliseconds, and a higher cost makes polls rarer. */
function createPolling({ pollInterval, observe }: SchemaCacheOptions, poll: () => Promise<number>): Polling {
  const delay = createPollDelay(pollInterval)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function schedule(cost: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      poll().then(schedule, (error: unknown) => {
        const isOutage = error instanceof DatabaseError && error.fault === 'unavailable'
        observe({ kind: 'poll-failed', error, isOutage })
        schedule(0)
      })
    }, delay.after(cost))
    timer.unref()
  }

  return {
    start: () => schedule(0),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
