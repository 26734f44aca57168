import type { Config } from '../config.ts'
import { noteCommit } from '../lib/request-context.ts'
import { isPrepared } from '../schema/migrate.ts'
import { connectionRefused } from '../schema/start-error.ts'
import type { Database } from '../sql/database.ts'
import type { connectDatabase } from '../sql/dialects/index.ts'
import { DatabaseError } from '../sql/driver.ts'
import type { Probes } from './probes.ts'

/** No statement of a queue this long would get a connection in time. */
const LONGEST_QUEUE = 10_000

export const connectionOptions = (
  config: Config,
  { onStatement }: Pick<Probes, 'onStatement'> = {},
): Parameters<typeof connectDatabase>[0] => ({
  url: config.databaseUrl,
  poolMax: config.poolMax,
  // Requests are judged before they send statements.
  queueMax: Math.max(config.poolMax * 10, config.requestsInFlight ?? LONGEST_QUEUE),
  acquireTimeout: config.acquireTimeout,
  statementTimeout: config.statementTimeout,
  lockTimeout: config.lockTimeout,
  connectTimeout: config.connectTimeout,
  preparedStatements: config.preparedStatements,
  postgresProtocol: config.postgresProtocol,
  applicationName: 'tain',
  isReadOnly: config.isReadOnly,
  ...(config.readersUrl === null ? {} : { readersUrl: config.readersUrl, onCommit: noteCommit }),
  ...(onStatement === undefined ? {} : { onStatement }),
})

/** Switches to read-only mode, without metadata, if the service has not prepared this database. */
export async function withoutMissingTables(database: Database, config: Config): Promise<Config> {
  if (config.isReadOnly) return config
  try {
    const isThere = await isPrepared(database, database.systemSchema(config.systemSchema))
    return isThere ? config : { ...config, isReadOnly: true }
  } catch (error) {
    throw refusedConnection(error, database, config)
  }
}

/** Turns errors that an operator can fix into one line; other errors stay unchanged. */
export function refusedConnection(error: unknown, { refusalOf }: Database, { databaseUrl }: Config): unknown {
  if (!(error instanceof DatabaseError)) return error
  const refusal = refusalOf(error)
  return refusal === null ? error : connectionRefused(refusal, databaseUrl, error.message)
}
