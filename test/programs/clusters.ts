// Several replicas, clusters of databases, outages and long runs.
import { command, full, measurement } from './program.ts'

/** Without it, everything. */
const text = null as string | null

export const clusters = {
  faults: command({
    proves: 'Replicas on Galera, on standbys, with Redis and with workers survive faults, at a small size.',
    command: 'vitest run --project faults',
    needs: [
      'postgres',
      'mariadb',
      'postgres-server',
      'mariadb-server',
      'redis',
      'galera',
      'patroni',
      'haproxy',
      'prometheus',
    ],
    night: full,
  }),
  failover: measurement({
    proves: 'No row is lost or written twice while a Patroni cluster fails over.',
    options: { only: text },
    needs: ['postgres-server', 'patroni', 'haproxy'],
    night: full,
    figures: async ({ only }) => (await import('../faults/failover.ts')).figures(only),
  }),
  'event-failover': measurement({
    proves: 'Subscribers miss no change when the primary of Patroni or a node of Galera fails.',
    options: { only: text, rounds: 5 },
    needs: ['postgres-server', 'mariadb-server', 'galera', 'patroni', 'haproxy'],
    night: full,
    figures: async ({ only, rounds }) => (await import('../faults/event-failover.ts')).figures(only, rounds),
  }),
  galera: command({
    proves: 'Two replicas on two nodes of a Galera cluster agree on rows, permissions and schema.',
    command: 'GALERA_ROUNDS=${GALERA_ROUNDS:-50} vitest run --project faults test/faults/galera.test.ts',
    needs: ['mariadb-server', 'galera'],
    night: full,
  }),
  'galera-faults': measurement({
    proves: 'No row is lost or written twice while Galera nodes die, hang or lose their quorum.',
    options: {},
    needs: ['mariadb-server', 'galera'],
    night: full,
    figures: async () => (await import('../faults/galera-faults.ts')).galeraFaults(),
  }),
  redis: command({
    proves: 'Requests succeed while Redis is absent, killed, paused or flushed, also with Sentinel and Cluster.',
    command: 'REDIS_FULL=1 vitest run --project faults test/faults/redis.test.ts',
    needs: ['postgres', 'redis'],
    night: full,
  }),
  readers: command({
    proves: 'No client misses its own write while reads go to standbys that lag and fail.',
    command: 'READER_ROUNDS=2000 vitest run --project faults test/faults/readers.test.ts',
    needs: ['postgres-server'],
    night: full,
  }),
  cuts: measurement({
    proves: 'Broken connections to the database never give a request the response of another one.',
    options: { cuts: 10_000, seed: 1 },
    needs: ['postgres', 'mariadb'],
    night: full,
    figures: async ({ cuts, seed }) => (await import('../faults/cuts.ts')).cuts(cuts, seed),
  }),
  'client-gone': measurement({
    proves: 'The database ends the statement of a client that closes its connection.',
    options: { tries: 100 },
    needs: ['postgres', 'mariadb'],
    alone: true,
    night: full,
    figures: async ({ tries }) => (await import('../faults/client-gone.ts')).figures(tries),
  }),
  'pool-exhausted': measurement({
    proves: 'While slow statements hold the pool, requests get 503 with Retry-After and /server/ping answers.',
    options: { seconds: 12, clients: 200 },
    needs: ['postgres', 'mariadb'],
    alone: true,
    night: full,
    figures: async (options) => (await import('../faults/pool-exhausted.ts')).figures(options),
  }),
  'rolling-restart': measurement({
    proves: 'Replicas restart one after the other without a failed request.',
    options: { rounds: 5, rate: 300 },
    needs: ['postgres', 'haproxy'],
    night: full,
    figures: async ({ rounds, rate }) => (await import('../faults/rolling-restart.ts')).figures(rounds, rate),
  }),
  'rolling-upgrade': measurement({
    proves: 'Replicas of two versions work together, and an upgrade loses no request.',
    options: { from: text, rate: 300 },
    needs: ['postgres', 'haproxy'],
    night: full,
    figures: async ({ from, rate }) => (await import('../faults/rolling-upgrade.ts')).figures(from, rate),
  }),
  'idle-replicas': measurement({
    proves: 'Fifty idle replicas take little CPU time and memory, and one connection each.',
    options: { replicas: 50, tables: 1000, seconds: 60 },
    needs: ['postgres-server'],
    alone: true,
    night: full,
    figures: async (options) => (await import('../faults/idle-replicas.ts')).figures(options),
  }),
  workers: measurement({
    proves: 'A killed worker costs few connections and is replaced within seconds.',
    options: {},
    needs: ['postgres', 'wrk'],
    alone: true,
    night: full,
    figures: async () => (await import('../faults/workers.ts')).figures(),
  }),
  cache: command({
    proves: 'Responses with a cache equal responses without one, after random writes and permission changes.',
    command: 'CACHE_STEPS=2000 vitest run --project faults test/faults/cache.test.ts',
    needs: ['postgres', 'redis'],
    night: full,
  }),
  outage: measurement({
    proves: 'The service survives stops of its database and shuts down in order.',
    options: { cycles: 10, shutdowns: 10 },
    needs: ['postgres-server', 'wrk'],
    alone: true,
    night: full,
    figures: async (options) => (await import('../measurements/outage.ts')).outage(options),
  }),
  soak: measurement({
    proves: 'Connections, handles and memory do not grow under mixed load with schema changes.',
    options: { minutes: 30 },
    needs: ['postgres'],
    alone: true,
    night: full,
    figures: async ({ minutes }) =>
      (await import('../faults/soak.ts')).soak({ minutes, every: Math.max(2, minutes), clients: 8 }),
  }),
}
