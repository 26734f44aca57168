import { gatheredCalls } from '../lib/gathered-calls.ts'
import { sharedCalls } from '../lib/shared-calls.ts'
import type { Database } from '../sql/database.ts'
import { createServiceStatements } from '../sql/service/run-service-statement.ts'
import { createFollowing, type FollowingOptions } from './following.ts'
import { createSchemaReader, type SchemaReader } from './schema-reader.ts'
import type { Schema } from './schema.ts'

export interface SchemaCacheOptions extends FollowingOptions {
  /** Called with each schema that was read. */
  readonly onRead?: (schema: Schema) => void
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
  /**
   * The schema and permission versions, as they are in the database now. Calls during a read share one more read, which
   * starts after them, and does not wait for one that hangs.
   */
  stamp(): Promise<string>
  /** The schema as the database has it now; asks for its fingerprint, which costs more than the versions. */
  exact(): Promise<Schema>
  /** The newest schema; reads the current version from the database first. */
  latest(): Promise<Schema>
  readonly metadata: SchemaReader['metadata']
  readonly schemaWith: SchemaReader['schemaWith']
  readonly stop: () => Promise<void>
}

/** There is only one. */
const STAMP = 'stamp'

export function createSchemaCache(database: Database, options: SchemaCacheOptions): SchemaCache {
  const { isReadOnly, systemSchema } = options
  const reader = createSchemaReader(database, options)
  const ask = createServiceStatements(database, systemSchema)
  let schema: Schema | null = null
  let servedFingerprint: string | null = null

  const reload = sharedCalls(async () => {
    const found = await reader.read()
    if (schema === null) following.start()
    schema = found.schema
    servedFingerprint = found.fingerprint
    options.onRead?.(schema)
    return schema
  })

  const following = createFollowing(database, options, reader, {
    reload,
    version: () => schema?.version ?? null,
    fingerprint: () => servedFingerprint,
  })

  const atLeast = async (version: number) => (schema !== null && schema.version >= version ? schema : reload())

  const storedStamp = gatheredCalls(async () => {
    const [row] = await ask(database.serviceTables.stamp)
    return new Map([[STAMP, row?.[0] ?? '']])
  })
  const stamp = async (): Promise<string> =>
    isReadOnly ? `${schema?.version ?? 0}.0` : ((await storedStamp(STAMP)) ?? '')

  const latest = async (): Promise<Schema> => {
    if (schema === null || isReadOnly) return schema ?? reload()
    return atLeast(Number.parseInt(await stamp(), 10))
  }

  const exact = async (): Promise<Schema> => {
    const known = schema === null ? null : await latest()
    return known !== null && servedFingerprint !== null && (await reader.fingerprint()) === servedFingerprint
      ? known
      : reload()
  }

  const { metadata, schemaWith } = reader
  return {
    current: () => schema,
    reload,
    atLeast,
    stamp,
    latest,
    exact,
    metadata,
    schemaWith,
    stop: following.stop,
  }
}
