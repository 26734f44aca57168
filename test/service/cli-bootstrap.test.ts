// A database is prepared by "tain bootstrap" in a container and by "tain init" on a desk.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { linesOf, runCommand } from '../lib/command.ts'
import { PROGRAM } from '../lib/program.ts'
import { testDialects, withDatabase } from '../lib/databases.ts'
import { freePort } from '../lib/free-port.ts'
import { openService, until } from '../lib/service.ts'

/** Every command starts the program, and several may run together. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const PASSWORD = 'canary-first-password'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tain-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each(testDialects)('on %s', (dialect) => {
  test('bootstrap prepares the database once, also if several run together', () =>
    withDatabase(async (database) => {
      await database.query('create table notes (id integer primary key, title varchar(40))')
      const environment = { DATABASE_URL: database.url, ADMIN_EMAIL: 'ann@example.com', ADMIN_PASSWORD: PASSWORD }
      const file = join(folder, `${dialect}.json`)
      await runCommand(['schema', 'snapshot', file], { environment })
      const snapshot = JSON.parse(await readFile(file, 'utf8')) as { fields: { field: string }[] }
      expect(snapshot.fields.map(({ field }) => field)).toEqual(['id', 'title'])
      await database.query('drop table notes')

      const call = ['bootstrap', '--snapshot', file]
      const both = await Promise.all([runCommand(call, { environment }), runCommand(call, { environment })])
      expect(both.map(({ code }) => code)).toEqual([0, 0])
      const said = both.map(({ error }) => error).join('')
      for (const line of ["Created the service's tables.", 'Created the first administrator.', `Applied ${file}.`])
        expect(said.split(line)).toHaveLength(2)
      expect(said).not.toContain('canary')

      expect(await runCommand(call, { environment })).toEqual({ code: 0, out: '', error: 'Nothing to do.\n' })
      const service = await openService({ DATABASE_URL: database.url, ADMIN_TOKEN: undefined })
      const body = { email: 'ann@example.com', password: PASSWORD }
      expect((await service.send('POST', '/auth/login', body, { token: null })).status).toBe(200)
      await service.stop()
    }, dialect))

  test('init creates a file that "tain start" reads, and the first administrator', () =>
    withDatabase(async (database) => {
      const empty = await mkdtemp(join(folder, 'init-'))
      const port = await freePort()
      const call = ['init', '--database-url', database.url, '--email', 'ann@example.com', '--port', String(port)]
      const asked = await runCommand(call, { folder: empty })
      expect(asked).toMatchObject({ code: 2, out: '' })
      expect(asked.error).toMatch(/the service's tables, in the schema "[^]*--yes/u)
      expect(await readdir(empty)).toEqual([])

      const done = await runCommand([...call, '--yes'], { folder: empty })
      expect(done.code).toBe(0)
      expect(linesOf(done.error).at(-1)).toMatch(/^Next: tain start/u)
      const password = done.out.trim()
      expect(done.error).not.toContain(password)
      expect((await stat(join(empty, '.env'))).mode & 0o777).toBe(0o600)
      expect(done.error).not.toContain(/^SECRET='(.*)'$/mu.exec(await readFile(join(empty, '.env'), 'utf8'))?.[1])

      const child = spawn(process.execPath, [PROGRAM, 'start'], {
        cwd: empty,
        env: { PATH: process.env['PATH'] },
        stdio: 'ignore',
      })
      try {
        const login = () =>
          fetch(`http://127.0.0.1:${port}/auth/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ email: 'ann@example.com', password }),
          }).then(
            ({ status }) => status,
            () => 0,
          )
        await until(async () => (await login()) === 200, 50, 'the login of the first administrator')
      } finally {
        child.kill()
      }
    }, dialect))
})

test('bootstrap without an administrator says what is missing', () =>
  withDatabase(async ({ url }) => {
    const { code, error } = await runCommand(['bootstrap'], { environment: { DATABASE_URL: url } })
    expect([code, linesOf(error)]).toEqual([
      0,
      [
        "Created the service's tables.",
        'There is no administrator yet: set ADMIN_EMAIL and ADMIN_PASSWORD, and run this command again.',
      ],
    ])
  }, 'sqlite'))

test('init keeps a file .env, and names a missing option', async () => {
  const own = await mkdtemp(join(folder, 'kept-'))
  expect(await runCommand(['init', '--yes'], { folder: own })).toEqual({
    code: 2,
    out: '',
    error: 'The option "--database-url" is missing.\n',
  })
  await writeFile(join(own, '.env'), 'PORT=1\n')
  const call = ['init', '--database-url', 'sqlite:./a.db', '--email', 'ann@example.com', '--yes']
  expect(await runCommand(call, { folder: own })).toMatchObject({ code: 2, error: expect.stringContaining('--force') })
  expect(await readFile(join(own, '.env'), 'utf8')).toBe('PORT=1\n')
})

test('init creates a new SQLite file', async () => {
  const own = await mkdtemp(join(folder, 'new-'))
  const call = ['init', '--database-url', 'sqlite:./new.db', '--email', 'ann@example.com']
  expect((await runCommand(call, { folder: own })).error).toContain("  the file, with the service's tables\n")
  expect(await readdir(own)).toEqual([])
  expect(await runCommand([...call, '--yes'], { folder: own })).toMatchObject({ code: 0 })
  expect(await readdir(own)).toEqual(expect.arrayContaining(['.env', 'new.db']))
  expect((await runCommand(['users', 'list'], { folder: own })).out).toContain('ann@example.com')
})

test('the environment wins over .env', () =>
  withDatabase(async ({ url }) => {
    const own = await mkdtemp(join(folder, 'wins-'))
    await writeFile(join(own, '.env'), `DATABASE_URL=sqlite:/there/is/no/such.db\nSECRET=from-the-file\n`)
    const file = join(own, 'secret')
    await writeFile(file, 'a secret of more than thirty-two characters')
    const environment = { DATABASE_URL: url, SECRET_FILE: file }
    expect(await runCommand(['bootstrap'], { environment, folder: own })).toMatchObject({ code: 0 })
    expect(await runCommand(['bootstrap'], { folder: own })).toMatchObject({
      code: 2,
      error: expect.stringContaining('SECRET has to have at least 32 characters'),
    })
  }, 'sqlite'))
