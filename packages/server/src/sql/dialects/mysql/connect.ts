import type { ConnectionRefusal, ConnectOptions, Database } from '../../database.ts'
import { guardStatements } from '../../service/guards.ts'
import { identityStatements } from '../../service/identity.ts'
import { cursorStatements } from '../../service/cursors.ts'
import { leaseStatements } from '../../service/leases.ts'
import { markStatements } from '../../service/outside-mark.ts'
import { switchStatements } from '../../service/trigger-switches.ts'
import { loginFailureStatements } from '../../service/login-failures.ts'
import { oneTimeStatements } from '../../service/one-time.ts'
import { deliveryStatements } from '../../service/deliveries.ts'
import { uploadStatements } from '../../service/uploads.ts'
import { eventStatements } from '../../service/events.ts'
import { createEventDialect } from './events.ts'
import { sessionStatements } from '../../service/sessions.ts'
import { watchStatements } from '../../service/watch.ts'
import { createServer, type Server } from './capabilities.ts'
import { createDdl } from './ddl.ts'
import { diagnosis } from './diagnosis.ts'
import { createDistribution } from './distribution.ts'
import { createMysqlDriver } from './driver.ts'
import { createDialect } from './index.ts'
import { createIntrospect } from './introspect.ts'
import { createLogicalSource } from './outside.ts'
import { suspendInSteps } from './guards.ts'
import { countInSteps } from './login-failures.ts'
import { endInSteps } from './sessions.ts'
import { removal } from './removal.ts'
import { shop } from './shop.ts'
import { createServiceDialect } from './service.ts'
import { createServiceTables } from './service-tables.ts'
import { databaseIn } from './session.ts'
import { triggers } from './triggers.ts'

const REWRITE_TIMEOUT = 600_000
const LOCK_WAIT = 1000

const refusals: Readonly<Record<string, ConnectionRefusal>> = {
  '1049': 'database',
  '1044': 'credentials',
  '1045': 'credentials',
  '1698': 'credentials',
}

/** MariaDB may put a replication prefix before its own version: 5.5.5-10.11.6-MariaDB. */
const PRODUCT = `concat(if(version() like '%mariadb%', 'MariaDB ', 'MySQL '),
  substring_index(if(version() like '5.5.5-%', substr(version(), 7), version()), '-', 1))`

export function connectMysql(options: ConnectOptions, server: Server = createServer()): Database {
  // For queries alongside a transaction, which uses a connection of the other drivers.
  const aside = createMysqlDriver({ ...options, poolMax: 1 }, server)
  const driver = createMysqlDriver(options, server)
  const service = createServiceDialect(server)
  const dialect = createDialect(server)
  return {
    dialect,
    driver,
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
    sessionFacts: () => ({
      text: `select ${PRODUCT}, if(@@session.${server.can.settings.readOnly}, 't', 'f')`,
      values: [],
    }),
    ownDrivers: [aside],
    ddl: createDdl(server),
    vendor: 'mysql',
    // A schema is a database here: the service's tables are in the same database as the user's.
    systemSchema: () => databaseIn(options.url),
    serviceTables: createServiceTables(server),
    identity: identityStatements(service),
    sessions: { ...sessionStatements(service), ...endInSteps(server, service) },
    loginFailures: { ...loginFailureStatements(service), ...countInSteps(service) },
    oneTime: oneTimeStatements(service),
    uploads: uploadStatements(service),
    events: eventStatements(createEventDialect(server)),
    outside: {
      logical: createLogicalSource(options, driver, dialect),
      triggers,
      ...markStatements,
      ...switchStatements(service),
    },
    deliveries: deliveryStatements(service),
    leases: leaseStatements(service),
    cursors: cursorStatements(service),
    watch: watchStatements(service),
    guards: { ...guardStatements(service), ...suspendInSteps(service) },
    readers: null,
    removal,
    diagnosis,
    distribution: createDistribution(dialect),
    shop,
    introspect: createIntrospect(server, (statement) => aside.query(statement)),
  }
}
