// npm run bench [-- --dialect sqlite|mysql] [-- --only key,list --seconds 2 --min key=0.6 …]
// Runs bench/run.mjs against a service on a throwaway database with the benchmark's data. Arguments pass through.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { isTestDialect, withDatabase as withTestDatabase, type TestDialect } from '../test/lib/databases.ts'
import { interruption, startService, stop, top, withDatabase } from '../test/lib/throwaway.ts'

/** The default workloads; SQLite and MySQL have fewer hand-written counterparts. */
const READ_WORKLOADS: Readonly<Record<TestDialect, string>> = {
  postgres: 'key,list,nested,rules,any,aggregate',
  sqlite: 'key,list,nested',
  mysql: 'key,list,nested',
}

function demandTool(name: string, debianPackage: string): void {
  if (spawnSync('which', [name]).status === 0) return
  throw new Error(`the benchmark needs ${name}, which is not installed (Debian: apt-get install ${debianPackage})`)
}

async function run(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(command, args, { cwd: top, signal, stdio: 'inherit', env: { ...process.env, ...environment } })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

async function load(dialect: TestDialect, databaseUrl: string, signal: AbortSignal): Promise<void> {
  console.log('bench: loading the dataset …')
  const script = ['-q', '-X', '-v', 'ON_ERROR_STOP=1', '-d', databaseUrl, '-f', join(top, 'bench/dataset.sql')]
  const code =
    dialect === 'postgres'
      ? await run('psql', script, signal)
      : await run(process.execPath, [join(top, 'bench/dataset.mjs')], signal, { DATABASE_URL: databaseUrl })
  if (code !== 0) throw new Error('the dataset could not be loaded')
}

async function benchmark(
  dialect: TestDialect,
  databaseUrl: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  await load(dialect, databaseUrl, signal)

  const token = randomBytes(16).toString('hex')
  mkdirSync(join(top, '.bench'), { recursive: true })
  const service = await startService(
    {
      DATABASE_URL: databaseUrl,
      DB_POOL_MAX: '10',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      ADMIN_TOKEN: token,
      SECRET: randomBytes(32).toString('hex'),
    },
    openSync(join(top, '.bench/service.log'), 'w'),
    signal,
  )
  try {
    const chosen = args.some((arg) => arg === '--only' || arg.startsWith('--only='))
      ? args
      : ['--only', READ_WORKLOADS[dialect], ...args]
    return await run(process.execPath, [join(top, 'bench/run.mjs'), ...chosen], signal, {
      DATABASE_URL: databaseUrl,
      TAIN_URL: service.url,
      TAIN_TOKEN: token,
      TAIN_PID: String(service.process.pid),
    })
  } finally {
    await stop(service.process)
  }
}

/** Separates the `--dialect` option from the arguments that pass through. */
function chosenDialect(args: readonly string[]): { readonly dialect: TestDialect; readonly others: readonly string[] } {
  const at = args.indexOf('--dialect')
  if (at < 0) return { dialect: 'postgres', others: args }
  const dialect = args[at + 1] ?? ''
  if (!isTestDialect(dialect)) throw new Error(`there is no database ${dialect}`)
  return { dialect, others: args.toSpliced(at, 2) }
}

async function main(args: readonly string[]): Promise<number> {
  const { dialect, others } = chosenDialect(args)
  demandTool('wrk', 'wrk')
  const signal = interruption()
  if (dialect !== 'postgres') return withTestDatabase(({ url }) => benchmark(dialect, url, others, signal), dialect)
  demandTool('psql', 'postgresql-client')
  return withDatabase('bench', (url) => benchmark(dialect, url, others, signal))
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`)
  return 1
})
