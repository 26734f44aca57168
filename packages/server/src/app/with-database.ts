import type { Config } from '../config.ts'
import { keepAlive } from '../lib/keep-alive.ts'
import type { Database } from '../sql/database.ts'
import { connectDatabase } from '../sql/dialects/index.ts'
import { closeConnections } from './close.ts'
import { connectionOptions, refusedConnection } from './database.ts'

/** Connects without a service: prepares no tables and reads no schema. */
export function withDatabase<T>(
  config: Config,
  applicationName: string,
  work: (database: Database, systemSchema: string) => Promise<T>,
): Promise<T> {
  return keepAlive(async () => {
    const database = await connectDatabase({ ...connectionOptions(config), poolMax: 1, applicationName })
    try {
      return await work(database, database.systemSchema(config.systemSchema))
    } catch (error) {
      throw refusedConnection(error, database, config)
    } finally {
      await closeConnections(database)
    }
  })
}
