import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, runService, startService, until, type Service } from '../lib/service.ts'
import { extensionFolder, extensionText, type ExtensionFolder } from './stage.ts'

const served = extensionText(`
  api.endpoint('GET', '/', () => ({ body: { name: api.name } }))
  api.endpoint('POST', '/echo/:word', ({ params, query, body, caller, headers }) => ({
    status: 201,
    headers: { 'x-word': params.word },
    body: { params, query, body, user: caller.user, hasToken: 'authorization' in headers },
  }))
  api.endpoint('GET', '/notes', async ({ items }) => ({ body: await items.list('notes') }))
  api.endpoint('GET', '/notes-of-all', async ({ asSystem }) => ({ body: await asSystem.list('notes') }))
  api.endpoint('DELETE', '/nothing', () => undefined)
  api.endpoint('GET', '/throws', () => { throw new Error('a secret of the extension') })
  api.endpoint('GET', '/hangs', () => new Promise(() => undefined))
  api.endpoint('GET', '/cookie', () => ({ headers: { 'content-type': 'text/html' }, body: '<b>' }))
  api.endpoint('GET', '/later', () => {
    setTimeout(() => { throw new Error('thrown later') }, 10)
    void (async () => { await null; throw new Error('rejected later') })()
    return { body: 'fine' }
  })
`)
const job = extensionText(`
  api.job('tick', '* * * * * *', async ({ items, time }) => {
    await items.create('notes', { text: 'tick ' + time.getTime() })
  })
  api.job('fails', '* * * * * *', () => { throw new Error('the job fails') })
`)

describe.each(testDialects)('endpoints and jobs on %s', (dialect) => {
  let database: TestDatabase
  let folder: ExtensionFolder
  let services: Service[] = []
  let service: Service

  beforeAll(async () => {
    folder = await extensionFolder({ 'served/index.ts': served, 'job.mjs': job, '_beside.ts': 'export const x = 1' })
    database = await createDatabase(dialect)
    const key = { postgres: 'serial', mysql: 'integer auto_increment', sqlite: 'integer' }[dialect]
    await database.query(`create table notes (id ${key} primary key, text varchar(40));`)
    const settings = { DATABASE_URL: database.url, EXTENSIONS_PATH: folder.path, EXTENSIONS_TIMEOUT: '1s' }
    service = await startService(settings)
    services = [service, await startService(settings)]
  })
  afterAll(async () => {
    for (const each of services) await each.stop()
    await database?.drop()
    await folder?.remove()
  })

  test('an endpoint gets what was sent, except credentials', async () => {
    expect((await service.get('/extensions/served')).body).toEqual({ name: 'served' })
    const answer = await service.send('POST', '/extensions/served/echo/a%2Fb?x=1&x=2&y=3&access_token=', { some: [1] })
    expect([answer.status, answer.headers.get('x-word')]).toEqual([201, 'a/b'])
    expect(answer.body).toEqual({
      params: { word: 'a/b' },
      query: { x: ['1', '2'], y: '3' },
      body: { some: [1] },
      user: expect.any(String),
      hasToken: false,
    })
    expect((await service.send('DELETE', '/extensions/served/nothing')).status).toBe(204)
    for (const path of ['/extensions/served/none', '/extensions/none', '/extensions/served/echo/'])
      expect(codeOf(await service.get(path))).toBe('ROUTE_NOT_FOUND')
    expect(codeOf(await service.send('POST', '/extensions/served/notes', {}))).toBe('METHOD_NOT_ALLOWED')
    expect(codeOf(await service.get('/extensions/served', { token: 'wrong' }))).toBe('INVALID_CREDENTIALS')
  })

  test('items have the rights of the caller', async () => {
    expect((await service.get('/extensions/served/notes', { token: null })).status).toBe(403)
    expect((await service.get('/extensions/served/notes-of-all', { token: null })).status).toBe(200)
    expect((await service.get('/extensions/served/notes')).status).toBe(200)
  })

  test('what fails in an extension ends nothing else', async () => {
    const thrown = await service.get('/extensions/served/throws')
    expect([thrown.status, codeOf(thrown)]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    expect(thrown.text).not.toContain('secret')
    expect(codeOf(await service.get('/extensions/served/hangs'))).toBe('SERVICE_UNAVAILABLE')
    expect((await service.get('/extensions/served/cookie')).status).toBe(500)
    expect((await service.get('/extensions/served/later')).status).toBe(200)
    await until(
      () => ['thrown later', 'rejected later'].every((text) => service.log().includes(text)),
      10,
      'both are logged',
    )
    const lines = service.lines().filter(({ msg, hook }) => msg === 'an extension failed' && hook === 'GET /later')
    expect(lines.map(({ extension }) => extension)).toEqual(['served', 'served'])
    expect((await service.get('/server/ping')).status).toBe(200)
  })

  test('a job runs once at each of its times, on any replica, and beside one that fails', async () => {
    await until(async () => (await ticks()).length >= 4, 30, 'it has run four times')
    await sleep(200)
    const found = await ticks()
    expect(new Set(found).size).toBe(found.length)
    await until(() => services.some((each) => each.log().includes('the job fails')), 10, 'the other one is logged')
  })
  const ticks = async () =>
    (await database.query(`select text from notes where text like 'tick %'`)).map(([text]) => text)
})

test('an extension that cannot be loaded stops the start, unless extensions are optional', async () => {
  const database = await createDatabase('sqlite')
  const folder = await extensionFolder({
    'fine.ts': extensionText(`api.endpoint('GET', '/', () => ({ body: 1 }))`),
    'wrong.ts': extensionText(`\n  api.filter('articles', ['upsert'], () => undefined)`),
  })
  const settings = { DATABASE_URL: database.url, EXTENSIONS_PATH: folder.path }
  try {
    const refused = await runService(settings)
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(/wrong\.ts cannot be used: .*create, update, delete\. \(wrong\.ts:5/u)
    const service = await startService({ ...settings, EXTENSIONS_OPTIONAL: 'true' })
    expect((await service.get('/extensions/fine')).status).toBe(200)
    await service.stop()
    for (const [name, text, reason] of [
      ['none.ts', 'export const other = 1', 'does not export "extension"'],
      ['syntax.ts', 'export const extension = {', 'syntax.ts'],
      ['Upper.ts', 'export const extension = 1', 'lower-case letters'],
    ] as const) {
      const other = await extensionFolder({ [name]: text })
      const { code, output } = await runService({ ...settings, EXTENSIONS_PATH: other.path })
      expect([code, output]).toEqual([1, expect.stringContaining(reason)])
      await other.remove()
    }
    expect((await runService({ ...settings, EXTENSIONS_PATH: '/nowhere' })).output).toContain(
      '/nowhere cannot be used: EXTENSIONS_PATH names no folder',
    )
  } finally {
    await folder.remove()
    await database.drop()
  }
})

test('changed files are loaded again, with what they import; broken ones leave the old in use', async () => {
  const database = await createDatabase('sqlite')
  const text = `import { word } from './lib/_word.ts'\n${extensionText(`api.endpoint('GET', '/', () => ({ body: word }))`)}`
  const folder = await extensionFolder({ 'words.ts': text, 'lib/_word.ts': `export const word: string = 'one'` })
  const service = await startService({
    DATABASE_URL: database.url,
    EXTENSIONS_PATH: folder.path,
    EXTENSIONS_RELOAD: 'true',
  })
  const word = async () => (await service.get('/extensions/words')).body
  try {
    expect(await word()).toBe('one')
    await folder.write({ 'lib/_word.ts': `export const word: string = 'two'` })
    await until(async () => (await word()) === 'two', 10, 'the new word is served')
    await folder.write({ 'lib/_word.ts': 'export const word: string =' })
    await until(() => service.log().includes('an extension cannot be used'), 10, 'the error is logged')
    expect(await word()).toBe('two')
    await folder.write({
      'lib/_word.ts': `export const word: string = 'three'`,
      'more.js': text.replace('word }', 'word }'),
    })
    await until(async () => (await word()) === 'three', 10, 'it goes on')
    expect((await service.get('/extensions/more')).status).toBe(200)
  } finally {
    await service.stop()
    await folder.remove()
    await database.drop()
  }
})
