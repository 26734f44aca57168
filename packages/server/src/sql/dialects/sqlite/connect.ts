import { resolve } from 'node:path'
import type { ConnectOptions, Database } from '../../database.ts'
import type { Statement } from '../../driver.ts'
import { guardStatements } from '../../service/guards.ts'
import { identityStatements } from '../../service/identity.ts'
import { cursorStatements } from '../../service/cursors.ts'
import { leaseStatements } from '../../service/leases.ts'
import { switchStatements } from '../../service/trigger-switches.ts'
import { markStatements } from '../../service/outside-mark.ts'
import { loginFailureStatements } from '../../service/login-failures.ts'
import { oneTimeStatements } from '../../service/one-time.ts'
import { deliveryStatements } from '../../service/deliveries.ts'
import { uploadStatements } from '../../service/uploads.ts'
import { eventStatements } from '../../service/events.ts'
import { eventDialect } from './events.ts'
import { sessionStatements } from '../../service/sessions.ts'
import { ddl } from './ddl.ts'
import { createDiagnosis } from './diagnosis.ts'
import { fileInUrl } from '../../file-url.ts'
import { distribution } from './distribution.ts'
import { createSqliteDriver } from './driver.ts'
import { sqlite } from './index.ts'
import { introspect } from './introspect.ts'
import { removal } from './removal.ts'
import { SCHEMA } from './scope.ts'
import { serviceDialect } from './service.ts'
import { shop } from './shop.ts'
import { serviceTables } from './service-tables.ts'
import { triggers } from './triggers.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

const refusals = new Set(['SQLITE_CANTOPEN', 'SQLITE_CANTOPEN_ISDIR', 'SQLITE_NOTADB', 'SQLITE_AUTH', 'SQLITE_PERM'])

const SESSION_FACTS: Statement = {
  text: `select 'SQLite ' || sqlite_version(), iif(query_only, 't', 'f') from pragma_query_only`,
  values: [],
}

export function connectSqlite(options: ConnectOptions): Database {
  const given = { ...options, file: resolve(fileInUrl(options.url) ?? ''), enforcesKeys: true }
  const driver = createSqliteDriver(given)
  return {
    vendor: 'sqlite',
    refusalOf: ({ databaseCode, message }) =>
      refusals.has(databaseCode ?? '') || message.startsWith('Cannot open database') ? 'file' : null,
    systemSchema: () => SCHEMA,
    dialect: sqlite,
    driver,
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
    sessionFacts: () => SESSION_FACTS,
    ddl,
    serviceTables,
    identity: identityStatements(serviceDialect),
    sessions: sessionStatements(serviceDialect),
    loginFailures: loginFailureStatements(serviceDialect),
    oneTime: oneTimeStatements(serviceDialect),
    uploads: uploadStatements(serviceDialect),
    events: eventStatements(eventDialect),
    outside: { logical: null, triggers, ...markStatements, ...switchStatements(serviceDialect) },
    deliveries: deliveryStatements(serviceDialect),
    leases: leaseStatements(serviceDialect),
    cursors: cursorStatements(serviceDialect),
    watch: null,
    guards: guardStatements(serviceDialect),
    readers: null,
    removal,
    diagnosis: createDiagnosis(given.file),
    distribution,
    shop,
    introspect,
  }
}
