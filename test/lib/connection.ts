import type { ConnectOptions, Database } from '../../packages/server/src/sql/database.ts'

/** Options of a connection that waits for seconds where a service waits for longer. */
export const connectOptions = (url: string, options: Partial<ConnectOptions> = {}): ConnectOptions => ({
  url,
  poolMax: 4,
  acquireTimeout: 5000,
  statementTimeout: 10_000,
  lockTimeout: 5000,
  connectTimeout: 5000,
  preparedStatements: 10,
  applicationName: 'tain-test',
  ...options,
})

export async function closeDatabase({ driver, schemaDriver, backgroundDriver, ownDrivers = [] }: Database) {
  await Promise.all([driver, schemaDriver, backgroundDriver, ...ownDrivers].map((each) => each.close()))
}
