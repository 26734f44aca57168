// npm run acceptance [-- items,fields] [-- --update | --init] [-- --summary <file>] [-- --dialect sqlite|mysql | --pooler]
// Runs test/acceptance on a fresh database and compares the result with test/acceptance-waiting.json.
// On databases other than PostgreSQL it runs only the areas about serving data, and also uses
// test/acceptance-dialects.json. With --pooler (npm run verify:pooler) the service reaches the database through PgBouncer in
// transaction mode, while the suite looks into it directly.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, matchesGlob } from 'node:path'
import { parseArgs } from 'node:util'
import { isTestDialect, withDatabase as withTestDatabase, type TestDialect } from '../test/databases.ts'
import { startPgbouncer } from '../test/pgbouncer.ts'
import { freePort } from '../test/property/free-port.ts'
import { interruption, serviceProgram, top, withDatabase } from './throwaway.ts'
import { compare, updated } from './waiting-list.ts'
import type { CheckResult, Comparison, WaitingRow } from './waiting-list.ts'

const suite = join(top, 'test/acceptance')
const waitingFile = join(top, 'test/acceptance-waiting.json')
const dialectsFile = join(top, 'test/acceptance-dialects.json')
const hook = join(top, 'test/acceptance-dialects/hook.ts')
const keptFolder = join(top, '.acceptance')
const serviceLog = join(keptFolder, 'service.log')
const SHOWN_FAILURES = 40
const SHOWN_WARNINGS = 20

/** Settings for the translated database access of the suite: the schema that contains the service's tables. */
interface OtherDatabase {
  readonly systemSchema: (name: string) => string
}

const AREAS = 'items,relational-writes,graphql,fields,schema'

const others: Readonly<Record<Exclude<TestDialect, 'postgres'>, OtherDatabase>> = {
  sqlite: { systemSchema: () => 'main' },
  mysql: { systemSchema: (name) => name },
}

interface Report {
  readonly summary: Readonly<Record<string, number>>
  readonly results: readonly CheckResult[]
}

interface Run {
  readonly report: Report | undefined
  readonly output: string
}

/** How the suite starts the service; `environment` replaces what the suite sets. */
function startOf(pidFile: string, environment: Readonly<Record<string, string>>): string {
  const settings = Object.entries(environment).map(([name, value]) => `${name}='${value}'`)
  const command = ['env', '-u', 'NODE_OPTIONS', ...settings, `'${process.execPath}'`, `'${serviceProgram}'`, 'start']
  return `echo $$ >> '${pidFile}'; exec ${command.join(' ')} >> '${serviceLog}'`
}

async function runSuite(
  databaseUrl: string,
  only: string,
  folder: string,
  signal: AbortSignal,
  environment: Readonly<Record<string, string>> = {},
  serviceEnvironment: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const reportFile = join(folder, 'report.json')
  const pidFile = join(folder, 'pids')
  const child = spawn(process.execPath, [join(suite, 'run.js')], {
    cwd: top,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      BASE_URL: `http://127.0.0.1:${await freePort()}`,
      START: startOf(pidFile, serviceEnvironment),
      RESET_DATABASE: 'true',
      REPORT: reportFile,
      ...(only === '' ? {} : { ONLY: only }),
      ...environment,
    },
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.pipe(createWriteStream(join(keptFolder, 'errors.log')))
  try {
    await once(child, 'close')
  } finally {
    if (!existsSync(reportFile)) endLeftOvers(pidFile)
  }
  const output = Buffer.concat(chunks).toString()
  writeFileSync(join(keptFolder, 'output.log'), output)
  if (!existsSync(reportFile)) return { report: undefined, output }
  copyFileSync(reportFile, join(keptFolder, 'report.json'))
  return { report: JSON.parse(readFileSync(reportFile, 'utf8')) as Report, output }
}

interface LogLine {
  readonly level: number
  readonly msg: string
}

/** Each distinct warning that the service logged, once, with its count. */
function serviceWarnings(): readonly string[] {
  if (!existsSync(serviceLog)) return []
  const lines = readFileSync(serviceLog, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => ({ line, ...(JSON.parse(line) as LogLine) }))
    .filter(({ level }) => level >= 40)
  const kinds = Map.groupBy(lines, ({ msg }) => msg)
  return [...kinds.values()].map((all) => `${all.length} x ${all[0]?.line.slice(0, 600)}`).slice(0, SHOWN_WARNINGS)
}

/** Runs the suite on a new, empty database of another kind. */
const runElsewhere = (dialect: keyof typeof others, only: string, folder: string, signal: AbortSignal): Promise<Run> =>
  withTestDatabase(({ url, name }) => {
    const environment = {
      NODE_OPTIONS: `--import=${hook}`,
      RESET_DATABASE: 'false',
      SYSTEM_SCHEMA: others[dialect].systemSchema(name),
    }
    return runSuite(url, only, folder, signal, environment)
  }, dialect)

/** Runs the suite on PostgreSQL with a pooler between the service and the database. */
async function runPooled(url: string, only: string, folder: string, signal: AbortSignal): Promise<Run> {
  const { port, pathname } = new URL(url)
  const pooler = await startPgbouncer(Number(port), pathname.slice(1), 'transaction')
  try {
    return await runSuite(url, only, folder, signal, {}, { DATABASE_URL: pooler.url, DB_PREPARED_STATEMENTS: '0' })
  } finally {
    await pooler.stop()
  }
}

/** The suite starts the service in a separate process group, which outlives an interrupted suite. */
function endLeftOvers(pidFile: string): void {
  if (!existsSync(pidFile)) return
  for (const pid of readFileSync(pidFile, 'utf8').split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
}

/** The tables at the end of the suite's output, without the failures before them and the closing line after them. */
function tablesOf(output: string): string {
  const lines = output.split('\n')
  const from = lines.findIndex((line) => /^area\s+passed/.test(line))
  if (from < 0) return ''
  return lines
    .slice(from)
    .filter((line) => !/^\d+ passed, \d+ failed/.test(line))
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
}

/** Files that differ from the suite's original, if the original lies next to the project. */
function suiteDifferences(): readonly string[] {
  const original = join(top, '../shared/acceptance')
  if (!existsSync(original)) return []
  const names = new Set([...filesOf(original), ...filesOf(suite)])
  const textOf = (folder: string, name: string): string | undefined =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined
  return [...names].filter((name) => textOf(original, name) !== textOf(suite, name)).sort()
}

function filesOf(folder: string): readonly string[] {
  const ignored = readFileSync(join(top, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/\/$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isIgnored = (path: string): boolean =>
    path.split('/').some((part) => ignored.some((pattern) => matchesGlob(part, pattern)))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !isIgnored(path) && statSync(join(folder, path)).isFile(),
  )
}

function printProblems(
  { unexpected, outdated, complete }: Comparison,
  differences: readonly string[],
  isOther: boolean,
): void {
  for (const { area, sentence, message } of unexpected.slice(0, SHOWN_FAILURES)) {
    console.error(`FAILED ${area} » ${sentence}\n       ${message ?? ''}`)
  }
  if (unexpected.length > SHOWN_FAILURES) {
    console.error(`… and ${unexpected.length - SHOWN_FAILURES} more, all in .acceptance/report.json`)
  }
  for (const { area, check = 'the whole area' } of outdated) console.error(`NO LONGER WAITING ${area} » ${check}`)
  for (const name of differences) console.error(`CHANGED test/acceptance/${name}`)
  if (unexpected.length > 0 && complete) {
    console.error('Checks failed that no list names: mend what broke them.')
  }
  if (outdated.length > 0) {
    console.error(
      isOther
        ? 'Some rows of test/acceptance-dialects.json, or of those that wait everywhere, are done: remove them.'
        : 'Some rows of test/acceptance-waiting.json are done: npm run acceptance -- --update removes them.',
    )
  }
  if (differences.length > 0) console.error('test/acceptance must stay as it was handed over: copy those files again.')
  if (!complete) console.error('The suite did not run to its end; .acceptance/errors.log tells what the service said.')
}

const readWaiting = (): readonly WaitingRow[] =>
  existsSync(waitingFile) ? (JSON.parse(readFileSync(waitingFile, 'utf8')) as readonly WaitingRow[]) : []

/** Checks that another database cannot pass, with the reason. */
interface Unable {
  readonly why: string
  readonly checks: readonly { readonly area: string; readonly check: string }[]
}

/** The rows that wait on PostgreSQL, if they were run, and the checks that this database cannot pass. */
function readUnable(dialect: keyof typeof others, results: readonly CheckResult[]): readonly WaitingRow[] {
  const isRun = (row: WaitingRow) =>
    results.some(({ area, sentence }) => area === row.area && (row.check === undefined || sentence === row.check))
  const lists = JSON.parse(readFileSync(dialectsFile, 'utf8')) as Record<string, readonly Unable[]>
  const rows = (lists[dialect] ?? []).flatMap(({ why, checks }) => checks.map((row) => ({ ...row, needs: why })))
  return [...readWaiting().filter(isRun), ...rows]
}

function rewriteWaiting(results: readonly CheckResult[], partial: boolean, init: boolean): Comparison {
  const comparison = compare(results, readWaiting(), partial)
  if (!comparison.complete) throw new Error('the suite did not run to its end, so the list stays as it is')
  const rows = updated(comparison, init)
  writeFileSync(waitingFile, `${JSON.stringify(rows, null, 2)}\n`)
  console.log(`${basename(waitingFile)} now has ${rows.length} rows`)
  return compare(results, rows, partial)
}

async function main(): Promise<boolean> {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      update: { type: 'boolean' },
      init: { type: 'boolean' },
      summary: { type: 'string' },
      dialect: { type: 'string', default: 'postgres' },
      pooler: { type: 'boolean', default: false },
    },
  })
  const { dialect } = options
  if (!isTestDialect(dialect)) throw new Error(`there is no database ${dialect}`)
  const isOther = dialect !== 'postgres'
  if (isOther && (options.update || options.init)) throw new Error('the list of other databases is written by hand')
  const narrowed = positionals.join(',') || (process.env.ONLY ?? '')
  const only = narrowed === '' && isOther ? AREAS : narrowed
  const partial = narrowed !== '' || (process.env.LEVEL ?? '') !== ''
  const signal = interruption()
  const folder = mkdtempSync(join(tmpdir(), 'tain-acceptance-'))
  mkdirSync(keptFolder, { recursive: true })
  rmSync(serviceLog, { force: true })
  try {
    console.log(`acceptance: running ${only || 'all checks'} …`)
    const run = isOther
      ? await runElsewhere(dialect, only, folder, signal)
      : await withDatabase('acceptance', (url) => (options.pooler ? runPooled : runSuite)(url, only, folder, signal))
    console.log(tablesOf(run.output))
    const results = run.report?.results ?? []
    const comparison =
      options.update || options.init
        ? rewriteWaiting(results, partial, options.init ?? false)
        : compare(results, isOther ? readUnable(dialect, results) : readWaiting(), partial)
    const differences = suiteDifferences()
    printProblems(comparison, differences, isOther)
    if (comparison.unexpected.length > 0) for (const line of serviceWarnings()) console.error(`SERVICE ${line}`)
    const { passed, waiting, unexpected, outdated, complete } = comparison
    const failed =
      unexpected.length + outdated.length + differences.length + (complete || unexpected.length > 0 ? 0 : 1)
    if (options.summary !== undefined) {
      writeFileSync(options.summary, JSON.stringify({ passed, failed, waiting: waiting.length }))
    }
    console.log(`${passed} checks passed, ${waiting.length} waiting rows${failed === 0 ? '' : `, ${failed} problems`}`)
    return failed === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main().then(
  (good) => (good ? 0 : 1),
  (error: unknown) => {
    console.error(`acceptance: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  },
)
