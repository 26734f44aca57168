// `tain <url>` shows a database and leaves no trace: not in the database, not on the disk.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { readEverything } from './catalogue.ts'
import { loadFixture } from './fixture.ts'
import { copiedPackage, filesIn, launch, startRun, type Run } from './run.ts'

const PATIENCE = 180_000

const hashOf = async (file: string) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

async function mysqlContent({ query }: TestDatabase): Promise<unknown> {
  const tables = (await query(`select table_name, table_type from information_schema.tables
    where table_schema = database() order by 1`)) as [string, string][]
  const found = []
  for (const [name, kind] of tables) {
    const [made] = await query(`show create table \`${name}\``)
    found.push([name, made, kind === 'VIEW' ? null : await query(`checksum table \`${name}\` extended`)])
  }
  return found
}

/** Everything that the database holds: catalogue and rows. */
const contents: Readonly<Record<TestDialect, (database: TestDatabase) => Promise<unknown>>> = {
  postgres: readEverything,
  mysql: mysqlContent,
  sqlite: ({ name }) => hashOf(join(name, '../served.db')),
}

const writing =
  /^\W*(insert|update|delete|replace|merge|create|alter|drop|truncate|grant|revoke|comment|lock|copy|call|analyze|vacuum|reindex)\b/iu

interface Collected {
  readonly data: readonly { readonly collection: string; readonly schema: { readonly is_read_only: boolean } }[]
}

describe.each(testDialects)('tain <url> on %s', (dialect) => {
  let folder: string
  let database: TestDatabase
  let run: Run
  let before: { readonly files: readonly string[]; readonly content: unknown }
  let exitCode: number | null | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-try-'))
    for (const name of ['cwd', 'package']) await mkdir(join(folder, name))
    database = await createDatabase(dialect)
    await loadFixture(database)
    // A file that no process has open, as people have it; the connection of the test keeps the other one open.
    if (dialect === 'sqlite') await database.query(`vacuum into '${join(database.name, '../served.db')}'`)
    const url = dialect === 'sqlite' ? join(database.name, '../served.db') : database.url
    const program = await copiedPackage(join(folder, 'package'))
    before = { files: await filesIn(folder), content: await contents[dialect](database) }
    run = await startRun([url, '--port', String(await freePort())], {
      cwd: join(folder, 'cwd'),
      program,
      environment: {
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
        HOST: '0.0.0.0',
        ADMIN_TOKEN: 'token-of-the-environment',
        TAIN_STATEMENT_LOG: join(folder, '../', `${folder.split('/').at(-1)}.statements`),
      },
    })
  }, PATIENCE)

  afterAll(async () => {
    if (exitCode === undefined) await run.stop()
    await database.drop()
    await rm(folder, { recursive: true })
    await rm(`${folder}.statements`, { force: true })
  })

  test('prints what it found on standard error, and a curl line that works as printed', async () => {
    const { out, error } = run.output()
    expect(out).toBe('')
    expect(error).toMatch(/tain \d\S* · (PostgreSQL|MariaDB|SQLite) \d[^]*\d+ tables, \d+ views?, \d+ relations/u)
    expect(error).toMatch(/tables? without a primary key \(read-only\): access_log/u)
    expect(error).toContain('nothing: the session is read-only')
    const { stdout } = await promisify(execFile)('sh', ['-c', `${run.curl} --silent`])
    expect((JSON.parse(stdout) as { data: unknown[] }).data.length).toBeGreaterThan(0)
  })

  test('shows nothing without the token of this run, and listens on this machine alone', async () => {
    expect(run.origin).toMatch(/^http:\/\/127\.0\.0\.1:/u)
    expect((await run.get('/items/articles', null)).status).toBe(403)
    expect((await run.get('/items/articles', 'token-of-the-environment')).status).toBe(401)
    expect((await run.get('/items/articles')).status).toBe(200)
  })

  test('serves every table, through GraphQL too', async () => {
    const { data } = (await (await run.get('/collections')).json()) as Collected
    expect(data.length).toBeGreaterThan(15)
    for (const { collection, schema } of data) {
      expect([collection, schema.is_read_only]).toEqual([collection, true])
      const { status } = await run.get(`/items/${encodeURIComponent(collection)}?fields=*.*&limit=5&meta=*`)
      expect([collection, status]).toEqual([collection, 200])
    }
    const answer = await run.post('/graphql', { query: '{ articles(limit: 1) { id title author { name } } }' })
    expect(await answer.json()).toMatchObject({ data: { articles: [{ author: { name: expect.any(String) } }] } })
    const page = await fetch(`${run.origin}/graphql`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('GraphiQL')
  })

  test('refuses writes and says why', async () => {
    const refused = await run.post('/items/articles', { title: 'x' })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('can only be read')])
    const metadata = await run.post('/collections', { collection: 'made', schema: {} })
    expect([metadata.status, await metadata.text()]).toEqual([422, expect.stringContaining('runs read-only')])
  })

  test('ends at once, and leaves the database, the folder and the package as they were', async () => {
    exitCode = await run.stop()
    expect(exitCode).toBe(0)
    expect(await contents[dialect](database)).toEqual(before.content)
    expect(await filesIn(folder)).toEqual(before.files)
  })

  test('sends no statement that writes', async () => {
    const lines = (await readFile(`${folder}.statements`, 'utf8')).trim().split('\n')
    const texts = lines.map((line) => (JSON.parse(line) as { text: string }).text)
    expect(texts.filter((text) => writing.test(text))).toEqual([])
    expect(texts.filter((text) => /\bselect\b/iu.test(text)).length).toBeGreaterThan(20)
  })
})

describe('the words of tain <url>', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-try-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const refused = async (...args: string[]) => {
    const { child, texts, closed } = launch(args, { cwd: folder })
    await closed
    return [child.exitCode, texts.error.trimEnd()]
  }

  test(
    'a file that does not exist, and settings that the run decides, are refused in one line',
    async () => {
      expect(await refused('missing.db')).toEqual([2, 'There is no file missing.db.'])
      expect(await refused('sqlite:missing.db', '--host', '0.0.0.0')).toEqual([
        2,
        'This command decides HOST by itself. "tain start" serves with your own settings.',
      ])
      expect(await refused('sqlite:missing.db')).toEqual([1, expect.stringContaining('cannot be opened as a database')])
      expect(await filesIn(folder)).toEqual([])
    },
    PATIENCE,
  )

  test(
    'a port that is taken by default is replaced by the next free one, and the run says so',
    async () => {
      const holder = createServer()
      await new Promise((resolve) => {
        // Another program may hold it already, which is as good.
        holder.once('error', resolve).listen(8055, '127.0.0.1', () => resolve(null))
      })
      const file = join(folder, 'shop.db')
      const { closed } = launch(['demo', '--out', file, '--rows', '500'], { cwd: folder })
      await closed
      const run = await startRun([file], { cwd: folder })
      expect(run.output().error).toMatch(/Port 8055 is taken by another program; this run uses 80\d\d\./u)
      expect((await run.get('/items/order_totals?limit=1')).status).toBe(200)
      expect(await run.stop()).toBe(0)
      holder.close()
    },
    PATIENCE,
  )
})
