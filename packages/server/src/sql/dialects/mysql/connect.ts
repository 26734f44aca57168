import type { ConnectionRefusal, ConnectOptions, Database } from '../../database.ts'
import { createServer, type Server } from './capabilities.ts'
import { createDdl } from './ddl.ts'
import { createMysqlDriver } from './driver.ts'
import { createGuards } from './guards.ts'
import { createIdentity, createSessions } from './identity.ts'
import { loginFailures } from './login-failures.ts'
import { oneTime } from './one-time.ts'
import { createDialect } from './index.ts'
import { createIntrospect } from './introspect.ts'
import { createServiceTables } from './service-tables.ts'
import { databaseIn } from './session.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

const refusals: Readonly<Record<string, ConnectionRefusal>> = {
  '1049': 'database',
  '1044': 'credentials',
  '1045': 'credentials',
  '1698': 'credentials',
}

export function connectMysql(options: ConnectOptions, server: Server = createServer()): Database {
  // For queries alongside a transaction, which uses a connection of the other drivers.
  const aside = createMysqlDriver({ ...options, poolMax: 1 }, server)
  return {
    dialect: createDialect(server),
    driver: createMysqlDriver(options, server),
    schemaDriver: createMysqlDriver(
      {
        ...options,
        // One connection holds the schema lock, one does the work, one is for queries.
        poolMax: 3,
        acquireTimeout: Math.max(options.acquireTimeout, 10_000),
        statementTimeout: REWRITE_TIMEOUT,
        lockTimeout: LOCK_WAIT,
      },
      server,
    ),
    backgroundDriver: createMysqlDriver(
      { ...options, poolMax: 1, statementTimeout: REWRITE_TIMEOUT, lockTimeout: 0 },
      server,
    ),
    refusalOf: ({ databaseCode }) => refusals[databaseCode ?? ''] ?? null,
    ownDrivers: [aside],
    ddl: createDdl(server),
    vendor: 'mysql',
    // A schema is a database here: the service's tables are in the same database as the user's.
    systemSchema: () => databaseIn(options.url),
    serviceTables: createServiceTables(server),
    identity: createIdentity(server),
    sessions: createSessions(server),
    loginFailures,
    oneTime,
    guards: createGuards(server),
    introspect: createIntrospect(server, (statement) => aside.query(statement)),
  }
}
