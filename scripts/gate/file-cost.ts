// The gate's reporter has this run before every file of tests: its cost goes to the reporter with the results.
import { afterAll } from 'vitest'
import { spentSeconds } from './cpu-time.ts'

const before = spentSeconds()

// The first hook that is registered is the last one to run.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a hook needs
afterAll(({}, { file }) => {
  Object.assign(file.meta, { cpu: spentSeconds() - before })
})
