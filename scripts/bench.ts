// npm run bench [-- --only key,list --seconds 2 --min key=0.6 …]
// Runs bench/run.mjs against a service on a throwaway database with the benchmark's data. Arguments pass through.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { interruption, startService, stop, top, withDatabase } from './throwaway.ts'

const READ_WORKLOADS = ['--only', 'key,list,nested,any,aggregate']

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

async function benchmark(databaseUrl: string, args: readonly string[], signal: AbortSignal): Promise<number> {
  console.log('bench: loading the dataset …')
  const load = ['-q', '-X', '-v', 'ON_ERROR_STOP=1', '-d', databaseUrl, '-f', join(top, 'bench/dataset.sql')]
  if ((await run('psql', load, signal)) !== 0) throw new Error('the dataset could not be loaded')

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
      : [...READ_WORKLOADS, ...args]
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

async function main(args: readonly string[]): Promise<number> {
  demandTool('wrk', 'wrk')
  demandTool('psql', 'postgresql-client')
  const signal = interruption()
  return withDatabase('bench', (url) => benchmark(url, args, signal))
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`)
  return 1
})
