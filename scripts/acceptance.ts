// npm run acceptance [-- items,fields] [-- --summary <file>] [-- --dialect sqlite|mysql | --pooler]
// Runs test/acceptance on a fresh database. test/acceptance-dialects.json names what a database cannot pass, and why;
// test/acceptance-waiting.json names the files of later issues, and the areas that run of files that are not finished.
// AREAS='Hold: conditions;Hold: events' runs these areas alone.
// On databases other than PostgreSQL it runs the files about serving data, and the areas listed for the database. With --pooler (npm run verify pooler) the service reaches the database through PgBouncer in
// transaction mode, while the suite looks into it directly.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, matchesGlob } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { startCluster } from '../test/lib/postgres-cluster.ts'
import { isTestDialect, withDatabase as withTestDatabase, type TestDialect } from '../test/lib/databases.ts'
import { startPgbouncer } from '../test/lib/pgbouncer.ts'
import { freePort } from '../test/lib/free-port.ts'
import { interruption, serviceProgram, top, withDatabase } from '../test/lib/throwaway.ts'
import { BROKEN, SUITE, compare } from './acceptance-results.ts'
import type { CheckResult, Comparison, UnableRow } from './acceptance-results.ts'

const suite = join(top, 'test/acceptance')
const dialectsFile = join(top, 'test/acceptance-dialects.json')
const waitingFile = join(top, 'test/acceptance-waiting.json')
const hook = join(top, 'test/acceptance-dialects/hook.ts')
const keptFolder = join(top, '.acceptance')
const serviceLog = join(keptFolder, 'service.log')
const SHOWN_FAILURES = 40
const SHOWN_WARNINGS = 20

/** Settings for the translated database access of the suite: the schema that contains the service's tables. */
interface OtherDatabase {
  readonly systemSchema: (name: string) => string
}

/** Files that run on databases other than PostgreSQL, by the start of their name. */
const SERVING = ['items', 'relational-writes', 'graphql', 'fields', 'schema']

const others: Readonly<Record<Exclude<TestDialect, 'postgres'>, OtherDatabase>> = {
  sqlite: { systemSchema: () => 'main' },
  mysql: { systemSchema: (name) => name },
}

/** The part of the suite that one start of it runs; an empty list is everything. */
interface Selection {
  readonly files: readonly string[]
  readonly areas: readonly string[]
}

interface Waiting {
  readonly files: readonly { readonly why: string; readonly names: readonly string[] }[]
  /** Files of which single areas run: the others wait. */
  readonly byArea: readonly string[]
  readonly areas: Readonly<Record<TestDialect, readonly string[]>>
}

interface Report {
  readonly summary: Readonly<Record<string, number>>
  readonly results: readonly CheckResult[]
}

/** What a run of the suite that left no report counts as. */
const notRun: CheckResult = { area: SUITE, sentence: BROKEN, outcome: 'failed' }

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
  selection: Selection,
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
      SERVICE_LOG: serviceLog,
      ONLY: selection.files.join(','),
      AREAS: selection.areas.join(';'),
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
const runElsewhere = (
  dialect: keyof typeof others,
  selection: Selection,
  folder: string,
  signal: AbortSignal,
): Promise<Run> =>
  withTestDatabase(({ url, name }) => {
    const environment = {
      NODE_OPTIONS: `--import=${hook}`,
      RESET_DATABASE: 'false',
      SYSTEM_SCHEMA: others[dialect].systemSchema(name),
    }
    return runSuite(url, selection, folder, signal, environment)
  }, dialect)

/** Slots have one name on the whole server, and this one is gone with its database. */
const heardBy = (url: string): Readonly<Record<string, string>> => ({
  EVENTS_SLOT: new URL(url).pathname.slice(1),
  EVENTS_SLOT_UNBOUNDED: 'true',
  // A check goes on in a collection that nobody has listened to before.
  EVENTS_CAPTURE: 'all',
  // Checks of tables that have just been made do not wait three seconds for each of them.
  SCHEMA_POLL_INTERVAL: '200',
})

/** Writes of other programs are heard only where the server decodes its log, which is decided when it starts. */
async function hearsOthers(): Promise<boolean> {
  const [row] = await withDatabase('look', (url) => ask(url, 'show wal_level'))
  return row?.['wal_level'] === 'logical'
}

async function ask(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Runs the suite on the PostgreSQL server that there is, or on one that decodes its log. */
async function runOnPostgres(selection: Selection, folder: string, signal: AbortSignal): Promise<Run> {
  if (await hearsOthers()) return withDatabase('acceptance', (url) => runHere(url, selection, folder, signal))
  const cluster = await startCluster({ wal_level: 'logical', max_slot_wal_keep_size: '1GB', max_connections: '200' })
  try {
    await ask(cluster.url, 'create database acceptance')
    const url = Object.assign(new URL(cluster.url), { pathname: '/acceptance' })
    return await runHere(url.href, selection, folder, signal)
  } finally {
    await cluster.destroy()
  }
}

/** Runs the suite on PostgreSQL. */
const runHere = (url: string, selection: Selection, folder: string, signal: AbortSignal): Promise<Run> =>
  runSuite(url, selection, folder, signal, {}, heardBy(url))

/** Runs the suite on PostgreSQL with a pooler between the service and the database. */
async function runPooled(url: string, selection: Selection, folder: string, signal: AbortSignal): Promise<Run> {
  const { port, pathname } = new URL(url)
  const pooler = await startPgbouncer(Number(port), pathname.slice(1), 'transaction')
  try {
    return await runSuite(url, selection, folder, signal, {}, { DATABASE_URL: pooler.url, DB_PREPARED_STATEMENTS: '0' })
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

function printProblems({ unexpected, outdated, complete }: Comparison, differences: readonly string[]): void {
  for (const { area, sentence, message } of unexpected.slice(0, SHOWN_FAILURES)) {
    console.error(`FAILED ${area} » ${sentence}\n       ${message ?? ''}`)
  }
  if (unexpected.length > SHOWN_FAILURES) {
    console.error(`… and ${unexpected.length - SHOWN_FAILURES} more, all in .acceptance/report.json`)
  }
  for (const { area, check } of outdated) console.error(`PASSES NOW ${area} » ${check}`)
  for (const name of differences) console.error(`CHANGED test/acceptance/${name}`)
  if (unexpected.length > 0 && complete) {
    console.error('Checks failed that should pass: mend what broke them.')
  }
  if (outdated.length > 0) console.error('Remove the rows of test/acceptance-dialects.json whose checks pass.')
  if (differences.length > 0) console.error('test/acceptance must stay as it was handed over: copy those files again.')
  if (!complete) console.error('The suite did not run to its end; .acceptance/errors.log tells what the service said.')
}

/** The files of the suite and the areas that no later issue has to build first. */
function selections(dialect: TestDialect): readonly Selection[] {
  const waiting = JSON.parse(readFileSync(waitingFile, 'utf8')) as Waiting
  const left = new Set([...waiting.files.flatMap(({ names }) => names), ...waiting.byArea])
  const isServed = (name: string): boolean => dialect === 'postgres' || SERVING.some((start) => name.startsWith(start))
  const files = filesOf(join(suite, 'tests'))
    .filter((path) => !path.split('/').some((part) => left.has(part.replace(/\.test\.js$/, ''))))
    .map((path) => basename(path))
    .filter(isServed)
  const areas = waiting.areas[dialect]
  return [{ files, areas: [] }, ...(areas.length === 0 ? [] : [{ files: [], areas }])]
}

/** Checks that a database cannot pass, with the reason. */
interface Unable {
  readonly why: string
  readonly checks: readonly UnableRow[]
}

function readUnable(dialect: TestDialect): readonly UnableRow[] {
  const lists = JSON.parse(readFileSync(dialectsFile, 'utf8')) as Record<TestDialect, readonly Unable[]>
  return lists[dialect].flatMap(({ checks }) => checks)
}

async function main(): Promise<boolean> {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      summary: { type: 'string' },
      dialect: { type: 'string', default: 'postgres' },
      pooler: { type: 'boolean', default: false },
    },
  })
  const { dialect } = options
  if (!isTestDialect(dialect)) throw new Error(`there is no database ${dialect}`)
  const isOther = dialect !== 'postgres'
  const narrowed = positionals.join(',') || (process.env.ONLY ?? '')
  const areas = (process.env.AREAS ?? '').split(';').filter(Boolean)
  const isWhole = narrowed === '' && areas.length === 0
  const chosen = isWhole ? selections(dialect) : [{ files: narrowed.split(',').filter(Boolean), areas }]
  const partial = !isWhole || (process.env.LEVEL ?? '') !== ''
  const signal = interruption()
  const folder = mkdtempSync(join(tmpdir(), 'tain-acceptance-'))
  mkdirSync(keptFolder, { recursive: true })
  rmSync(serviceLog, { force: true })
  try {
    const results: CheckResult[] = []
    for (const selection of chosen) {
      console.log(
        `acceptance: running ${isWhole ? selection.areas.join(', ') || 'all files' : narrowed || areas.join(', ')} …`,
      )
      const run = isOther
        ? await runElsewhere(dialect, selection, folder, signal)
        : options.pooler
          ? await withDatabase('acceptance', (url) => runPooled(url, selection, folder, signal))
          : await runOnPostgres(selection, folder, signal)
      console.log(tablesOf(run.output))
      results.push(...(run.report?.results ?? [notRun]))
    }
    const comparison = compare(results, readUnable(dialect), partial)
    const differences = suiteDifferences()
    printProblems(comparison, differences)
    if (comparison.unexpected.length > 0) for (const line of serviceWarnings()) console.error(`SERVICE ${line}`)
    const { passed, unable, unexpected, outdated, complete } = comparison
    const failed =
      unexpected.length + outdated.length + differences.length + (complete || unexpected.length > 0 ? 0 : 1)
    if (options.summary !== undefined) {
      writeFileSync(options.summary, JSON.stringify({ passed, failed }))
    }
    console.log(`${passed} checks passed, ${unable.length} cannot pass${failed === 0 ? '' : `, ${failed} problems`}`)
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
