// Kills, failpoints and races: what is left in the database afterwards.
import type { PostgresProtocol } from '../../packages/server/src/sql/database.ts'
import { everyDialect, full, measurement, noNumber, off, on, onEach, postgres } from './program.ts'

const killed = 'postgres' as 'postgres' | 'sqlite'
const changed = 'postgres' as 'postgres' | 'mysql'
const direct = 'direct' as PostgresProtocol

export const kills = {
  kills: measurement({
    proves: 'Killing the service under load leaves no partial write and loses nothing that was acknowledged.',
    options: { kills: 300, dialect: killed },
    dialects: ['postgres', 'sqlite'],
    needs: ['postgres-server'],
    gate: [
      { dialect: 'postgres', kills: 10 },
      { dialect: 'sqlite', kills: 5 },
    ],
    night: full,
    figures: async ({ kills, dialect }) => (await import('../crash/kills.ts')).figures(kills, dialect),
  }),
  failpoints: measurement({
    proves: 'A crash between any two statements of a write leaves all of it or nothing.',
    options: { everyHit: on },
    needs: ['postgres-server'],
    gate: [{ everyHit: false }],
    night: full,
    figures: async (options) => (await import('../crash/failpoints.ts')).figures(options.everyHit),
  }),
  'commit-cut': measurement({
    proves: 'Connections that break at COMMIT lead to no duplicate and no lost row.',
    options: { cuts: 300, blackholes: 4, protocol: direct },
    needs: ['postgres-server'],
    gate: [
      { cuts: 30, blackholes: 1, protocol: 'direct' },
      { cuts: 30, blackholes: 1, protocol: 'driver' },
    ],
    night: full,
    figures: async (options) => (await import('../crash/commit-cut.ts')).figures(options),
  }),
  concurrency: measurement({
    proves: 'Many clients that write the same rows get no deadlock, lost update or duplicate.',
    options: { updates: 1000, versions: 200, keys: 200, upserts: 200, interleavings: 1000 },
    needs: ['postgres-server'],
    gate: [{ updates: 100, versions: 30, keys: 30, upserts: 15, interleavings: 50 }],
    night: full,
    figures: async (options) => (await import('../concurrency/writes.ts')).figures(options),
  }),
  permissions: measurement({
    proves: 'Permissions hold while rows change owners and permissions are revoked.',
    options: { handOvers: 1000, revocations: 200 },
    needs: ['postgres'],
    gate: [{ handOvers: 60, revocations: 24 }],
    night: full,
    figures: async (options) => (await import('../concurrency/permissions.ts')).figures(options),
  }),
  'ddl-live': measurement({
    proves: 'Fields are added, changed and removed under traffic without a failed request, and replicas follow.',
    options: { fields: 100, rate: 200, late: off, limit: 0 },
    needs: ['postgres'],
    // The machine may be busy with other tests.
    gate: [false, true].map((late) => ({ fields: 8, rate: 40, late, limit: 5000 })),
    night: [{ late: false }, { late: true }],
    figures: async (options) => (await import('../schema/live.ts')).figures(options),
  }),
  'ddl-failpoints': measurement({
    proves: 'A crash at any step of a schema change is completed or rolled back by the next start.',
    options: { everyHit: on, dialect: changed },
    dialects: ['postgres', 'mysql'],
    cost: { gate: 128 },
    needs: ['postgres-server', 'mariadb'],
    gate: [{ everyHit: false }],
    night: onEach(['postgres', 'mysql'], {}),
    figures: async ({ dialect, ...options }) =>
      (await import('../crash/schema-failpoints.ts')).figures(dialect, options.everyHit),
  }),
  'file-kills': measurement({
    proves: 'Whenever the service is killed, every file row has its content, and orphaned content is swept.',
    options: { kills: 300, everyHit: on },
    cost: { gate: 52 },
    needs: ['postgres-server'],
    gate: [{ kills: 3, everyHit: false }],
    night: full,
    figures: async ({ kills, ...options }) => (await import('../files/kills.ts')).figures(kills, options.everyHit),
  }),
  events: measurement({
    proves: 'The log has every change once and in order while replicas, programs and subscribers are killed.',
    options: {
      seed: noNumber,
      // A tenth of what is asked for changes no row, because another writer has removed it.
      changes: 1_100_000,
      seconds: 3600,
      kill: 1500,
      batch: 40,
      dialect: postgres,
    },
    dialects: everyDialect,
    cost: { gate: 15 },
    needs: ['postgres-server', 'mariadb-server'],
    gate: onEach(everyDialect, { seed: 19, changes: 1_000_000, seconds: 12, batch: 20 }),
    night: [{ dialect: 'postgres' }, { dialect: 'mysql', changes: 225_000 }, { dialect: 'sqlite', changes: 225_000 }],
    figures: async (options) => (await import('../events/figures.ts')).figures(options),
  }),
  'webhook-kills': measurement({
    proves: 'Killing the service loses no delivery of a webhook.',
    options: { kills: 20, dialect: postgres },
    dialects: everyDialect,
    needs: ['postgres'],
    night: full,
    figures: async ({ kills, dialect }) => (await import('../webhooks/kills.ts')).figures(kills, dialect),
  }),
}
