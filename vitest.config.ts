import { defineConfig } from 'vitest/config'

/** What states the contract by looking at answers, and costs little: `createDatabase()` makes the database of the project. */
const stated = [
  ...[
    'auth-failures',
    'auth-login',
    'auth-mails',
    'auth-second-factor',
    'auth-sessions',
    'sockets',
    'graphql-subscriptions',
    'system-escalation',
    'system-shedding',
    'system-rights',
    'system-self',
    'system-users',
  ].map((name) => `test/service/${name}.test.ts`),
  ...['dry-runs', 'existence', 'hardening', 'hidden-values', 'sign-in', 'validations', 'writes'].map(
    (name) => `test/security/${name}.test.ts`,
  ),
]
/** The programs of the gate run on each database in a project of its own, so that they run at the same time. */
const everywhere = ['test/sdk/*.test.ts', 'test/programs/*.test.ts', ...stated]
const others = { mysql: everywhere, sqlite: everywhere }
/** What measures time or memory runs alone, after the rest. */
const measured = ['test/measurements/**/*.test.ts', 'test/service/follow.test.ts']
/** Tests of pools keep a process of their own. */
const driver = ['test/driver/**/*.test.ts']
/** Clusters whose nodes fail run alone too. */
const faults = ['test/faults/**/*.test.ts']
/** Checks of the documentation that need no service. */
const documentation = ['links', 'denials', 'packages', 'language', 'alerts', 'reference', 'compare', 'site'].map(
  (name) => `test/docs/${name}.test.ts`,
)
/** Tests that run the TypeScript compiler, for seconds of processor time each. */
const compiler = '**/*.compiler.test.ts'
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 }
/** Files share a process and its modules, so that the service is loaded once: a test that changes the process restores it. */
const shared = { isolate: false, ...timeouts }
/** Tests of the admin app, with one build of the app and one browser. */
const app = {
  globalSetup: ['test/app/setup.ts'],
  expect: { poll: { timeout: 10_000 } },
  ...timeouts,
  hookTimeout: 180_000,
}
const inBrowser = ['test/app/**/*.test.ts', 'test/examples/react-page.test.ts']
/** What a change most likely breaks. The other tests of the app run at night. */
const coreOfApp = [
  ...['browse', 'bulk', 'conflict', 'entry', 'inline-edit', 'nested-create', 'picker', 'policy'].map(
    (name) => `test/app/journeys/${name}.test.ts`,
  ),
  ...['first-load', 'odd-names', 'view-as'].map((name) => `test/app/${name}.test.ts`),
  'test/examples/react-page.test.ts',
]
/** Journeys that write: what they send differs between databases. npm run verify journeys runs all of them everywhere. */
const everyJourney = ['entry', 'browse', 'inline-edit', 'paste', 'bulk', 'nested-create', 'picker']
const written = (process.env['JOURNEYS'] === 'all' ? everyJourney : ['inline-edit']).map(
  (name) => `test/app/journeys/${name}.test.ts`,
)

export default defineConfig({
  test: {
    // Tests wait for servers and databases of their own more than they compute.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', ...documentation],
          exclude: ['**/node_modules/**', compiler],
          pool: 'forks',
          isolate: false,
          ...timeouts,
        },
      },
      { test: { name: 'compiler', include: [`{packages/*/src,scripts}/${compiler}`], ...timeouts } },
      {
        test: {
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/acceptance/**',
            ...inBrowser,
            '**/node_modules/**',
            ...documentation,
            ...measured,
            ...driver,
            ...faults,
          ],
          ...shared,
        },
      },
      {
        test: {
          name: 'measured',
          include: measured,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        test: { name: 'driver', include: driver, ...timeouts },
      },
      {
        test: { name: 'faults', include: faults, fileParallelism: false, sequence: { groupOrder: 2 }, ...timeouts },
      },
      { test: { name: 'app', include: coreOfApp, ...app, sequence: { groupOrder: 3 } } },
      {
        test: {
          name: 'app-night',
          include: inBrowser,
          exclude: [...coreOfApp, '**/node_modules/**'],
          ...app,
          sequence: { groupOrder: 3 },
        },
      },
      ...Object.keys(others).map((name, index) => ({
        test: {
          name: `app-${name}`,
          include: written,
          env: { SERVICE_DIALECT: name },
          ...app,
          sequence: { groupOrder: 4 + index },
        },
      })),
      ...Object.entries(others).map(([name, include]) => ({
        test: { name, include, env: { SERVICE_DIALECT: name }, ...timeouts },
      })),
    ],
  },
})
