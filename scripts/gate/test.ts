// node scripts/gate/test.ts <report> <projects> [filters]: runs tests and writes <report>.tests.json and <report>.vitest.json.
import { writeFileSync } from 'node:fs'
import { startVitest } from 'vitest/node'
import { DearestFirst } from './dearest-first.ts'
import { GateReporter } from './reporter.ts'

const [report = 'gate', projects = '', ...filters] = process.argv.slice(2)
const reporter = new GateReporter()
const vitest = await startVitest('test', filters, {
  run: true,
  project: projects.split(','),
  sequence: { sequencer: DearestFirst },
  reporters: ['default', ['json', { outputFile: `${report}.vitest.json` }], reporter],
})
await vitest.close()
writeFileSync(`${report}.tests.json`, JSON.stringify(reporter.report))
