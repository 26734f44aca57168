import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp, type App } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { version } from '../../packages/server/src/version.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'

let database: TestDatabase
let app: App
let bare: App

const silent = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createDatabase()
  // Where the admin app is served, browsers are sent there.
  const options = { adminFolder: null }
  app = await createApp(readConfig({ DATABASE_URL: database.url }), silent, options)
  const settings = { DATABASE_URL: database.url, READ_ONLY: 'true', GRAPHQL_IDE: 'false' }
  bare = await createApp(readConfig(settings), silent, options)
})

afterAll(async () => {
  await app.close()
  await bare.close()
  await database.drop()
})

const get = (accept: string | undefined, headers: Record<string, string> = {}, { server } = app) =>
  server.inject({ method: 'GET', url: '/', headers: { ...(accept === undefined ? {} : { accept }), ...headers } })

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('GET /', () => {
  test.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'gives programs the addresses of the interfaces: %s',
    async (accept) => {
      const answer = await get(accept)
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual({
        data: {
          name: 'tain',
          rest: '/items',
          graphql: '/graphql',
          health: '/server/health',
          ping: '/server/ping',
          info: '/server/info',
        },
      })
    },
  )

  test('gives browsers a page that loads nothing and runs no script', async () => {
    const { statusCode, headers, body } = await get(browser)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/u)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(body).not.toMatch(/<script|src=|@import|url\(|https?:\/\/(?!www\.w3\.org)/u)
    expect(body).toContain('<a href="/graphql">Open GraphiQL</a>')
    expect(body).toContain('<a href="/docs/api">Open the API reference</a>')
  })

  test('is not the same for every Accept header, and is cached by its ETag', async () => {
    const { headers } = await get(browser)
    expect(headers['vary']).toContain('Accept')
    expect((await get(browser, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
  })

  test('needs neither a valid token nor the database schema', async () => {
    expect((await get(undefined, { authorization: 'Bearer wrong' })).statusCode).toBe(200)
  })

  test('tells strangers neither the version nor the database', async () => {
    for (const accept of [browser, undefined]) {
      const { body } = await get(accept)
      expect(body).not.toContain(version)
      expect(body).not.toContain(database.name)
      expect(body).not.toMatch(/postgres|mariadb|mysql|sqlite/iu)
    }
  })

  test('offers neither GraphiQL nor the login where they are not served', async () => {
    const { body } = await get(browser, {}, bare)
    expect(body).not.toContain('GraphiQL')
    expect(body).not.toContain('/auth/login')
    expect(body).toContain('Send queries to <code>/graphql</code>')
  })
})
