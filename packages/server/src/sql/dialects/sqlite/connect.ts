import { resolve } from 'node:path'
import type { ConnectOptions, Database } from '../../database.ts'
import { ddl } from './ddl.ts'
import { createSqliteDriver } from './driver.ts'
import { guards } from './guards.ts'
import { identity, sessions } from './identity.ts'
import { sqlite } from './index.ts'
import { introspect } from './introspect.ts'
import { SCHEMA } from './scope.ts'
import { serviceTables } from './service-tables.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

/** `sqlite:./my.db`, `sqlite:/var/my.db`, `sqlite:///var/my.db`; percent signs stand for themselves. */
function fileOf(url: string): string {
  const path = url.slice(url.indexOf(':') + 1).replace(/^\/\/(?=\/)/u, '')
  return resolve(path)
}

export function connectSqlite(options: ConnectOptions): Database {
  const given = { ...options, file: fileOf(options.url), enforcesKeys: true }
  return {
    vendor: 'sqlite',
    systemSchema: () => SCHEMA,
    dialect: sqlite,
    driver: createSqliteDriver(given),
    structureDriver: createSqliteDriver({
      ...given,
      enforcesKeys: false,
      poolMax: 3,
      acquireTimeout: Math.max(options.acquireTimeout, 10_000),
      statementTimeout: REWRITE_TIMEOUT,
      lockTimeout: LOCK_WAIT,
    }),
    patientDriver: createSqliteDriver({
      ...given,
      statementTimeout: REWRITE_TIMEOUT,
      lockTimeout: REWRITE_TIMEOUT,
    }),
    ddl,
    serviceTables,
    identity,
    sessions,
    guards,
    introspect,
  }
}
