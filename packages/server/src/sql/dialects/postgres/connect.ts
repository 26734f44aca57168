import type { ConnectionRefusal, ConnectOptions, Database, Readers } from '../../database.ts'
import type { Statement } from '../../driver.ts'
import { guardStatements } from '../../service/guards.ts'
import { sql, table } from '../../sql.ts'
import { identityStatements } from '../../service/identity.ts'
import { cursorStatements } from '../../service/cursors.ts'
import { leaseStatements } from '../../service/leases.ts'
import { loginFailureStatements } from '../../service/login-failures.ts'
import { oneTimeStatements } from '../../service/one-time.ts'
import { deliveryStatements } from '../../service/deliveries.ts'
import { uploadStatements } from '../../service/uploads.ts'
import { eventStatements } from '../../service/events.ts'
import { createEventDialect } from './events.ts'
import { sessionStatements } from '../../service/sessions.ts'
import { watchStatements } from '../../service/watch.ts'
import { createServer, type Server } from './capabilities.ts'
import { UNSUITABLE_DRIVER } from './check-driver.ts'
import { createDdl } from './ddl.ts'
import { diagnosis } from './diagnosis.ts'
import { distribution } from './distribution.ts'
import { createPostgresDriver } from './driver.ts'
import { UNSUITABLE_POOLER } from './errors.ts'
import { createDialect } from './index.ts'
import { introspect } from './introspect.ts'
import { createOutside } from './outside.ts'
import { removal } from './removal.ts'
import { createServiceDialect } from './service.ts'
import { shop } from './shop.ts'
import { createServiceTables } from './service-tables.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

const refusals: Readonly<Record<string, ConnectionRefusal>> = {
  '3D000': 'database',
  '28P01': 'credentials',
  '28000': 'credentials',
  [UNSUITABLE_DRIVER]: 'driver',
  [UNSUITABLE_POOLER]: 'driver',
}

const SESSION_FACTS: Statement = {
  text: `select 'PostgreSQL ' || split_part(current_setting('server_version'), ' ', 1),
    case current_setting('transaction_read_only') when 'on' then 't' else 'f' end`,
  values: [],
}

/** Only requests have to find their own writes. */
const withoutCommits = (options: ConnectOptions): ConnectOptions => ({ ...options, onCommit: undefined })

function readersOf(options: ConnectOptions, server: Server): Readers | null {
  const { readersUrl } = options
  if (readersUrl === undefined) return null
  return {
    driver: createPostgresDriver(
      { ...withoutCommits(options), url: readersUrl, isReadOnly: true, isSpread: true },
      server,
    ),
    follows: { text: 'select pg_catalog.pg_is_in_recovery()', values: [] },
    moment: (schema) =>
      sql`select stamp, pg_catalog.pg_current_wal_insert_lsn()::text from ${table(schema, 'service_version')}`,
  }
}

export function connectPostgres(options: ConnectOptions, server: Server = createServer()): Database {
  const service = createServiceDialect(server)
  const dialect = createDialect(server)
  const schemaDriver = createPostgresDriver(
    {
      ...withoutCommits(options),
      // One connection holds the schema change lock, one runs the change, one runs other queries.
      poolMax: 3,
      acquireTimeout: Math.max(options.acquireTimeout, 10_000),
      statementTimeout: REWRITE_TIMEOUT,
      lockTimeout: LOCK_WAIT,
    },
    server,
  )
  return {
    dialect,
    driver: createPostgresDriver(options, server),
    schemaDriver,
    backgroundDriver: createPostgresDriver(
      { ...withoutCommits(options), poolMax: 1, statementTimeout: REWRITE_TIMEOUT, lockTimeout: 0 },
      server,
    ),
    refusalOf: ({ databaseCode }) => refusals[databaseCode ?? ''] ?? null,
    sessionFacts: () => SESSION_FACTS,
    ddl: createDdl(server),
    vendor: 'postgres',
    systemSchema: (wanted) => wanted,
    serviceTables: createServiceTables(server),
    identity: identityStatements(service),
    sessions: sessionStatements(service),
    loginFailures: loginFailureStatements(service),
    oneTime: oneTimeStatements(service),
    uploads: uploadStatements(service),
    events: eventStatements(createEventDialect(server)),
    outside: createOutside(options, schemaDriver, server),
    deliveries: deliveryStatements(service),
    leases: leaseStatements(service),
    cursors: cursorStatements(service),
    watch: watchStatements(service),
    guards: guardStatements(service),
    readers: readersOf(options, server),
    removal,
    diagnosis,
    distribution,
    shop,
    introspect,
  }
}
