import { setTimeout as sleep } from 'node:timers/promises'
import { begin } from '../auth/bootstrap.ts'
import { setupToken } from '../auth/procedures/setup.ts'
import type { SchemaChanger } from '../schema/change.ts'
import { migrate, type Migration } from '../schema/migrate.ts'
import { readUnserved } from '../schema/unserved.ts'
import { DatabaseError, type Statement } from '../sql/driver.ts'
import type { AuthenticationParts } from './authentication.ts'
import type { AppContext } from './context.ts'
import { refusedConnection } from './database.ts'
import type { SchemaParts } from './schema.ts'

const RETRY_INTERVAL = 50
/** Attempts of a start that loses against that of another replica. */
const MOST_ATTEMPTS = 20

/** What the start found and did in the database. */
export interface Preparation {
  readonly tables: Migration
  readonly hasAdministrator: boolean
  readonly isAdministratorCreated: boolean
}

/**
 * Prepares the service's tables and reads the schema. Waits for a database that is unavailable, and then returns
 * `waiting`; any other error aborts the start. null: nothing was prepared, because the service only reads.
 */
export async function startParts(
  context: AppContext,
  { schemaCache, changes }: SchemaParts,
  services: AuthenticationParts['services'],
): Promise<Preparation | 'waiting' | null> {
  const { database, config, logger, lifecycle, onlyLooks } = context
  const prepare = async () => {
    const preparation = onlyLooks ? null : await prepareTables(context, changes, services)
    await schemaCache.reload()
    if (!onlyLooks) await tellUnserved(context)
    return preparation
  }
  try {
    return await unlessConflict(prepare)
  } catch (error) {
    const isAway = error instanceof DatabaseError && error.fault === 'unavailable' && !lifecycle.isClosing
    if (!isAway || database.refusalOf(error) !== null) throw refusedConnection(error, database, config)
    logger.warn({ reason: error.message }, 'the database does not answer, waiting for it')
    void retry(prepare, context)
    return 'waiting'
  }
}

/** Callers cannot tell an empty list from one whose rows the database withholds. */
async function tellUnserved({ database, config, systemSchema, observe }: AppContext): Promise<void> {
  const query = (statement: Statement) => database.driver.query(statement)
  const { subject, bypassed, closedSchemas } = await readUnserved(database, systemSchema, config.schemas, query)
  if (closedSchemas.length > 0) observe({ kind: 'schemas-closed', schemas: closedSchemas.map(({ name }) => name) })
  if (subject.length + bypassed.length > 0) observe({ kind: 'row-security', subject, bypassed })
}

/** Replicas that start together on nodes of a cluster prepare the same rows, and a node learns of it at the commit. */
export async function unlessConflict<T>(prepare: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await prepare()
    } catch (error) {
      const isConflict = error instanceof DatabaseError && error.fault === 'conflict'
      if (!isConflict || attempt === MOST_ATTEMPTS) throw error
      await sleep(RETRY_INTERVAL * (0.5 + Math.random()))
    }
  }
}

async function retry(prepare: () => Promise<unknown>, { logger, lifecycle }: AppContext): Promise<void> {
  while (!lifecycle.isClosing) {
    await sleep(RETRY_INTERVAL)
    try {
      await prepare()
      logger.info('the database answers')
      return
    } catch (error) {
      const isAway = error instanceof DatabaseError && error.fault === 'unavailable'
      logger[isAway ? 'debug' : 'error']({ error }, 'the start did not succeed yet')
    }
  }
}

/** Creates the service's tables and initial rows, and recovers from changes that a crash interrupted. */
async function prepareTables(
  { database, config, systemSchema, observe }: AppContext,
  changes: SchemaChanger,
  { identity, keyring }: AuthenticationParts['services'],
): Promise<Preparation | null> {
  if (config.isReadOnly) return null
  const tables = await migrate(database, systemSchema)
  await changes.recover()
  const { hasAdministrator, permissionVersion, isMade } = await begin(identity, config, observe)
  if (config.secret === null) observe({ kind: 'secret-missing' })
  for (const { name, meant } of config.misspelt) observe({ kind: 'setting-unknown', name, meant })
  const address = `${config.publicUrl ?? ''}/server/setup`
  if (!hasAdministrator) observe({ kind: 'setup-open', token: setupToken(keyring, permissionVersion), address })
  return { tables, hasAdministrator, isAdministratorCreated: isMade }
}
