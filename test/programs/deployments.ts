// What users install and run, and what contributors do first.
import { command, full } from './program.ts'

export const deployments = {
  package: command({
    proves: 'The packages install in an empty folder, start, and stay within their sizes.',
    command: 'node scripts/package/verify.ts',
    needs: ['postgres', 'npm-registry'],
    gate: full,
  }),
  try: command({
    proves: '`npx tain <url>` serves an existing database in seconds and writes nothing to it.',
    command: 'node test/measurements/try.ts',
    needs: ['postgres-server', 'npm-registry'],
    alone: true,
    night: full,
  }),
  deployments: command({
    proves: 'Every documented deployment and proxy starts, is used and is restarted.',
    command: 'node test/deploy/run.ts',
    needs: ['root', 'apt', 'npm-registry', 'podman'],
    night: full,
  }),
  newcomer: command({
    proves: 'The changes of "How to add" touch exactly the files that the page lists.',
    command: 'node scripts/newcomer-changes.ts',
    needs: ['postgres', 'mariadb'],
    night: full,
  }),
}
