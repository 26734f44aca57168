import { setTimeout as sleep } from 'node:timers/promises'
import { run, type Database } from '../sql/database.ts'
import { DatabaseError, type Transaction } from '../sql/driver.ts'
import type { DeclaredTable } from '../sql/service/declared-table.ts'
import { StartError } from './start-error.ts'

/** What `migrate` found and did. */
export type Migration = 'created' | 'migrated' | 'current'

const ATTEMPTS = 10
const PAUSE = 200

/** Creates or migrates the system tables. Replicas that start together do it once: the others wait and find it done. */
export async function migrate(
  database: Database,
  schema: string,
  declared: readonly DeclaredTable[],
): Promise<Migration> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await migrateOnce(database, schema, declared)
    } catch (error) {
      // Without a lock for them, the first starts collide: one of them creates the tables, and the others find them.
      const mayCollide = database.serviceTables.lock(schema) === null
      if (!mayCollide || left === 1 || !(error instanceof DatabaseError) || error.fault === 'unavailable') throw error
      await sleep(PAUSE * (0.5 + Math.random()))
    }
  }
}

async function migrateOnce(
  { driver, dialect, serviceTables }: Database,
  schema: string,
  declared: readonly DeclaredTable[],
): Promise<Migration> {
  return driver.transaction(async (transaction) => {
    const lock = serviceTables.lock(schema)
    if (lock !== null) await run(lock, transaction, dialect)
    const [found] = await run(serviceTables.exists(schema, declared), transaction, dialect)
    const [
      exists,
      mayCreateSchema,
      database,
      role,
      schemaExists,
      mayCreateTables,
      quotedSchema,
      mayUseTables,
      foreign,
    ] = found ?? []
    if (typeof foreign === 'string') {
      throw new StartError(
        `There is a table ${foreign} in ${quotedSchema} that the service did not make, and it needs one of that name for itself. Rename yours, or start with READ_ONLY=true to serve without metadata.`,
      )
    }
    if (exists === 'true' && mayUseTables !== 'true') {
      throw new StartError(
        `The role ${role} may not use the service's tables in the schema ${quotedSchema}. Run as their owner:\n  GRANT USAGE ON SCHEMA ${quotedSchema} TO ${role};\n  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${quotedSchema} TO ${role};\nor start with READ_ONLY=true to serve without metadata.`,
      )
    }
    if (exists !== 'true') {
      if (schemaExists === 'true' && mayCreateTables !== 'true') {
        throw new StartError(
          `The role ${role} may not create tables in the schema ${quotedSchema}. Run as its owner:\n  GRANT USAGE, CREATE ON SCHEMA ${quotedSchema} TO ${role};\nor start with READ_ONLY=true to serve without metadata.`,
        )
      }
      if (schemaExists !== 'true' && mayCreateSchema !== 'true') {
        throw new StartError(
          `The role ${role} may not create the schema ${quotedSchema} for the service's own tables. Run as the owner of the database:\n  GRANT CREATE ON DATABASE ${database} TO ${role};\nor start with READ_ONLY=true to serve without metadata.`,
        )
      }
      if (schemaExists !== 'true') await run(serviceTables.createSchema(schema), transaction, dialect)
      for (const statement of serviceTables.create(schema)) await run(statement, transaction, dialect)
    }
    const isMigrated = await runMigrations(transaction, { driver, dialect, serviceTables }, schema, declared)
    return exists !== 'true' ? 'created' : isMigrated ? 'migrated' : 'current'
  })
}

/**
 * Whether the system tables exist; writes nothing. Throws if they have another version, because their content has a
 * different meaning.
 */
export async function isPrepared(
  { driver, dialect, serviceTables }: Database,
  schema: string,
  declared: readonly DeclaredTable[],
): Promise<boolean> {
  const [found] = await run(serviceTables.exists(schema, declared), driver, dialect)
  if (found?.[0] !== 'true') return false
  const [row] = await run(serviceTables.migration(schema), driver, dialect)
  const known = serviceTables.migrations(schema, declared, true).length
  refuseNewer(schema, Number(row?.[0] ?? 0), known)
  if (Number(row?.[0] ?? 0) < known)
    throw new StartError(
      `The service's tables in schema "${schema}" are of an older version. Start the service once to bring them up to date, then run this command again.`,
    )
  return true
}

export function refuseNewer(schema: string, done: number, known: number): void {
  if (done <= known) return
  throw new StartError(
    `The service's tables in schema "${schema}" are at step ${done}, this program knows ${known}. A newer version has used this database: start that version, or a newer one.`,
  )
}

/** Returns whether there was anything to do. */
async function runMigrations(
  transaction: Transaction,
  { dialect, serviceTables }: Pick<Database, 'driver' | 'dialect' | 'serviceTables'>,
  schema: string,
  declared: readonly DeclaredTable[],
): Promise<boolean> {
  const [row] = await run(serviceTables.migration(schema), transaction, dialect)
  const done = Number(row?.[0] ?? 0)
  const steps = serviceTables.migrations(schema, declared, done > 0)
  refuseNewer(schema, done, steps.length)
  for (const [index, statements] of steps.entries()) {
    if (index < done) continue
    for (const statement of statements) await run(statement, transaction, dialect)
    await run(serviceTables.migrated(schema, index + 1), transaction, dialect)
  }
  return done < steps.length
}
