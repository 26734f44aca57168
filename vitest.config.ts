import { defineConfig } from 'vitest/config'
import { MEASURED } from './test/measured.ts'

/** What the other databases answer is compared by the same programs that PostgreSQL's is. */
const random = ['property', 'model', 'differential'].map((name) => `test/${name}/${name}.test.ts`)
const oracle = ['oracle', 'writes'].map((name) => `test/oracle/${name}.test.ts`)
const structures = ['test/snapshot/pairs.test.ts', 'test/schema/fuzz.test.ts']
/** What states the contract by looking at answers, and costs little: `createDatabase()` makes the database of the project. */
const stated = [
  ...['auth-login', 'auth-sessions', 'system-escalation', 'system-rights', 'system-self', 'system-users'].map(
    (name) => `test/service/${name}.test.ts`,
  ),
  ...['existence', 'hidden-values', 'sign-in', 'writes'].map((name) => `test/security/${name}.test.ts`),
]
const everywhere = [...random, ...oracle, ...structures, ...stated]
const others = { mysql: everywhere, sqlite: everywhere }
/** What measures time or memory all along runs alone, after the rest. */
const measured = ['test/proofs/**/*.test.ts', 'test/driver/**/*.test.ts', 'test/service/follow.test.ts']
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    // Tests wait for servers and databases of their own more than they compute.
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'] } },
      {
        test: {
          name: 'database',
          include: ['test/**/*.test.ts'],
          exclude: ['test/acceptance/**', '**/node_modules/**', ...measured],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'measured',
          include: measured,
          fileParallelism: false,
          ...MEASURED,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      ...Object.entries(others).map(([name, include]) => ({
        test: { name, include, env: { PROPERTY_DIALECT: name, SERVICE_DIALECT: name }, ...timeouts },
      })),
    ],
  },
})
