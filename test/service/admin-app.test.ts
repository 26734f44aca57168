// The admin app at /admin: files from memory, for everybody, without a token and without the database.
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApp, type App } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { createAdminFixture, FONT, PAGE, SCRIPT, THEME, type AdminFixture } from './admin-fixture.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const TOKEN = 'token-of-the-administrator'
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/nothing'
const ASSET = '/admin/assets/index-3fK2.js'
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"

let database: TestDatabase
let fixture: AdminFixture
let app: App
const opened: App[] = []

interface Circumstances {
  readonly settings?: Readonly<Record<string, string>>
  readonly isBuilt?: boolean
  readonly log?: (line: string) => void
}

/** A service that has not been started: it knows neither the schema nor any user. */
async function serve({ settings = {}, isBuilt = true, log }: Circumstances = {}): Promise<App> {
  const config = readConfig({ DATABASE_URL: UNREACHABLE, ...settings })
  const logger = log === undefined ? pino({ level: 'silent' }) : pino({ level: 'info' }, { write: log })
  const served = await createApp(config, logger, { adminFolder: isBuilt ? fixture.folder : null })
  opened.push(served)
  return served
}

beforeAll(async () => {
  database = await createDatabase()
  fixture = await createAdminFixture()
  app = await createApp(readConfig({ DATABASE_URL: database.url, ADMIN_TOKEN: TOKEN }), pino({ level: 'silent' }), {
    adminFolder: fixture.folder,
  })
  await app.start()
})

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

afterAll(async () => {
  await app.close()
  await database.drop()
  await fixture.remove()
})

type Method = 'GET' | 'HEAD' | 'POST'
const ask = (url: string, headers: Record<string, string> = {}, served = app, method: Method = 'GET') =>
  served.server.inject({ method, url, headers })

describe('the page', () => {
  const screens = ['/admin/', '/admin/login', '/admin/c/orders/7', '/admin/reset-password?token=x', '/admin/index.html']

  test.each(screens)('answers at %s', async (url) => {
    const { statusCode, headers, body } = await ask(url)
    expect([statusCode, headers['content-type'], body]).toEqual([
      200,
      'text/html; charset=utf-8',
      PAGE.replace('<base href="/admin/" />', '<base href="/admin/">'),
    ])
  })

  test('runs only what this server serves, and tells other sites nothing', async () => {
    const { headers } = await ask('/admin/')
    expect(headers['content-security-policy']).toBe(POLICY)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('is asked for again each time, and sent again only if it changed', async () => {
    const { headers } = await ask('/admin/')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await ask('/admin/c/orders', { 'if-none-match': String(headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers['content-security-policy']).toBe(POLICY)
    expect((await ask('/admin/', { 'if-none-match': '"another"' })).statusCode).toBe(200)
  })

  test('/admin leads to it', async () => {
    const { statusCode, headers } = await ask('/admin')
    expect([statusCode, headers['location']]).toEqual([302, '/admin/'])
  })

  test('is for reading', async () => {
    for (const url of ['/admin', '/admin/', ASSET])
      expect((await ask(url, {}, app, 'POST')).json()).toMatchObject({
        errors: [{ extensions: { code: 'ROUTE_NOT_FOUND' } }],
      })
  })
})

describe('a file', () => {
  test('with a hash in its name is kept for a year', async () => {
    const { statusCode, headers, body } = await ask(ASSET)
    expect([statusCode, headers['content-type'], body]).toEqual([200, 'text/javascript; charset=utf-8', SCRIPT])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await ask(ASSET, { 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
    const font = await ask('/admin/assets/inter-9aZ1.woff2')
    expect([font.headers['content-type'], font.rawPayload]).toEqual(['font/woff2', FONT])
  })

  test('without one is asked for again', async () => {
    const { headers, body } = await ask('/admin/begin.js')
    expect([headers['content-type'], headers['cache-control'], body]).toEqual([
      'text/javascript; charset=utf-8',
      'no-cache',
      THEME,
    ])
  })

  test.each([
    '/admin/assets/',
    '/admin/assets/index-old.js',
    '/admin/assets/index-3fK2.js.br',
    '/admin/assets/index-3fK2.js/',
    '/admin/assets/..%2findex.html',
    '/admin/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/admin/assets/index-3fK2.js%00',
    '/admin/assets/__proto__',
    '/admin/assets/constructor',
  ])('that the app does not have is not there: %s', async (url) => {
    const { statusCode, headers, json } = await ask(url)
    expect([statusCode, json()]).toMatchObject([404, { errors: [{ extensions: { code: 'ROUTE_NOT_FOUND' } }] }])
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  test.each(['/admin/..%2f..%2fetc%2fpasswd', '/admin//etc/passwd', '/admin/%2fetc/passwd'])(
    'of the machine is not there either: %s',
    async (url) => {
      expect((await ask(url)).body).toContain('<title>Tain</title>')
    },
  )

  test('of the machine is not there for a client that sends dots as they are', async () => {
    const served = await serve()
    const origin = await served.server.listen({ host: '127.0.0.1', port: 0 })
    const raw = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(origin, { path }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end()
      })
    expect(await raw(ASSET)).toBe(200)
    expect(await raw('/admin/assets/../index.html')).toBe(404)
    expect(await raw(`/admin/assets/${'../'.repeat(12)}etc/passwd`)).toBe(404)
  })
})

describe('compression', () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
  ] as const)('a client that accepts %s gets %s', async (accepted, encoding) => {
    for (const [url, content] of [
      [ASSET, SCRIPT],
      ['/admin/', PAGE.replace(' />', '>')],
    ] as const) {
      const { headers, rawPayload } = await ask(url, { 'accept-encoding': accepted })
      expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, String(rawPayload.length)])
      expect(unpack[encoding](rawPayload).toString()).toBe(content)
      expect(headers['vary']).toBe('Accept-Encoding')
    }
  })

  test('nobody gets it who does not accept it, and nobody if a proxy does it', async () => {
    const plain = await serve({ settings: { COMPRESSION: 'false' } })
    for (const { headers, body } of [
      await ask(ASSET),
      await ask(ASSET, { 'accept-encoding': 'deflate' }),
      await ask(ASSET, { 'accept-encoding': 'br, gzip' }, plain),
    ])
      expect([headers['content-encoding'], body]).toEqual([undefined, SCRIPT])
  })

  test('HEAD tells the same as GET, without the content', async () => {
    for (const url of ['/admin', '/admin/', '/admin/login', ASSET, '/admin/assets/nothing.js']) {
      const headers = { 'accept-encoding': 'br' }
      const [get, head] = [await ask(url, headers), await ask(url, headers, app, 'HEAD')]
      expect([url, head.statusCode, head.body]).toEqual([url, get.statusCode, ''])
      for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'cache-control', 'location'])
        expect([url, name, head.headers[name]]).toEqual([url, name, get.headers[name]])
    }
  })
})

describe('below a path of the public address', () => {
  const settings = { PUBLIC_URL: 'https://example.com/tools/tain/' }

  test('the page, and what leads to it, begin with the path', async () => {
    const served = await serve({ settings })
    expect((await ask('/admin/c/orders', {}, served)).body).toContain('<base href="/tools/tain/admin/">')
    expect((await ask('/admin', {}, served)).headers['location']).toBe('/tools/tain/admin/')
    expect((await ask('/', { accept: BROWSER }, served)).headers['location']).toBe('/tools/tain/admin/')
    expect(served.adminUrl('http://127.0.0.1:8055')).toBe('https://example.com/tools/tain/admin/')
  })

  test('without a public address it is where the service listens', () => {
    expect(app.adminUrl('http://127.0.0.1:8055')).toBe('http://127.0.0.1:8055/admin/')
  })
})

describe('the address /', () => {
  test('leads browsers to the app, depending on what they accept', async () => {
    const { statusCode, headers } = await ask('/', { accept: BROWSER })
    expect([statusCode, headers['location'], headers['cache-control']]).toEqual([302, '/admin/', 'private, no-cache'])
    expect(headers['vary']).toContain('Accept')
  })

  test.each(['*/*', 'application/json'])('stays as it was for programs: %s', async (accept) => {
    const answer = await ask('/', { accept })
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { data: { name: 'tain', rest: '/items' } }])
  })
})

describe('the app is not there', () => {
  test.each([
    ['where it is switched off', { settings: { ADMIN_APP: 'false' } }],
    ['where it has not been built', { isBuilt: false }],
    ['where there are no users who could sign in', { settings: { READ_ONLY: 'true' } }],
  ])('%s', async (_, circumstances) => {
    const served = await serve(circumstances)
    for (const url of ['/admin', '/admin/', '/admin/login', ASSET])
      expect((await ask(url, { accept: BROWSER }, served)).statusCode).toBe(404)
    const page = await ask('/', { accept: BROWSER }, served)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(served.adminUrl('http://127.0.0.1:8055')).toBeNull()
  })

  test('the log says so if it is missing, and not if it is off', async () => {
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    await serve({ isBuilt: false, settings: { ADMIN_APP: 'false' }, log })
    expect(lines.join('')).not.toContain('admin app')
    await serve({ isBuilt: false, log })
    expect(lines.join('')).toContain('the admin app is not built')
  })
})

describe('everybody gets the same', () => {
  const anybody = {
    authorization: 'Bearer wrong',
    cookie: 'service_session_token=wrong; service_refresh_token=wrong',
    'x-view-as': 'public',
    prefer: 'tx=rollback',
  }

  test('whoever they say they are, and no cookie', async () => {
    for (const url of ['/admin', '/admin/', ASSET, '/admin/?access_token=wrong']) {
      const [plain, signed] = [await ask(url.replace(/\?.*/u, '')), await ask(url, anybody)]
      expect([url, signed.statusCode, signed.body]).toEqual([url, plain.statusCode, plain.body])
      expect([url, signed.headers['set-cookie']]).toEqual([url, undefined])
      expect([url, signed.headers['vary']]).toEqual([url, 'Accept-Encoding'])
    }
  })

  test('before the database has ever answered', async () => {
    const served = await serve()
    expect((await ask('/admin/', {}, served)).statusCode).toBe(200)
    expect((await ask(ASSET, {}, served)).statusCode).toBe(200)
  })

  test('and a file that is kept for a year says nothing of the schema', async () => {
    const signedIn = { authorization: `Bearer ${TOKEN}` }
    expect((await ask('/server/info', signedIn)).headers['x-schema-version']).toEqual(expect.any(String))
    for (const url of ['/admin/', ASSET]) expect((await ask(url, signedIn)).headers['x-schema-version']).toBeUndefined()
  })

  test('requests are counted like all others, and refused ones are not kept', async () => {
    const settings = { RATE_LIMITER_ENABLED: 'true', RATE_LIMITER_POINTS: '1', RATE_LIMITER_DURATION: '60' }
    const served = await serve({ settings })
    expect((await ask(ASSET, {}, served)).statusCode).toBe(200)
    const refused = await ask(ASSET, {}, served)
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([429, 'private, no-cache'])
  })

  test('other origins read them only where the operator named them', async () => {
    const settings = { CORS_ENABLED: 'true', CORS_ORIGIN: 'https://app.example.com' }
    const served = await serve({ settings })
    const from = async (origin: string) => (await ask(ASSET, { origin }, served)).headers
    expect((await from('https://evil.example.com'))['access-control-allow-origin']).toBeUndefined()
    const named = await from('https://app.example.com')
    expect(named['access-control-allow-origin']).toBe('https://app.example.com')
    expect(named['vary']).toBe('Accept-Encoding, Origin')
  })

  test('the log has the path without the query string, which may hold a token', async () => {
    const lines: string[] = []
    const served = await serve({ log: (line) => void lines.push(line) })
    await ask('/admin/reset-password?token=secret-of-the-mail', {}, served)
    expect(lines.join('')).toContain('"path":"/admin/reset-password"')
    expect(lines.join('')).not.toContain('secret-of-the-mail')
  })
})
