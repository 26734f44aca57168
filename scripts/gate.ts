// npm run gate [-- check test] [-- --update-cost]
// Runs all stages of the gate, or those that are named; the last line counts tests and checks: "N passed, N failed".
// CI_BENCH=1 adds the benchmark, CI_REPORTS names a folder for the reports of the tests. --update-cost writes what the run
// took to test/cost.json, which later runs are compared with.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costLines, countOf, failureLines, keyOf, type Cost, type SuiteResult } from './gate/report.ts'
import type { FileReport, TestReport } from './gate/reporter.ts'
import { runStage, stopStages, type StageResult } from './gate/stage.ts'

const top = join(import.meta.dirname, '..')
const costFile = join(top, 'test/cost.json')
const work = mkdtempSync(join(tmpdir(), 'tain-gate-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopStages()
    process.exit(1)
  })

/** Projects of tests, by stage. Clusters, measurements, and the app on further databases run at night. */
const projects = {
  unit: ['unit', 'compiler'],
  test: ['database', 'driver', 'mysql', 'sqlite'],
  browser: ['app'],
} as const
const testCommand = (stage: keyof typeof projects) => [
  process.execPath,
  join(top, 'scripts/gate/test.ts'),
  join(work, stage),
  projects[stage].join(','),
]

const npm = (...args: readonly string[]) => ['npm', 'run', '--silent', ...args]
const suite = (name: string, ...args: readonly string[]) =>
  npm('acceptance', '--', '--summary', join(work, `${name}.json`), ...args)

/** What a stage does, by its name. */
const commands: Readonly<Record<string, readonly string[]>> = {
  check: npm('check'),
  spelling: npm('docs:spelling'),
  unit: testCommand('unit'),
  build: npm('build'),
  package: npm('verify', 'package'),
  test: testCommand('test'),
  browser: testCommand('browser'),
  acceptance: suite('acceptance'),
  'acceptance-sqlite': suite('acceptance-sqlite', '--dialect', 'sqlite'),
  'acceptance-mysql': suite('acceptance-mysql', '--dialect', 'mysql'),
  ...(process.env['CI_BENCH'] ? { bench: npm('bench') } : {}),
}

/** Stages in their order. The acceptance suites wait more than they compute, so two of them run at a time. */
const groups = [['acceptance', 'acceptance-sqlite'], ['acceptance-mysql']]
const order = Object.keys(commands).flatMap((name) => {
  const group = groups.find((each) => each.includes(name))
  return group === undefined ? [[name]] : group[0] === name ? [group] : []
})

/** Tests start the program as the build of this run publishes it, which loads a few files instead of hundreds. */
function environmentOf(name: string): NodeJS.ProcessEnv {
  const server = join(top, 'packages/server')
  const startsPrograms = name in projects || name === 'bench' || name.startsWith('acceptance')
  const isBuilt = results.some((result) => result.name === 'build') && existsSync(join(server, 'dist/main.js'))
  if (!startsPrograms || !isBuilt) return process.env
  const program = join(work, 'program')
  if (!existsSync(program)) {
    mkdirSync(program)
    for (const each of ['bin', 'dist', 'testing', 'package.json'])
      cpSync(join(server, each), join(program, each), { recursive: true })
    symlinkSync(join(top, 'node_modules'), join(work, 'node_modules'))
  }
  return { ...process.env, SERVICE_PROGRAM: join(program, 'bin/tain.js') }
}

function readReport(name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(work, name), 'utf8'))
  } catch {
    return undefined
  }
}

function keepReports(): void {
  const folder = process.env['CI_REPORTS']
  if (!folder) return
  for (const name of readdirSync(work).filter((each) => each.endsWith('.json')))
    cpSync(join(work, name), join(folder, name))
}

function finish(results: readonly StageResult[], isUpdate: boolean): boolean {
  const reports = Object.keys(projects).flatMap((name): [string, TestReport][] => {
    const report = readReport(`${name}.tests.json`) as TestReport | undefined
    return report === undefined ? [] : [[name, report]]
  })
  const files = reports.flatMap(([, report]) => report.files)
  const suites = groups.flat().flatMap((name): [string, SuiteResult][] => {
    const summary = readReport(`${name}.json`) as SuiteResult | undefined
    return summary === undefined ? [] : [[name, summary]]
  })
  keepReports()
  const expected = JSON.parse(readFileSync(costFile, 'utf8')) as Cost
  for (const line of costLines(results, files, expected)) console.log(line)
  for (const [, report] of reports) for (const line of failureLines(report)) console.log(line)
  const failed = results.filter(({ isOk }) => !isOk)
  if (failed.length > 0) console.log(`failed: ${failed.map(({ name }) => name).join(' ')}`)
  if (isUpdate) updateCost(results, files, expected)
  const count = countOf(results, new Map<string, SuiteResult>([...reports, ...suites]))
  // A run of single stages may have no tests.
  const isEmpty = count.passed === 0 && results.some(({ name }) => name in projects || groups.flat().includes(name))
  if (isEmpty) console.log('no test passed')
  console.log(`${count.passed} passed, ${count.failed} failed`)
  return count.failed === 0 && !isEmpty
}

function updateCost(results: readonly StageResult[], files: readonly FileReport[], expected: Cost): void {
  const stages = Object.fromEntries(results.map(({ name, cpu }) => [name, Math.round(cpu)]))
  const dear = files.filter(({ cpu }) => cpu >= 5).toSorted((a, b) => b.cpu - a.cpu)
  const cost: Cost = {
    stages: { ...expected.stages, ...stages },
    files:
      files.length === 0 ? expected.files : Object.fromEntries(dear.map((each) => [keyOf(each), Math.round(each.cpu)])),
  }
  writeFileSync(costFile, `${JSON.stringify(cost, null, 2)}\n`)
}

const results: StageResult[] = []
const args = process.argv.slice(2)
const wanted = args.filter((arg) => !arg.startsWith('--'))
const unknown = wanted.filter((name) => !(name in commands))
if (unknown.length > 0)
  throw new Error(`there is no stage ${unknown.join(', ')}; there are ${Object.keys(commands).join(', ')}`)

for (const group of order) {
  const names = group.filter((name) => wanted.length === 0 || wanted.includes(name))
  const run = (name: string) =>
    runStage(name, commands[name] ?? [], { cwd: top, env: environmentOf(name), isAlone: names.length === 1 })
  results.push(...(await Promise.all(names.map(run))))
}
process.exitCode = finish(results, args.includes('--update-cost')) ? 0 : 1
