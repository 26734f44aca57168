import type { ConnectOptions, Database } from '../../database.ts'
import { ddl } from './ddl.ts'
import { createMysqlDriver } from './driver.ts'
import { guards } from './guards.ts'
import { identity, sessions } from './identity.ts'
import { mysql } from './index.ts'
import { introspect } from './introspect.ts'
import { serviceTables } from './service-tables.ts'
import { databaseIn } from './session.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

export const connectMysql = (options: ConnectOptions): Database => ({
  dialect: mysql,
  driver: createMysqlDriver(options),
  structureDriver: createMysqlDriver({
    ...options,
    // One holds the lock that keeps others away, one works, one is for questions.
    poolMax: 3,
    acquireTimeout: Math.max(options.acquireTimeout, 10_000),
    statementTimeout: REWRITE_TIMEOUT,
    lockTimeout: LOCK_WAIT,
  }),
  patientDriver: createMysqlDriver({ ...options, poolMax: 1, statementTimeout: REWRITE_TIMEOUT, lockTimeout: 0 }),
  ddl,
  vendor: 'mysql',
  // A schema is a database here: the service's tables stand beside the user's.
  systemSchema: () => databaseIn(options.url),
  serviceTables,
  identity,
  sessions,
  guards,
  introspect,
})
