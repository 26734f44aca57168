import type { Check } from './check.ts'
import { clock, connection, connections, pooler, readers, serverVersion } from './connection-checks.ts'
import { rowSecurity, serviceSchema, serviceTables, tablePrivileges } from './privilege-checks.ts'
import { nodeVersion, secret, settings, storages } from './settings-checks.ts'
import { indexes, keys, server, statistics, views } from './table-checks.ts'
import { outsideWrites, triggers } from './outside-checks.ts'

/** Every check, in the order in which they run. docs/guides/doctor.md lists the same. */
export const checks = {
  node: { what: 'Node.js is new enough', needs: 'settings', run: nodeVersion },
  settings: {
    what: 'the settings are valid and do not contradict each other, and no variable is nearly a setting',
    needs: 'settings',
    run: settings,
  },
  secret: { what: 'SECRET is set and long enough', needs: 'settings', run: secret },
  storages: { what: 'every storage of files can be written', needs: 'settings', run: storages },
  connection: {
    what: 'the database answers, exists and accepts the user',
    needs: 'database',
    run: connection,
  },
  version: { what: 'the version of the database server is supported', needs: 'database', run: serverVersion },
  server: {
    what: 'PostgreSQL: schemas of the search path; MariaDB: utf8mb4 and max_allowed_packet; SQLite: a writable file on a local disk',
    needs: 'database',
    run: server,
  },
  clock: {
    what: 'the clocks of the database and of this machine agree within 5 seconds',
    needs: 'database',
    run: clock,
  },
  pooler: {
    what: 'prepared statements are off behind a pooler in transaction mode',
    needs: 'database',
    run: pooler,
  },
  connections: {
    what: 'the pools of all replicas fit into the connections that the server accepts',
    needs: 'database',
    run: connections,
  },
  readers: { what: 'the servers of DB_READERS_URL answer and are standbys', needs: 'database', run: readers },
  'service-schema': { what: "the role may create the service's own tables", needs: 'database', run: serviceSchema },
  'service-tables': {
    what: "the role may use the service's own tables, and this version knows them",
    needs: 'database',
    run: serviceTables,
  },
  'table-privileges': { what: 'the role may read every table', needs: 'database', run: tablePrivileges },
  'row-security': {
    what: 'the role may use every schema, and no table has row level security, which permissions do not know of',
    needs: 'database',
    run: rowSecurity,
  },
  keys: { what: 'every table has a primary key', needs: 'database', run: keys },
  views: { what: 'every view can be read', needs: 'database', run: views },
  indexes: { what: 'every foreign key has an index', needs: 'database', run: indexes },
  'outside-writes': {
    what: 'EVENTS_OUTSIDE says whether writes of other programs reach subscribers and webhooks',
    needs: 'database',
    run: outsideWrites,
  },
  triggers: {
    what: 'with EVENTS_OUTSIDE=triggers, every table has triggers that fit it',
    needs: 'database',
    run: triggers,
  },
  statistics: { what: 'PostgreSQL has statistics on every large table', needs: 'database', run: statistics },
} as const satisfies Readonly<Record<string, Check>>

export type CheckName = keyof typeof checks
