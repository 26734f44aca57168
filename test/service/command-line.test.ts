// The first commands that a newcomer types, correct or not.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linesOf, runCommand } from '../lib/command.ts'
import { PROGRAM } from '../lib/program.ts'
import { mysqlServerUrl, serverUrl, testDialects, withDatabase, type TestDatabase } from '../lib/databases.ts'

const tain = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runCommand(args, { environment })

describe('help and version', () => {
  test.each([['--help'], ['-h'], ['help']])('tain %s prints the commands to standard output', async (word) => {
    const { code, out, error } = await tain([word])
    expect([code, error]).toEqual([0, ''])
    expect(out).toMatch(/tain start[^]*tain schema snapshot[^]*tain version/u)
  })

  test('tain start --help lists every option with its default', async () => {
    const { code, out } = await tain(['start', '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/--database-url +\S[^]*--port +port to listen on \(8055\)/u)
  })

  test.each([['version'], ['--version'], ['-v']])('tain %s prints the version alone', async (word) => {
    expect(await tain([word])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/u), error: '' })
  })

  test('an unknown command is named with the nearest one, in one line', async () => {
    const { code, error } = await tain(['shema'])
    expect(code).toBe(2)
    expect(linesOf(error)).toEqual([
      'There is no command "shema". Did you mean "schema"? "tain --help" lists all commands.',
    ])
  })

  test('an unknown option is named with the nearest one, in one line', async () => {
    const { code, error } = await tain(['start', '--prot', '8055'])
    expect(code).toBe(2)
    expect(linesOf(error)).toEqual([
      'There is no option "--prot". Did you mean "--port"? "tain start --help" lists all options.',
    ])
  })
})

test('an old Node is told what is needed, in one line and without a stack', async () => {
  // A preloaded module overrides process.versions, so that Node reports an older version.
  const folder = await mkdtemp(join(tmpdir(), 'tain-node-'))
  const older = join(folder, 'older.mjs')
  await writeFile(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
     Object.defineProperty(process, 'version', { value: 'v20.20.2' })`,
  )
  const { code, error } = await tain(['start'], { NODE_OPTIONS: `--import=${older}` })
  await rm(folder, { recursive: true })
  expect(code).toBe(1)
  expect(linesOf(error)).toHaveLength(1)
  expect(error).toMatch(/^tain needs Node\.js \d+\.\d+ or newer, and this is v20\.20\.2\./u)
})

describe('a database that cannot be connected to ends the start with one line', () => {
  const at = (url: string, change: (url: URL) => void) => {
    const changed = new URL(url)
    change(changed)
    return changed.href
  }
  const missing = (url: URL) => (url.pathname = '/there_is_no_such')
  const stranger = (url: URL) => ([url.username, url.password] = ['there_is_no_such', 'pass-canary'])
  test.each([
    ['a missing database of PostgreSQL', at(serverUrl, missing), /^There is no database "there_is_no_such" at /u],
    ['a missing database of MariaDB', at(mysqlServerUrl, missing), /^There is no database "there_is_no_such" at /u],
    ['an unknown user of PostgreSQL', at(serverUrl, stranger), / does not accept the user "there_is_no_such"\./u],
    ['an unknown user of MariaDB', at(mysqlServerUrl, stranger), / does not accept the user "there_is_no_such"\./u],
    [
      'a missing folder of SQLite',
      'sqlite:/there/is/no/such.db',
      /^The file \/there\/is\/no\/such\.db cannot be opened/u,
    ],
    ['a file that is none of SQLite', `sqlite:${PROGRAM}`, / cannot be opened as a database\./u],
  ])('%s', async (_, url, message) => {
    const { code, error, out } = await tain(['start'], { DATABASE_URL: url, PORT: '0' })
    expect(code).toBe(1)
    expect(linesOf(error)).toHaveLength(1)
    expect(error).toMatch(message)
    expect(error + out).not.toContain('canary')
  })
})

describe.each(testDialects)('commands that only look write nothing, on %s', (dialect) => {
  const tables: Readonly<Record<TestDatabase['dialect'], string>> = {
    postgres: `select string_agg(schemaname || '.' || tablename, ',' order by 1) from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
    mysql: `select group_concat(table_name order by 1) from information_schema.tables where table_schema = database()`,
    sqlite: `select group_concat(name) from sqlite_schema where type = 'table'`,
  }

  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-look-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('snapshot, diff and apply --dry-run', () =>
    withDatabase(async (database) => {
      await database.query('create table notes (id integer primary key, title varchar(40))')
      const catalogue = async () => (await database.query(tables[dialect]))[0]?.[0]
      const before = await catalogue()
      const environment = { DATABASE_URL: database.url }
      const file = join(folder, 'snapshot.json')
      expect(await tain(['schema', 'snapshot', file], environment)).toMatchObject({ code: 0 })
      const snapshot = JSON.parse(await readFile(file, 'utf8')) as { fields: { field: string }[] }
      expect(snapshot.fields.map(({ field }) => field)).toEqual(['id', 'title'])
      expect(await tain(['schema', 'diff', file], environment)).toMatchObject({ code: 0, out: '' })
      await database.query('create table surplus (id integer primary key)')
      const more = await catalogue()
      expect(await tain(['schema', 'diff', file, '--mirror'], environment)).toMatchObject({ code: 1 })
      const plan = await tain(['schema', 'apply', file, '--mirror', '--dry-run'], environment)
      expect(plan).toMatchObject({ code: 0, out: expect.stringContaining('surplus') })
      expect(await catalogue()).toBe(more)
      expect(before).toMatch(/notes$/u)
    }, dialect))
})

test('a file of SQLite that does not exist is not made by a command that only looks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tain-look-'))
  const file = join(folder, 'missing.db')
  const { code, error } = await tain(['schema', 'snapshot'], { DATABASE_URL: `sqlite:${file}` })
  expect(code).toBe(2)
  expect(error).toContain('cannot be opened')
  await expect(access(file)).rejects.toThrow('ENOENT')
  await rm(folder, { recursive: true })
})

describe('a reader that closes the pipe ends a command without a word', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tain-pipe-'))
    await tain(['demo', '--rows', '500', '--out', join(folder, 'shop.db')])
    const { out } = await tain(['schema', 'snapshot'], { DATABASE_URL: `sqlite:${join(folder, 'shop.db')}` })
    const empty = { ...(JSON.parse(out) as object), collections: [], fields: [], relations: [] }
    await writeFile(join(folder, 'empty.json'), JSON.stringify(empty))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    [['--help'], 0],
    [['schema', 'snapshot'], 0],
    [['types', 'generate'], 0],
    [['export', 'products', '--format', 'csv'], 0],
    // The answer of a command that compares is not that of its reader.
    [['schema', 'diff', 'empty.json', '--mirror'], 1],
  ])('tain %j', async (args, expected) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env['PATH'], DATABASE_URL: `sqlite:${join(folder, 'shop.db')}` },
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let error = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (error += chunk))
    await once(child, 'close')
    expect([child.exitCode, error]).toEqual([expected, ''])
  })
})
