// Kills, failpoints and races: what is left in the database afterwards.
import { command, full } from './program.ts'

export const kills = {
  kills: command({
    proves: 'Killing the service under load leaves no partial write and loses nothing that was acknowledged.',
    command: 'node test/crash/kills.ts',
    needs: ['postgres-server'],
    night: full,
  }),
  failpoints: command({
    proves: 'A crash between any two statements of a write leaves all of it or nothing.',
    command: 'node test/crash/failpoints.ts',
    needs: ['postgres-server'],
    night: full,
  }),
  'commit-cut': command({
    proves: 'Connections that break at COMMIT lead to no duplicate and no lost row.',
    command: 'node test/crash/commit-cut.ts',
    needs: ['postgres-server'],
    night: full,
  }),
  concurrency: command({
    proves: 'Many clients that write the same rows get no deadlock, lost update or duplicate.',
    command: 'node test/concurrency/writes.ts',
    needs: ['postgres-server'],
    night: full,
  }),
  permissions: command({
    proves: 'Permissions hold while rows change owners and permissions are revoked.',
    command: 'node test/concurrency/permissions.ts',
    needs: ['postgres'],
    night: full,
  }),
  'ddl-live': command({
    proves: 'Fields are added, changed and removed under traffic without a failed request, and replicas follow.',
    command: 'node test/schema/live.ts',
    needs: ['postgres'],
    night: full,
  }),
  'ddl-failpoints': command({
    proves: 'A crash at any step of a schema change is completed or rolled back by the next start.',
    command: 'node test/crash/schema-failpoints.ts',
    needs: ['postgres-server'],
    night: full,
  }),
  'file-kills': command({
    proves: 'Whenever the service is killed, every file row has its content, and orphaned content is swept.',
    command: 'node test/files/kills.ts',
    needs: ['postgres-server'],
    night: full,
  }),
  events: command({
    proves: 'The log has every change once and in order while replicas, programs and subscribers are killed.',
    command: 'node test/events/run.ts',
    needs: ['postgres-server', 'mariadb-server'],
    night: full,
  }),
  'webhook-kills': command({
    proves: 'Killing the service loses no delivery of a webhook.',
    command: 'node test/webhooks/kills.ts',
    needs: ['postgres'],
    night: full,
  }),
}
