// node scripts/gate/test.ts <folder> <projects> [filters]: runs tests and writes vitest.json and tests.json into the folder.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { DearestFirst } from './dearest-first.ts'
import { GateReporter } from './reporter.ts'

const [folder = '.', projects = '', ...filters] = process.argv.slice(2)
const reporter = new GateReporter()
const vitest = await startVitest('test', filters, {
  run: true,
  project: projects.split(','),
  sequence: { sequencer: DearestFirst },
  reporters: ['default', ['json', { outputFile: join(folder, 'vitest.json') }], reporter],
})
await vitest.close()
writeFileSync(join(folder, 'tests.json'), JSON.stringify(reporter.report))
