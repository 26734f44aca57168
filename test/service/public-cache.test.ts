import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp, type App } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

const TOKEN = 'public-cache-admin-token'
const PUBLIC = 'public, max-age=60'
const PRIVATE = 'private, no-cache'

type Headers = Readonly<Record<string, string>>

describe.each(testDialects)('public data on %s', (dialect) => {
  let database: TestDatabase
  let app: App
  let policy = ''

  const ask = async (url: string, headers: Headers = {}, method: 'GET' | 'HEAD' | 'SEARCH' | 'POST' = 'GET') => {
    const payload = method === 'SEARCH' ? { query: {} } : { query: '{ books { id } }' }
    const answer = await app.server.inject({
      method: method as 'GET',
      url,
      headers,
      ...(method === 'SEARCH' || method === 'POST' ? { payload } : {}),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }
  const cachingOf = async (...parameters: Parameters<typeof ask>) => {
    const { status, headers } = await ask(...parameters)
    return [status, headers['cache-control']]
  }
  const admin = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const { statusCode, body } = await app.server.inject({ method, url, headers, ...(payload && { payload }) })
    if (statusCode >= 300) throw new Error(body)
    return body === '' ? {} : (JSON.parse(body) as { data: Record<string, unknown> }).data
  }

  beforeAll(async () => {
    database = await createDatabase(dialect)
    for (const statement of [
      'create table authors (id integer primary key, name varchar(20))',
      'create table books (id integer primary key, title varchar(400), author integer references authors (id))',
      'create table offers (id integer primary key, ends timestamp null)',
      'create table secrets (id integer primary key)',
      'create table profile (id integer primary key)',
      `insert into authors values (1, 'Ada')`,
      `insert into books values (1, '${'long '.repeat(70)}', 1), (2, 'Two', null)`,
      `insert into offers values (1, '2030-01-01 00:00:00')`,
      'create view titles as select id, title from books',
    ])
      await database.query(statement)
    const config = readConfig({
      DATABASE_URL: database.url,
      ADMIN_TOKEN: TOKEN,
      SHUTDOWN_DELAY: '0',
      PUBLIC_CACHE_TTL: '60s',
      RATE_LIMITER_ENABLED: 'true',
      RATE_LIMITER_POINTS: '10000',
      CORS_ENABLED: 'true',
      CORS_ORIGIN: 'https://shop.example.com',
    })
    app = await createApp(config, pino({ level: 'silent' }))
    await app.start()
    const read = (collection: string, permissions: object | null = null) => ({
      collection,
      action: 'read',
      fields: ['*'],
      permissions,
    })
    const made = await admin('POST', '/policies', {
      name: 'Everybody',
      permissions: [
        ...['authors', 'books', 'titles', 'profile', 'service_roles'].map((name) => read(name)),
        read('offers', { ends: { _gt: '$NOW' } }),
      ],
    })
    policy = String(made['id'])
    await admin('PATCH', '/collections/profile', { meta: { singleton: true } })
    await admin('POST', '/access', { policy, role: null, user: null })
  })

  afterAll(async () => {
    await app.close()
    await database.drop()
  })

  test.each(['/items/books', '/items/books/1', '/items/books?fields=id,author.name&sort=-id&meta=filter_count'])(
    '%s may be kept by shared caches, for callers without credentials',
    async (url) => {
      const { status, headers } = await ask(url)
      expect([status, headers['cache-control']]).toEqual([200, PUBLIC])
      expect(headers.etag).toMatch(/^(W\/)?".+"$/u)
      for (const name of ['Authorization', 'Cookie', 'Accept-Encoding', 'Origin'])
        expect(String(headers['vary']).split(', ')).toContain(name)
      expect(headers['set-cookie']).toBeUndefined()
    },
  )

  test('tells nothing about the caller whose request filled the cache', async () => {
    const chosen = { 'x-request-id': 'what-a-caller-wrote' }
    const kept = await ask('/items/books', chosen)
    const own = await ask('/items/titles', chosen)
    const named = (headers: object) => Object.keys(headers).filter((name) => /^(ratelimit|x-request-id)/u.test(name))
    expect([named(kept.headers).length, named(own.headers).length]).toEqual([0, 4])
    expect(JSON.stringify(kept.headers)).not.toContain('what-a-caller-wrote')
  })

  test.each<[string, Headers]>([
    ['a token', { authorization: `Bearer ${TOKEN}` }],
    ['credentials of another kind', { authorization: 'Basic YTpi' }],
    ['any cookie', { cookie: 'theme=dark' }],
    ['the wish to see as another', { authorization: `Bearer ${TOKEN}`, 'x-view-as': 'public' }],
  ])('is private for a request with %s', async (_, headers) => {
    expect((await ask('/items/books', headers)).headers['cache-control']).toBe(PRIVATE)
    expect((await ask('/items/books/1', headers)).headers['cache-control']).toBe(PRIVATE)
  })

  test('is private with a token in the address, also an empty one', async () => {
    expect(await cachingOf(`/items/books?access_token=${TOKEN}`)).toEqual([200, PRIVATE])
    expect(await cachingOf('/items/books?access_token=')).toEqual([200, PRIVATE])
  })

  test.each([
    ['a rule with the time', '/items/offers'],
    ['one with the time, by key', '/items/offers/1'],
    ['a filter with the time', '/items/books?filter[title][_neq]=$NOW'],
    ['a view, whose rows may depend on anything', '/items/titles'],
    ['a collection of the service', '/roles'],
    ['a sample', '/items/books?seek=0.5'],
    ['a singleton', '/items/profile'],
    ['an export', '/items/books?export=json'],
    ['the page of the service', '/server/ping'],
  ])('%s is private', async (_, url) => {
    expect(await cachingOf(url)).toEqual([200, PRIVATE])
  })

  test.each([
    [403, '/items/secrets'],
    [403, '/items/books/77'],
    [400, '/items/books?limit=x'],
    [404, '/nowhere'],
  ])('an error %s is private', async (status, url) => {
    expect(await cachingOf(url)).toEqual([status, PRIVATE])
  })

  test('other methods are private', async () => {
    expect(await cachingOf('/items/books', {}, 'SEARCH')).toEqual([200, PRIVATE])
    expect(await cachingOf('/graphql', {}, 'POST')).toEqual([200, PRIVATE])
    expect(await cachingOf('/items/books', {}, 'HEAD')).toEqual([200, PUBLIC])
  })

  test('a list that has not changed is answered with 304 and no body', async () => {
    const { headers } = await ask('/items/books')
    const etag = String(headers.etag)
    const again = await ask('/items/books', { 'if-none-match': etag })
    expect([again.status, again.body, again.headers['cache-control']]).toEqual([304, '', PUBLIC])
    expect((await ask('/items/books', { 'if-none-match': '"other"' })).status).toBe(200)
    await admin('PATCH', '/items/books/2', { title: `Two ${String(Math.random())}` })
    expect((await ask('/items/books', { 'if-none-match': etag })).status).toBe(200)
  })

  test('an item is answered with 304 until it changes', async () => {
    const etag = String((await ask('/items/books/2')).headers.etag)
    expect((await ask('/items/books/2', { 'if-none-match': etag })).status).toBe(304)
    await admin('PATCH', '/items/books/2', { title: `Two ${String(Math.random())}` })
    expect((await ask('/items/books/2', { 'if-none-match': etag })).status).toBe(200)
  })

  test('an item that shows other rows has a tag of all it shows', async () => {
    const url = '/items/books/1?fields=id,author.name'
    const etag = String((await ask(url)).headers.etag)
    expect((await ask(url, { 'if-none-match': etag })).status).toBe(304)
    await admin('PATCH', '/items/authors/1', { name: 'Grace' })
    const again = await ask(url, { 'if-none-match': etag })
    expect([again.status, again.body.includes('Grace')]).toEqual([200, true])
  })

  test('a browser of somebody who signed in does not keep an item that shows other rows', async () => {
    const owner = { authorization: `Bearer ${TOKEN}` }
    const { headers } = await ask('/items/books/1?fields=id,author.name', owner)
    expect(headers['cache-control']).toBe('private, no-store')
    const same = await ask('/items/books/1?fields=id', owner)
    expect([same.headers['cache-control'], same.headers.etag]).toEqual([PRIVATE, headers.etag])
  })

  test('nothing is public as soon as a policy of the public names addresses', async () => {
    const limited = String((await admin('POST', '/policies', { name: 'Office', ip_access: ['10.0.0.0/8'] }))['id'])
    const { id } = await admin('POST', '/access', { policy: limited, role: null, user: null })
    expect(await cachingOf('/items/books')).toEqual([200, PRIVATE])
    await admin('DELETE', `/access/${String(id)}`)
    expect(await cachingOf('/items/books')).toEqual([200, PUBLIC])
    await admin('PATCH', `/policies/${policy}`, { ip_access: ['127.0.0.1'] })
    expect(await cachingOf('/items/books')).toEqual([200, PRIVATE])
    await admin('PATCH', `/policies/${policy}`, { ip_access: null })
  })
})

test('without the setting no response is for shared caches, and lists have no tag', async () => {
  const database = await createDatabase('sqlite')
  await database.query('create table notes (id integer primary key)')
  const config = readConfig({ DATABASE_URL: database.url, ADMIN_TOKEN: TOKEN, SHUTDOWN_DELAY: '0' })
  const app = await createApp(config, pino({ level: 'silent' }))
  try {
    await app.start()
    const headers = { authorization: `Bearer ${TOKEN}` }
    const permissions = [{ collection: 'notes', action: 'read', fields: ['*'] }]
    const made = await app.server.inject({
      method: 'POST',
      url: '/policies',
      headers,
      payload: { name: 'All', permissions },
    })
    const { data } = JSON.parse(made.body) as { data: { id: string } }
    const payload = { policy: data.id, role: null, user: null }
    await app.server.inject({ method: 'POST', url: '/access', headers, payload })
    const answer = await app.server.inject({ method: 'GET', url: '/items/notes' })
    expect([answer.statusCode, answer.headers['cache-control'], answer.headers.etag]).toEqual([200, PRIVATE, undefined])
  } finally {
    await app.close()
    await database.drop()
  }
})
