// npm run verify:rolling-upgrade
// Replicas of the last commit with fewer service tables and of this one work on one database, and replace one another
// behind HAProxy under load.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withDatabase } from '../lib/databases.ts'
import { prove, type Figure } from '../measurements/service.ts'
import { dataOf, startService, type Environment, type Service } from '../lib/service.ts'
import { figuresOf, goods, rollingRestart } from './rolling-restart.ts'

const top = join(import.meta.dirname, '../..')
const TABLES = 'packages/server/src/sql/dialects/postgres/service-tables.ts'

const git = (...words: string[]): string => execFileSync('git', words, { cwd: top, encoding: 'utf8' }).trim()

/** The commit before the newest one that added a table of the service. */
const lastBefore = (): string => `${git('log', '-1', '--format=%H', '-Gcreate table|create\\(', '--', TABLES)}^`

interface OldBuild {
  readonly program: string
  readonly remove: () => void
}

/** All packages of this checkout, except the workspace's own: those are the old ones. */
function linkDependencies(checkout: string): void {
  const target = join(checkout, 'node_modules')
  mkdirSync(join(target, '@tain'), { recursive: true })
  for (const name of readdirSync(join(top, 'node_modules')))
    if (name !== '@tain' && name !== 'tain') symlinkSync(join(top, 'node_modules', name), join(target, name))
  for (const name of readdirSync(join(top, 'node_modules/@tain')))
    symlinkSync(join(checkout, 'packages', name), join(target, '@tain', name))
}

/** A checkout of the commit, with the same dependencies. */
function buildOf(commit: string): OldBuild {
  const folder = mkdtempSync(join(tmpdir(), 'tain-old-'))
  const checkout = join(folder, 'tain')
  git('worktree', 'add', '--quiet', '--detach', '--force', checkout, commit)
  linkDependencies(checkout)
  return {
    program: join(checkout, 'packages/server/bin/tain.js'),
    remove() {
      git('worktree', 'remove', '--force', checkout)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** What one replica writes or changes, and what the other one then serves. */
async function crossing(writer: Service, reader: Service, key: number): Promise<readonly string[]> {
  const problems: string[] = []
  const check = async (what: string, work: () => Promise<boolean>) => {
    const isFine = await work().catch((error: unknown) => (problems.push(`${what}: ${String(error)}`), true))
    if (!isFine) problems.push(what)
  }
  const field = `note_${key}`
  await check(
    'create',
    async () => (await writer.send('POST', '/items/goods', { id: key, name: 'new' })).status === 200,
  )
  await check('read', async () => (dataOf(await reader.get(`/items/goods/${key}`)) as { name: string }).name === 'new')
  await check('update', async () => (await reader.send('PATCH', `/items/goods/${key}`, { name: 'x' })).status === 200)
  await check(
    'read back',
    async () => (dataOf(await writer.get(`/items/goods/${key}`)) as { name: string }).name === 'x',
  )
  await check('new field', async () => {
    const { status } = await writer.send('POST', '/fields/goods', { field, type: 'string' })
    return status === 200
  })
  await check('field elsewhere', async () => (await reader.get(`/items/goods/${key}?fields=${field}`)).status === 200)
  await check('policy', async () => {
    const made = await writer.send('POST', '/policies', { name: field })
    const { id } = dataOf(made) as { id: string }
    return (await reader.get(`/policies/${id}`)).status === 200
  })
  await check('delete', async () => (await reader.send('DELETE', `/items/goods/${key}`)).status === 204)
  await check('gone', async () => (await writer.get(`/items/goods/${key}`)).status === 403)
  return problems
}

const together = (old: OldBuild): Promise<readonly string[]> =>
  withDatabase(async ({ url, query }) => {
    await query(goods)
    const environment: Environment = { DATABASE_URL: url, LOG_LEVEL: 'error' }
    const before = await startService(environment, old.program)
    const after = await startService(environment)
    try {
      return [...(await crossing(before, after, 1001)), ...(await crossing(after, before, 1002))]
    } finally {
      await Promise.all([before.stop(), after.stop()])
    }
  }, 'postgres')

async function figures(): Promise<Figure[]> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, rate: { type: 'string' } } })
  const commit = git('rev-parse', values.from ?? lastBefore())
  console.log(`from ${git('log', '-1', '--format=%h %s', commit)}`)
  const old = buildOf(commit)
  try {
    const problems = await together(old)
    for (const problem of problems) console.log(problem)
    const result = await rollingRestart({
      rounds: 1,
      rate: Number(values.rate ?? 300),
      startFirst: (_, environment) => startService(environment, old.program),
    })
    return [
      { what: 'old and new together: what failed of 18 steps', value: problems.length, unit: '', bound: { atMost: 0 } },
      ...figuresOf('rolling upgrade', result),
    ]
  } finally {
    old.remove()
  }
}

if (import.meta.main) await prove('verify:rolling-upgrade', figures)
