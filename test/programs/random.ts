// Random requests on random databases, compared with models that share nothing with the server.
import type { TestDialect } from '../lib/databases.ts'
import type { Protocol } from '../random/protocol.ts'
import { GATE_SECONDS, gateSeed } from '../random/cases.ts'
import { everyDialect, full, measurement, noNumber, noText, on, onEach, postgres, program } from './program.ts'

const dialect = postgres
const rest = 'rest' as Protocol

/** Options of a campaign: `failures` end it, `schema` repeats one database. */
const campaign = { seed: noNumber, seconds: 36_000, workers: 2, failures: 1, schema: noNumber }

/** In the gate the seed is fixed, and a slow machine ends a campaign by time before it ends by cases. */
const fixed = { seed: gateSeed(), seconds: GATE_SECONDS }

export const random = {
  oracle: program({
    proves:
      'Random reads of random callers are answered as the access definition says, in every protocol and encoding.',
    options: {
      ...campaign,
      cases: 100_000,
      case: noNumber,
      plain: false,
      quick: false,
      through: 'both' as const,
      dialect,
    },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    // Each read is sent in both protocols, and many a second time with other operands.
    gate: onEach(everyDialect, { ...fixed, seconds: GATE_SECONDS * 2, cases: 2000 }),
    night: full,
    run: async (options) => (await import('./campaigns.ts')).oracle(options),
  }),
  'oracle-writes': program({
    proves: 'Random writes of random callers change the rows that the access definition allows, and no others.',
    options: { ...campaign, sequences: 20_000, sequence: noNumber, quick: false, dialect },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    gate: onEach(everyDialect, { ...fixed, seconds: GATE_SECONDS * 1.5, sequences: 500 }),
    night: full,
    run: async (options) => (await import('./campaigns.ts')).oracleWrites(options),
  }),
  'non-interference': program({
    proves: 'Databases that differ only in rows and fields hidden from the caller give the same responses.',
    options: { ...campaign, reads: 5000, through: rest },
    needs: ['postgres'],
    gate: [{ ...fixed, reads: 250 }],
    night: full,
    run: async (options) => (await import('./campaigns.ts')).nonInterference(options),
  }),
  'non-interference-graphql': program({
    proves: 'Databases that differ only in rows and fields hidden from the caller give the same GraphQL responses.',
    options: { ...campaign, reads: 5000 },
    needs: ['postgres'],
    gate: [{ ...fixed, reads: 250 }],
    night: full,
    run: async (options) => (await import('./campaigns.ts')).nonInterference({ ...options, through: 'graphql' }),
  }),
  mutants: program({
    proves: 'The random programs find each of the mistakes that are planted in the server.',
    options: { seed: 1, cases: 2000, only: noText, by: noText },
    needs: ['postgres'],
    night: full,
    run: async (options) => (await import('../random/mutants.ts')).tryMutants(options),
  }),
  'realtime-oracle': program({
    proves: 'Each subscriber receives exactly the changes that an independent model expects.',
    options: { seed: noNumber, pairs: 50_000, dialect },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    gate: onEach(everyDialect, { seed: 19, pairs: 1500 }),
    night: full,
    run: async (options) => (await import('./comparisons.ts')).realtimeOracle(options),
  }),
  'file-rights': program({
    proves: 'Random callers get the files and the content that the access definition allows.',
    options: { seed: noNumber, requests: 20_000, seconds: 36_000, failures: 5 },
    needs: ['postgres'],
    gate: [{ seed: gateSeed(), requests: 1000, seconds: GATE_SECONDS * 2, failures: 1 }],
    night: full,
    run: async (options) => (await import('./comparisons.ts')).fileRights(options),
  }),
  'file-conditions': measurement({
    proves: 'Conditional requests and ranges of files are answered as RFC 9110 says.',
    options: { requests: 20_000, seed: 1 },
    needs: ['postgres'],
    gate: [{ requests: 1500 }],
    night: full,
    figures: async ({ requests, seed }) => (await import('../files/conditions.ts')).figures(requests, seed),
  }),
  pictures: program({
    proves: 'Hostile pictures neither end the service, nor fill its memory, nor reveal its tools.',
    options: { seed: noNumber, files: 2000, bounded: on },
    gate: [{ seed: gateSeed(), files: 40, bounded: false }],
    night: full,
    run: async (options) => (await import('./comparisons.ts')).pictures(options),
  }),
  explain: program({
    proves: 'Explained permissions agree with the responses of random requests.',
    options: { seed: noNumber, pairs: 20_000, seconds: 36_000, dialect },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    gate: onEach(everyDialect, { ...fixed, pairs: 400 }),
    night: full,
    run: async (options) => (await import('./comparisons.ts')).explain(options),
  }),
  hostile: program({
    proves: 'Hostile requests neither crash the service, cause a 500, block its event loop nor fill its memory.',
    options: { seed: noNumber, requests: 50_000, only: noNumber, dialect },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    gate: onEach(everyDialect, { seed: gateSeed(), requests: 400 }),
    night: full,
    run: async (options) => (await import('./comparisons.ts')).hostile(options),
  }),
  attacks: program({
    proves: 'Every attack that once worked is refused.',
    options: { only: noText, dialect: null as TestDialect | null },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    night: full,
    run: async (options) => (await import('../attacks/repeat.ts')).repeatAttacks(options),
  }),
  'webhook-addresses': measurement({
    proves: 'No spelling of an address leads a webhook into an internal network.',
    options: { addresses: 10_000, seed: 1 },
    gate: [{ addresses: 400, seed: 7 }],
    night: full,
    figures: async ({ addresses, seed }) => (await import('../webhooks/addresses.ts')).figures(addresses, seed),
  }),
  snapshot: program({
    proves: 'Applying a schema snapshot turns any schema into any other, and changes nothing else.',
    options: { seed: noNumber, pairs: 1000, from: 0, seconds: 36_000, dialect },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    gate: [
      { seed: gateSeed(), pairs: 50, dialect },
      // Schema changes are slower on the other databases.
      ...onEach(['mysql', 'sqlite'], { ...fixed, pairs: 50 }),
    ],
    night: full,
    run: async (options) => (await import('./comparisons.ts')).snapshot(options),
  }),
  'ddl-fuzz': measurement({
    proves: 'Hostile schema calls send only the listed statements and keep schema and metadata in agreement.',
    options: { seed: noNumber, calls: 10_000, seconds: 36_000, least: 0, dialect },
    dialects: everyDialect,
    needs: ['postgres', 'mariadb'],
    gate: [
      ...onEach(['postgres', 'sqlite'], { seed: gateSeed(), calls: 1500, seconds: 30, least: 21 }),
      // Schema changes are slow where each statement commits by itself.
      { dialect: 'mysql', seed: gateSeed(), calls: 1500, seconds: 30, least: 6 },
    ],
    night: full,
    figures: async (options) => (await import('../schema/fuzz.ts')).figures(options),
  }),
  'types-random': program({
    proves: 'Responses from random databases have the types that the SDK infers.',
    options: { seed: noNumber, schemas: 30, first: 0, queries: 60 },
    needs: ['postgres', 'mariadb'],
    // One schema on each database.
    gate: [0, 1, 2].map((first) => ({ seed: 7, schemas: 1, first, queries: 25 })),
    night: full,
    run: async (options) => (await import('./comparisons.ts')).types(options),
  }),
  'openapi-random': program({
    proves: 'OpenAPI documents of random databases are valid and describe what the service does.',
    options: { seed: noNumber, schemas: 30, first: 0, requests: 60 },
    needs: ['postgres', 'mariadb'],
    // One schema on each database.
    gate: [0, 1, 2].map((first) => ({ seed: gateSeed(), schemas: 1, first, requests: 20 })),
    night: full,
    run: async (options) => (await import('./comparisons.ts')).openapi(options),
  }),
}
