// npm run verify rolling-upgrade
// Replicas of two versions work on one database, and replace one another behind HAProxy under load: this version and one
// with a migration more, or with --from those of that commit and this one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withDatabase } from '../lib/databases.ts'
import type { Figure } from '../measurements/service.ts'
import { dataOf, startService, type Environment, type Service } from '../lib/service.ts'
import { figuresOf, goods, rollingRestart } from './rolling-restart.ts'

const top = join(import.meta.dirname, '../..')
const SERVICE = 'packages/server/src/sql/service'

/** What makes a later version of this one: a migration that adds a column. */
const later: readonly (readonly [file: string, before: string, after: string])[] = [
  ['tables.ts', 'fingerprint: optional(name)', 'fingerprint: optional(name), later: optional(name)'],
  [
    'migrations.ts',
    '} as const satisfies Readonly<Record<string, Migration',
    `  '9999-later': { columns: { service_watch: ['later'] } },\n} as const satisfies Readonly<Record<string, Migration`,
  ],
]

const git = (...words: string[]): string => execFileSync('git', words, { cwd: top, encoding: 'utf8' }).trim()

interface Build {
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
function buildOf(commit: string, edits: typeof later): Build {
  const folder = mkdtempSync(join(tmpdir(), 'tain-old-'))
  const checkout = join(folder, 'tain')
  git('worktree', 'add', '--quiet', '--detach', '--force', checkout, commit)
  linkDependencies(checkout)
  for (const [name, before, after] of edits) {
    const file = join(checkout, SERVICE, name)
    const text = readFileSync(file, 'utf8')
    if (!text.includes(before)) throw new Error(`${name} has no "${before}"`)
    writeFileSync(file, text.replace(before, after))
  }
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

/** Undefined: the program of this checkout. */
interface Versions {
  readonly old: string | undefined
  readonly new: string | undefined
}

const together = (programs: Versions): Promise<readonly string[]> =>
  withDatabase(async ({ url, query }) => {
    await query(goods)
    const environment: Environment = { DATABASE_URL: url, LOG_LEVEL: 'error' }
    const before = await startService(environment, programs.old)
    const after = await startService(environment, programs.new)
    try {
      return [...(await crossing(before, after, 1001)), ...(await crossing(after, before, 1002))]
    } finally {
      await Promise.all([before.stop(), after.stop()])
    }
  }, 'postgres')

/** `from`: the older version; without it, this version is the older one. */
export async function figures(from: string | null, rate: number): Promise<Figure[]> {
  const build = buildOf(git('rev-parse', from ?? 'HEAD'), from === null ? later : [])
  const programs: Versions =
    from === null ? { old: undefined, new: build.program } : { old: build.program, new: undefined }
  try {
    const problems = await together(programs)
    for (const problem of problems) console.log(problem)
    const result = await rollingRestart({
      rounds: 1,
      rate,
      startFirst: (_, environment) => startService(environment, programs.old),
      startAgain: (_, environment) => startService(environment, programs.new),
    })
    return [
      { what: 'old and new together: what failed of 18 steps', value: problems.length, unit: '', bound: { atMost: 0 } },
      ...figuresOf('rolling upgrade', result),
    ]
  } finally {
    build.remove()
  }
}
