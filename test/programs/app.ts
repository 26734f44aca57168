// The admin app in a browser.
import { command, full } from './program.ts'

export const app = {
  'app-dialects': command({
    proves: 'Journeys that write pass on MariaDB and SQLite.',
    command: 'vitest run --project app-mysql --project app-sqlite',
    needs: ['mariadb', 'chromium'],
    night: full,
  }),
  journeys: command({
    proves: 'Every journey passes on every database.',
    command: 'JOURNEYS=all vitest run --project app --project app-mysql --project app-sqlite',
    needs: ['postgres', 'mariadb', 'chromium'],
    night: full,
  }),
  states: command({
    proves: 'Every state of lists and forms is accessible; pictures of them are written.',
    command: 'APP_PICTURES=${APP_PICTURES:-pictures} vitest run --project app test/app/states.test.ts',
    needs: ['postgres', 'chromium'],
    night: full,
  }),
  app: command({
    proves: 'The app loads, scrolls a million rows and opens among 5,000 tables within its budgets.',
    command: 'node test/app/budgets.ts',
    needs: ['postgres', 'chromium'],
    alone: true,
    night: full,
  }),
  'app-start': command({
    proves: 'The first requests of the app stay small among 5,000 tables.',
    command: 'node test/measurements/app-start.ts',
    needs: ['postgres'],
    alone: true,
    night: full,
  }),
}
