import { resolve } from 'node:path'
import type { ConnectOptions, Database } from '../../database.ts'
import { ddl } from './ddl.ts'
import { createSqliteDriver } from './driver.ts'
import { guards } from './guards.ts'
import { identity, sessions } from './identity.ts'
import { loginFailures } from './login-failures.ts'
import { oneTime } from './one-time.ts'
import { sqlite } from './index.ts'
import { introspect } from './introspect.ts'
import { SCHEMA } from './scope.ts'
import { serviceTables } from './service-tables.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

const refusals = new Set(['SQLITE_CANTOPEN', 'SQLITE_CANTOPEN_ISDIR', 'SQLITE_NOTADB', 'SQLITE_AUTH', 'SQLITE_PERM'])

/** `sqlite:./my.db`, `sqlite:/var/my.db`, `sqlite:///var/my.db`; percent signs are not decoded. */
function fileOf(url: string): string {
  const path = url.slice(url.indexOf(':') + 1).replace(/^\/\/(?=\/)/u, '')
  return resolve(path)
}

export function connectSqlite(options: ConnectOptions): Database {
  const given = { ...options, file: fileOf(options.url), enforcesKeys: true }
  return {
    vendor: 'sqlite',
    refusalOf: ({ databaseCode, message }) =>
      refusals.has(databaseCode ?? '') || message.startsWith('Cannot open database') ? 'file' : null,
    systemSchema: () => SCHEMA,
    dialect: sqlite,
    driver: createSqliteDriver(given),
    schemaDriver: createSqliteDriver({
      ...given,
      enforcesKeys: false,
      poolMax: 3,
      acquireTimeout: Math.max(options.acquireTimeout, 10_000),
      statementTimeout: REWRITE_TIMEOUT,
      lockTimeout: LOCK_WAIT,
    }),
    backgroundDriver: createSqliteDriver({
      ...given,
      statementTimeout: REWRITE_TIMEOUT,
      lockTimeout: REWRITE_TIMEOUT,
    }),
    ddl,
    serviceTables,
    identity,
    sessions,
    loginFailures,
    oneTime,
    guards,
    introspect,
  }
}
