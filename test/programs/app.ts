// The admin app in a browser.
import { command, everyDialect, full, measurement, onEach, postgres } from './program.ts'

export const app = {
  'app-dialects': command({
    proves: 'Journeys that write pass on MariaDB and SQLite.',
    command: 'vitest run --project app-mysql --project app-sqlite',
    needs: ['mariadb', 'chromium'],
    night: full,
  }),
  journeys: command({
    proves: 'Every journey passes on every database.',
    command: 'JOURNEYS=all vitest run --project app --project app-night --project app-mysql --project app-sqlite',
    needs: ['postgres', 'mariadb', 'chromium'],
    night: full,
  }),
  states: command({
    proves: 'Every state of lists and forms is accessible; pictures of them are written.',
    command: 'APP_PICTURES=${APP_PICTURES:-pictures} vitest run --project app-night test/app/states.test.ts',
    needs: ['postgres', 'chromium'],
    night: full,
  }),
  app: measurement({
    proves: 'The app loads, scrolls a million rows and opens among 5,000 tables within its budgets.',
    options: {},
    needs: ['postgres', 'chromium'],
    alone: true,
    night: full,
    figures: async () => (await import('../app/budgets.ts')).budgets(),
  }),
  'app-start': measurement({
    proves: 'The first requests of the app stay small among 5,000 tables.',
    options: { dialect: postgres, tables: 5000, repeats: 9 },
    dialects: everyDialect,
    needs: ['postgres'],
    alone: true,
    night: [{}, ...onEach(['mysql', 'sqlite'], { tables: 200, repeats: 3 })],
    figures: async (options) => (await import('../measurements/app-start.ts')).appStart(options),
  }),
}
