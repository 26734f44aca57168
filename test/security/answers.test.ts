import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import { codeOf, dataOf, openService, runService, type Answer } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from './world.ts'

const ORIGIN = 'https://app.example.com'

let world: World
let reader: Caller
let version: string

beforeAll(async () => {
  world = await createWorld({ CORS_ENABLED: 'true', CORS_ORIGIN: ORIGIN, CORS_CREDENTIALS: 'true' })
  reader = await world.person([
    grant('articles', 'read', { fields: ['id', 'title', 'author'] }),
    grant('authors', 'read'),
  ])
  const manifest = new URL('../../packages/server/package.json', import.meta.url)
  version = (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version
})

afterAll(() => world.end())

describe('answers belong to who asked', () => {
  // reliability row 46; GHSA-c6w9-5g5j-jh2p CVE-2026-61836, GHSA-cff8-x7jv-4fm8 CVE-2024-45596
  test('no cache between keeps them, and a browser keeps them apart', async () => {
    const paths = ['/items/articles', '/items/articles/1', '/items/articles?export=csv', '/users/me', '/permissions/me']
    const others = ['/server/info', '/collections', '/fields', '/nowhere', '/items/nothing', '/items/articles?x=1']
    for (const path of [...paths, ...others]) {
      for (const caller of [reader, world.nobody]) {
        const { headers } = await caller.get(path)
        const control = headers.get('cache-control') ?? ''
        expect([path, /\b(private|no-store)\b/u.test(control), /\b(no-cache|no-store)\b/u.test(control)]).toEqual([
          path,
          true,
          true,
        ])
        expect([path, headers.get('vary')]).toEqual([path, 'Authorization, Cookie, X-View-As, Accept-Encoding, Origin'])
        expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      }
    }
  })

  test('the same address is answered to each by their own rights, whoever came before', async () => {
    const address = '/items/articles?fields=*&sort=id'
    const few = await world.person([grant('articles', 'read', { fields: ['id'], permissions: { id: { _eq: 3 } } })])
    for (let round = 0; round < 3; round += 1) {
      expect(dataOf(await world.admin.get(address))).toHaveLength(3)
      expect(dataOf(await few.get(address))).toEqual([{ id: 3 }])
      expect((await world.nobody.get(address)).status).toBe(403)
      expect(Object.keys((dataOf(await reader.get(address)) as Row[])[0] ?? {})).toEqual(['id', 'title', 'author'])
    }
    // Two callers with the same policy have different user IDs.
    const own = [grant('articles', 'read', { fields: ['id'], permissions: { owner: { _eq: '$CURRENT_USER' } } })]
    const first = await world.person(own)
    const token = `second-${first.id}`
    await world.make('/users', { role: first.role, token })
    await world.database.query(`update articles set owner = '${first.id}' where id = 2`)
    expect(dataOf(await first.get(address))).toEqual([{ id: 2 }])
    expect(dataOf(await world.service.get(address, { token }))).toEqual([])
  })

  test('a tag that somebody else was given does not open an item', async () => {
    const etag = (await world.admin.get('/items/articles/1')).headers.get('etag') ?? ''
    for (const tag of [etag, '*', `W/${etag}`])
      expect((await world.nobody.get('/items/articles/1', {}, { 'if-none-match': tag })).status).toBe(403)
    expect((await reader.get('/items/articles/1', {}, { 'if-none-match': etag })).status).toBe(200)
  })

  test('a key to repeat a request is one caller’s own', async () => {
    const permissions = ['create', 'read'].map((action) => grant('notes', action))
    const [first, second] = [await world.person(permissions), await world.person(permissions)]
    const headers = { 'idempotency-key': 'the-same' }
    const made = await first.send('POST', '/items/notes', { text: 'x', private: 'mine' }, headers)
    const other = await second.send('POST', '/items/notes', { text: 'x', private: 'mine' }, headers)
    expect(other.headers.get('idempotency-replayed')).toBeNull()
    expect(dataOf(other)).not.toEqual(dataOf(made))
    const again = await first.send('POST', '/items/notes', { text: 'x', private: 'mine' }, headers)
    expect([again.headers.get('idempotency-replayed'), dataOf(again)]).toEqual(['true', dataOf(made)])
    dataOf(await world.admin.send('PATCH', `/roles/${first.role}`, { policies: [] }))
    expect((await first.send('POST', '/items/notes', { text: 'x', private: 'mine' }, headers)).status).toBe(403)
  })
})

describe('other sites', () => {
  // GHSA-9329-mxxw-qwf8 CVE-2025-53092, GHSA-g27j-74fp-xfpr CVE-2022-26969
  const corsOf = ({ headers }: Answer) => [...headers].filter(([name]) => name.startsWith('access-control-'))
  test('no origin is repeated that was not named, with credentials least of all', async () => {
    for (const origin of [
      'https://evil.example.com',
      'null',
      `${ORIGIN}.evil.com`,
      `${ORIGIN}:8443`,
      'http://app.example.com',
      'https://app.example.com@evil.com',
      '*',
    ]) {
      expect([origin, corsOf(await reader.get('/items/articles', {}, { origin }))]).toEqual([origin, []])
      const preflight = await world.nobody.send('OPTIONS', '/items/articles', undefined, {
        origin,
        'access-control-request-method': 'PATCH',
      })
      expect([origin, corsOf(preflight)]).toEqual([origin, []])
    }
    const named = await reader.get('/items/articles', {}, { origin: ORIGIN })
    expect(named.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  })

  test('nobody is allowed unless the operator says so, and everybody never with credentials', async () => {
    const plain = await openService({ DATABASE_URL: world.database.url })
    expect(corsOf(await plain.get('/items/articles', { headers: { origin: ORIGIN } }))).toEqual([])
    await plain.stop()
    const { code, output } = await runService({
      DATABASE_URL: world.database.url,
      CORS_ENABLED: 'true',
      CORS_ORIGIN: '*',
      CORS_CREDENTIALS: 'true',
    })
    expect([code, output]).toEqual([1, expect.stringContaining('CORS_CREDENTIALS')])
  })

  test('a form of another site cannot write: only JSON is taken', async () => {
    const before = await world.fingerprint()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await world.admin.send('POST', '/items/notes', '{"text":"x"}', { 'content-type': type })).status).toBe(
        415,
      )
    expect(await world.fingerprint()).toBe(before)
  })
})

describe('strangers learn nothing of the service', () => {
  // GHSA-rmjh-cf9q-pv7q CVE-2025-53887, GHSA-5mhg-wv8w-p59j CVE-2024-27296
  test('neither its version nor what it is built with', async () => {
    const paths = [
      '/',
      '/server/info',
      '/server/ping',
      '/server/health',
      '/server/specs/oas',
      '/nowhere',
      '/items/articles',
    ]
    for (const path of paths) {
      const { text, headers } = await world.nobody.get(path)
      expect([path, text.includes(version), /fastify|node|express|postgres/iu.test(text)]).toEqual([path, false, false])
      for (const name of ['server', 'x-powered-by', 'via', 'x-runtime'])
        expect([path, name, headers.get(name)]).toEqual([path, name, null])
    }
    expect((await reader.get('/server/info')).text).toContain(version)
  })

  // GHSA-6q22-g298-grjh, GHSA-xw72-c69j-h2rj: expensive operations are not open to everyone
  test('nor has it work that costs much for them', async () => {
    expect((await world.nobody.get('/server/health')).status).toBe(403)
    for (const path of ['/utils/hash/generate', '/utils/hash/verify'])
      expect((await world.nobody.send('POST', path, { string: 'x', hash: 'y' })).status).toBe(404)
  })

  // GHSA-632p-p495-25m5 CVE-2024-36128
  test('no length spoils the making of random text', async () => {
    const lengths = [
      'foo',
      '',
      'NaN',
      '-1',
      '0',
      '1.5',
      '1e2',
      '501',
      '9'.repeat(400),
      '0x10',
      'Infinity',
      '__proto__',
      '[]',
    ]
    for (const length of lengths) {
      const answer = await world.nobody.get('/utils/random/string', { length })
      expect([length, answer.status, codeOf(answer)]).toEqual([length, 400, 'INVALID_QUERY'])
    }
    const texts = new Set<unknown>()
    for (let round = 0; round < 20; round += 1)
      texts.add(dataOf(await world.nobody.get('/utils/random/string', { length: 16 })))
    expect([texts.size, [...texts].every((text) => typeof text === 'string' && text.length === 16)]).toEqual([20, true])
  })

  test('limits and routes do not depend on how a path is written', async () => {
    // GHSA-24q2-59hm-rh9r, GHSA-7mqx-wwh4-f9fw: case and trailing characters
    for (const path of [
      '/ITEMS/articles',
      '/items/articles/',
      '//items/articles',
      '/items/./articles',
      '/items/articles%2f1',
      '/items/articles;x',
      '/Users/me',
    ])
      expect([path, (await world.nobody.get(path)).status >= 400]).toEqual([path, true])
  })
})
