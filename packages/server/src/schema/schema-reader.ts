import { createHash } from 'node:crypto'
import type { Observe } from '../observe.ts'
import type { DatabaseSchema } from '../sql/database-schema.ts'
import { run, type Database } from '../sql/database.ts'
import { mirror, type NameTypes } from './mirror.ts'
import { hasNews, storeNames } from './name-store.ts'
import type { StoredName } from '../sql/service/names.ts'
import { afterStoring } from './names.ts'
import { emptyOverlay, readOverlay, type Overlay } from './overlay.ts'
import type { Schema } from './schema.ts'
import type { SystemCollection } from './system-collection.ts'

export interface SchemaReaderOptions {
  readonly systemSchema: string
  readonly schemas: readonly string[] | null
  readonly isReadOnly: boolean
  readonly observe: Observe
  readonly systemCollections?: readonly SystemCollection[]
  readonly nameTypes?: NameTypes
  /** Whether newly assigned names are stored. */
  readonly storesNames?: boolean
}

/** A schema, and the fingerprint of its database schema; null while its names could not be stored yet. */
export interface ReadSchema {
  readonly schema: Schema
  readonly fingerprint: string | null
}

export interface SchemaReader {
  read(): Promise<ReadSchema>
  /** The fingerprint of the database schema as it is now. */
  fingerprint(): Promise<string | null>
  /** The stored metadata. */
  readonly metadata: () => Promise<Overlay>
  /** The schema as other metadata would make it, without some of the tables. It is never served. */
  readonly schemaWith: (
    metadata: Overlay,
    isLeftOut: (table: { readonly schema: string; readonly table: string }) => boolean,
  ) => Promise<Schema>
}

/** An introspected database schema with its fingerprint. */
interface Structure {
  readonly database: DatabaseSchema
  readonly digest: string
  /** Notices every change, but may differ between reads of the same schema. */
  readonly fingerprint: string | null
}

type Scope = Parameters<Database['dialect']['fingerprint']>[0]

/** Reads the database schema and the metadata. Only one read may run at a time. */
export function createSchemaReader(database: Database, options: SchemaReaderOptions): SchemaReader {
  const { driver, dialect } = database
  const scope: Scope = {
    systemSchema: options.systemSchema,
    schemas: options.schemas,
  }
  let structure: Structure | null = null
  let generation = 0

  async function read(): Promise<ReadSchema> {
    const began = performance.now()
    const [found, overlay] = await readTogether(database, options, scope, structure)
    structure = found
    generation += 1
    const named = await withStoredNames(database, options, mirrorOf(found, overlay, generation))
    if (named === null) return read()
    const { schema, isSettled } = named
    options.observe({
      kind: 'schema-loaded',
      version: schema.version,
      collections: schema.collections.size,
      milliseconds: performance.now() - began,
      hidden: schema.hidden,
      withoutTransactions: [...schema.collections.values()]
        .filter((one) => !one.isTransactional)
        .map(({ name }) => name),
    })
    return { schema, fingerprint: isSettled ? found.fingerprint : null }
  }

  const system = {
    schema: options.systemSchema,
    declared: options.systemCollections ?? [],
    storedAs: dialect.storedAs,
  }
  const { nameTypes } = options
  const common = { fieldTypeOf: dialect.fieldTypeOf, ...(nameTypes === undefined ? {} : { nameTypes }) }
  const mirrorOf = (found: Structure, overlay: Overlay, current: number): Schema =>
    mirror(found.database, overlay, {
      ...common,
      generation: current,
      structureVersion: structureVersion(found, overlay),
      isReadOnly: options.isReadOnly,
      ...(options.isReadOnly ? {} : { system }),
    })

  return {
    read,
    fingerprint: async () => (await driver.query(dialect.fingerprint(scope)))[0]?.[0] ?? null,
    metadata: async () => (await readParts(database, options, scope, structure))[1],
    async schemaWith(metadata, isLeftOut) {
      const [{ database: found }] = await readParts(database, options, scope, structure)
      const tables = found.tables.filter(({ schema, name }) => !isLeftOut({ schema, table: name }))
      return mirror({ ...found, tables }, metadata, { ...common, generation: 0, isReadOnly: false, system })
    },
  }
}

/**
 * Where the catalogue has no snapshots, a change that commits meanwhile must not lend its version to the structure before
 * it. The version is read outside of the transaction, whose snapshot would hide tables that change.
 */
async function readTogether(
  database: Database,
  options: SchemaReaderOptions,
  scope: Scope,
  known: Structure | null,
): Promise<readonly [Structure, Overlay]> {
  const expected = await versionNow(database, options)
  const parts = await readParts(database, options, scope, known)
  const [structure, { version }] = parts
  return expected === null || version === expected ? parts : readTogether(database, options, scope, structure)
}

/** null: nothing has versions. */
async function versionNow(
  { serviceTables, driver, dialect }: Database,
  { isReadOnly, systemSchema }: SchemaReaderOptions,
): Promise<number | null> {
  if (isReadOnly) return null
  const [row] = await run(serviceTables.stamp(systemSchema), driver, dialect)
  return Number.parseInt(row?.[0] ?? '', 10)
}

const structureOf = (database: DatabaseSchema, fingerprint: string | null): Structure => ({
  database,
  digest: digestOf(database),
  fingerprint,
})

export const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url')

const structureVersion = ({ digest }: Structure, { collections, fields, relations }: Overlay) =>
  digestOf([digest, collections, fields, relations]).slice(0, 12)

/** Metadata changes far more often than the database schema, and introspection is expensive. */
const readParts = (
  database: Database,
  { isReadOnly, systemSchema }: SchemaReaderOptions,
  scope: Scope,
  known: Structure | null,
): Promise<readonly [Structure, Overlay]> =>
  database.driver.transaction(async (transaction) => {
    const { dialect, serviceTables, introspect } = database
    await run(serviceTables.snapshot, transaction, dialect)
    const [mark] = await transaction.query(dialect.fingerprint(scope))
    const fingerprint = mark?.[0] ?? null
    const structure =
      known !== null && known.fingerprint === fingerprint
        ? known
        : structureOf(await introspect((statement) => transaction.query(statement), scope), fingerprint)
    const overlay = isReadOnly ? emptyOverlay : await readOverlay(transaction, database, systemSchema)
    return [structure, overlay]
  }, 'read')

/**
 * A published name never changes, so it is stored before it is published. Returns null if the metadata has changed
 * and must be read again. During a schema change no names are stored, because an intermediate state may differ from
 * the result.
 */
async function withStoredNames(
  database: Database,
  { isReadOnly, storesNames = true, systemSchema, observe }: SchemaReaderOptions,
  mirrored: Schema,
): Promise<{ readonly schema: Schema; readonly isSettled: boolean } | null> {
  const { names } = mirrored
  if (isReadOnly || !storesNames || !hasNews(names)) return { schema: mirrored, isSettled: true }
  if (await isUnderWay(database, systemSchema)) return { schema: mirrored, isSettled: false }
  const version = await storeNames(database, systemSchema, mirrored.version, names)
  if (version === null) return null
  observe({ kind: 'names-given', fields: inferredNames(names.fresh), displaced: inferredNames(names.displaced) })
  return { schema: Object.freeze({ ...mirrored, version, names: afterStoring(names) }), isSettled: true }
}

async function isUnderWay({ driver, ddl }: Database, systemSchema: string): Promise<boolean> {
  const { isUnderWay: ask } = ddl
  return ask !== null && (await driver.query(ask(systemSchema)))[0]?.[0] === 't'
}

const inferredNames = (names: readonly StoredName[]): readonly string[] =>
  names.flatMap(({ kind, collection, name, instead }) => (kind === 'field' ? [`${collection}.${instead ?? name}`] : []))
