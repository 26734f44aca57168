import type { ConnectionRefusal, ConnectOptions, Database } from '../../database.ts'
import { ddl } from './ddl.ts'
import { createPostgresDriver } from './driver.ts'
import { postgres } from './index.ts'
import { guards } from './guards.ts'
import { identity, sessions } from './identity.ts'
import { loginFailures } from './login-failures.ts'
import { oneTime } from './one-time.ts'
import { introspect } from './introspect.ts'
import { serviceTables } from './service-tables.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

const refusals: Readonly<Record<string, ConnectionRefusal>> = {
  '3D000': 'database',
  '28P01': 'credentials',
  '28000': 'credentials',
}

export const connectPostgres = (options: ConnectOptions): Database => ({
  dialect: postgres,
  driver: createPostgresDriver(options),
  schemaDriver: createPostgresDriver({
    ...options,
    // One connection holds the schema change lock, one runs the change, one runs other queries.
    poolMax: 3,
    acquireTimeout: Math.max(options.acquireTimeout, 10_000),
    statementTimeout: REWRITE_TIMEOUT,
    lockTimeout: LOCK_WAIT,
  }),
  backgroundDriver: createPostgresDriver({ ...options, poolMax: 1, statementTimeout: REWRITE_TIMEOUT, lockTimeout: 0 }),
  refusalOf: ({ databaseCode }) => refusals[databaseCode ?? ''] ?? null,
  ddl,
  vendor: 'postgres',
  systemSchema: (wanted) => wanted,
  serviceTables,
  identity,
  sessions,
  loginFailures,
  oneTime,
  guards,
  introspect,
})
