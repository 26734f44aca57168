import { setTimeout as sleep } from 'node:timers/promises'
import { run, type Database } from '../sql/database.ts'
import { DatabaseError, type Driver, type Transaction } from '../sql/driver.ts'
import {
  createMigrations,
  migrationSteps,
  serviceHistory,
  type ServiceHistory,
  type Step,
} from '../sql/service/migrations.ts'
import { readServiceState, type ServiceState } from './service-state.ts'
import { StartError } from './start-error.ts'

/** What `migrate` found and did. */
export type Migration = 'created' | 'migrated' | 'current'

const ATTEMPTS = 10
const PAUSE = 200

/** Creates or migrates the system tables. Replicas that start together do it once: the others wait and find it done. */
export async function migrate(
  database: Database,
  schema: string,
  history: ServiceHistory = serviceHistory,
): Promise<Migration> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await database.driver.transaction((transaction) => migrateOnce(database, schema, history, transaction))
    } catch (error) {
      // Without a lock for them, the first starts collide: one of them creates the tables, and the others find them.
      const mayCollide = database.serviceTables.lock(schema) === null
      if (!mayCollide || left === 1 || !(error instanceof DatabaseError) || error.fault === 'unavailable') throw error
      await sleep(PAUSE * (0.5 + Math.random()))
    }
  }
}

async function migrateOnce(
  database: Database,
  schema: string,
  history: ServiceHistory,
  transaction: Transaction,
): Promise<Migration> {
  const { dialect, serviceTables } = database
  const { writer } = serviceTables
  const lock = serviceTables.lock(schema)
  if (lock !== null) await run(lock, transaction, dialect)
  const state = await readServiceState(database, schema, transaction)
  refuse(state, schema)
  if (!state.exists) {
    if (!state.schemaExists) await run(serviceTables.createSchema(schema), transaction, dialect)
    for (const statement of createMigrations(schema, writer)) await run(statement, transaction, dialect)
  } else if (lock === null) await run(serviceTables.lockVersion(schema), transaction, dialect)
  const applied = await appliedMigrations(database, schema, transaction)
  refuseNewer(schema, applied, history)
  const missing = migrationSteps(schema, writer, history).filter(([name]) => !applied.includes(name))
  for (const [name, steps] of missing) {
    for (const step of steps) await take(step, transaction, database)
    // The record comes last: a database that commits every statement by itself does the rest again.
    await run(serviceTables.bump(schema), transaction, dialect)
    await run(serviceTables.migrated(schema, name), transaction, dialect)
  }
  return !state.exists ? 'created' : missing.length > 0 ? 'migrated' : 'current'
}

async function take({ unless, run: statement }: Step, transaction: Transaction, { dialect }: Database): Promise<void> {
  const isDone = unless !== null && (await run(unless, transaction, dialect)).length > 0
  if (!isDone) await run(statement, transaction, dialect)
}

/** Throws if the service cannot work with what there is. */
function refuse(state: ServiceState, name: string): void {
  const { exists, foreign, database, role, schema } = state
  if (state.isEarlier) throw earlierBuild(name)
  if (foreign !== null) {
    throw new StartError(
      `There is a table ${foreign} in ${schema} that the service did not make, and it needs one of that name for itself. Rename yours, or start with READ_ONLY=true to serve without metadata.`,
    )
  }
  if (exists && !state.mayUseTables) {
    throw new StartError(
      `The role ${role} may not use the service's tables in the schema ${schema}. Run as their owner:\n  GRANT USAGE ON SCHEMA ${schema} TO ${role};\n  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};\nor start with READ_ONLY=true to serve without metadata.`,
    )
  }
  if (!exists && state.schemaExists && !state.mayCreateTables) {
    throw new StartError(
      `The role ${role} may not create tables in the schema ${schema}. Run as its owner:\n  GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};\nor start with READ_ONLY=true to serve without metadata.`,
    )
  }
  if (!exists && !state.schemaExists && !state.mayCreateSchema) {
    throw new StartError(
      `The role ${role} may not create the schema ${schema} for the service's own tables. Run as the owner of the database:\n  GRANT CREATE ON DATABASE ${database} TO ${role};\nor start with READ_ONLY=true to serve without metadata.`,
    )
  }
}

export const earlierBuild = (schema: string): StartError =>
  new StartError(
    `The service's tables in schema "${schema}" are those of a build before 0.1.0, or what an interrupted "tain eject" has left. This version cannot use them. Remove them with "tain eject" and start again; your own tables stay. To keep roles, policies, permissions and metadata, write them into a file with "tain schema snapshot" of the earlier build first, and apply the file afterwards.`,
  )

/**
 * Whether the system tables exist; writes nothing. Throws if they have another version, because their content has a
 * different meaning.
 */
export async function isPrepared(
  database: Database,
  schema: string,
  history: ServiceHistory = serviceHistory,
): Promise<boolean> {
  const { exists, isEarlier } = await readServiceState(database, schema)
  if (isEarlier) throw earlierBuild(schema)
  if (!exists) return false
  const applied = await appliedMigrations(database, schema)
  refuseNewer(schema, applied, history)
  if (missingMigrations(applied, history).length > 0)
    throw new StartError(
      `The service's tables in schema "${schema}" are of an older version. Start the service once to bring them up to date, then run this command again.`,
    )
  return true
}

/** The names of the migrations that have run. */
export async function appliedMigrations(
  { driver, dialect, serviceTables }: Pick<Database, 'driver' | 'dialect' | 'serviceTables'>,
  schema: string,
  runner: Driver | Transaction = driver,
): Promise<readonly string[]> {
  return (await run(serviceTables.migrations(schema), runner, dialect)).map(([name]) => name ?? '')
}

export const missingMigrations = (
  applied: readonly string[],
  { migrations }: ServiceHistory = serviceHistory,
): readonly string[] => Object.keys(migrations).filter((name) => !applied.includes(name))

export function refuseNewer(
  schema: string,
  applied: readonly string[],
  { migrations }: ServiceHistory = serviceHistory,
): void {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  throw new StartError(
    `The service's tables in schema "${schema}" have migrations that this program does not know: ${unknown.join(', ')}. A newer version has used this database: start that version, or a newer one.`,
  )
}
