// Other versions of databases, poolers and stores, and clients and documents that the whole acceptance suite is held against.
import { command, full, noNumber, noText, off, program } from './program.ts'

export const databases = {
  'postgres-versions': command({
    proves: 'The acceptance suite has the same result on PostgreSQL 13 to 18.',
    command: 'node scripts/postgres-versions.ts',
    needs: ['postgres-server', 'npm-registry'],
    night: full,
  }),
  pooler: command({
    proves: 'The acceptance suite passes through PgBouncer in transaction mode.',
    command: 'node scripts/acceptance.ts --pooler',
    needs: ['postgres-server', 'pgbouncer'],
    night: full,
  }),
  swift: command({
    proves: 'Files are stored in OpenStack Swift through its S3 interface.',
    command: 'node test/files/swift.ts',
    needs: ['postgres', 'root', 'apt'],
    night: full,
  }),
  corpus: program({
    proves: 'Everything that is served from real databases is what plain SQL returns.',
    options: {
      only: noText,
      check: noText,
      seed: noNumber,
      serve: noText,
      twice: off,
    },
    needs: ['postgres', 'mariadb'],
    night: full,
    run: async (options) => (await import('../corpus/compare.ts')).compareCorpus(options),
  }),
  'openapi-responses': command({
    proves: 'Every response of the acceptance suite fits the OpenAPI document of its caller.',
    command: 'node test/openapi/run.ts',
    needs: ['postgres'],
    night: full,
  }),
  'directus-sdk': command({
    proves: 'The unmodified @directus/sdk works in its two newest major versions.',
    command: 'node test/directus-sdk/run.ts',
    needs: ['postgres'],
    night: full,
  }),
}
