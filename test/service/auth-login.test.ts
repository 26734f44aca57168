import { describe, expect, test } from 'vitest'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import {
  claimsOf,
  cookieHeader,
  cookiesOf,
  login,
  makePerson,
  makeRole,
  post,
  tokensOf,
  type Person,
} from './accounts.ts'
import { loadFixture } from './fixture.ts'

let role: string
let reader: Person

const { database, service } = useWorld({
  tables: loadFixture,
  environment: { LOGIN_STALL_TIME: '5' },
  prepare: async () => {
    role = await makeRole(database, { isAdmin: true })
    reader = await makePerson(database, { role })
  },
})

const tags = (token: string | null, headers: Record<string, string> = {}) =>
  service.get('/items/tags', { token, headers })

const rows = async (statement: string) => database.query(statement)

describe('signing in', () => {
  test('gives an access token, a refresh token and how many milliseconds the first is good', async () => {
    const tokens = await tokensOf(service, reader)
    expect(tokens).toEqual({
      access_token: expect.any(String) as string,
      refresh_token: expect.stringMatching(/^[\w-]{64}$/u) as string,
      expires: 900_000,
    })
    expect((await tags(tokens.access_token)).status).toBe(200)
    const { iat, exp, ...claims } = claimsOf(tokens.access_token)
    expect(claims).toMatchObject({ id: reader.id, role, app_access: true, admin_access: true, iss: 'tain' })
    expect(Number(exp) - Number(iat)).toBe(900)
  })

  test('the address counts without regard to case, and answers are not kept by caches', async () => {
    const answer = await login(service, { ...reader, email: reader.email.toUpperCase() })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  test('tokens are kept as hashes only', async () => {
    const { refresh_token: token } = await tokensOf(service, reader)
    const kept = JSON.stringify(await rows('select * from tain.service_sessions'))
    expect(kept).not.toContain(token)
  })

  test('leaves activity and the time of it', async () => {
    const person = await makePerson(database, { role })
    await tokensOf(service, person)
    const [seen] = await rows(
      `select 'just now' from tain.service_users where id = '${person.id}' and last_access > now() - interval '1 minute'`,
    )
    const [logged] = await rows(`select action, ip from tain.service_activity where "user" = '${person.id}'`)
    expect([seen, logged]).toEqual([['just now'], ['login', '127.0.0.1']])
  })

  test('every refusal reads the same', async () => {
    const suspended = await makePerson(database, { status: 'suspended' })
    const foreign = await makePerson(database, { provider: 'google' })
    const invited = await makePerson(database, { status: 'invited' })
    const answers = await Promise.all([
      login(service, { email: 'nobody@example.com', password: 'wrong' }),
      login(service, { ...reader, password: 'wrong' }),
      login(service, suspended),
      login(service, foreign),
      login(service, invited),
      login(service, { email: 'no address', password: 'x' }),
    ])
    for (const { status, text } of answers)
      expect([status, text]).toEqual([
        401,
        '{"errors":[{"message":"Invalid user credentials.","extensions":{"code":"INVALID_CREDENTIALS"}}]}',
      ])
  })

  test.each([
    ['no password', { email: 'a@example.com' }],
    ['no address', { password: 'x' }],
    ['an empty password', { email: 'a@example.com', password: '' }],
    ['a password that is an object', { email: 'a@example.com', password: { _neq: '' } }],
    ['an address that is a list', { email: ['a@example.com'], password: 'x' }],
    ['a number as code', { email: 'a@example.com', password: 'x', otp: 123_456 }],
    ['an unknown mode', { email: 'a@example.com', password: 'x', mode: 'token' }],
    ['a key that is unknown', { email: 'a@example.com', password: 'x', role: 'admin' }],
    ['a password of more than a kilobyte', { email: 'a@example.com', password: 'ä'.repeat(513) }],
    ['a zero byte', { email: 'a@example.com\0', password: 'x' }],
    ['half a pair', { email: 'a@example.com', password: '\ud800' }],
  ])('%s is INVALID_PAYLOAD', async (_, body) => {
    expect(codeOf(await post(service, '/auth/login', body))).toBe('INVALID_PAYLOAD')
  })

  test('a body that is no object is INVALID_PAYLOAD', async () => {
    const answer = await service.send('POST', '/auth/login', [], { token: null })
    expect(codeOf(answer)).toBe('INVALID_PAYLOAD')
  })

  test('from an address that no policy holds for it is INVALID_IP, and no session begins', async () => {
    const person = await makePerson(database, { role: await makeRole(database, { addresses: ['203.0.113.7'] }) })
    expect(codeOf(await login(service, person))).toBe('INVALID_IP')
    expect(await rows(`select 1 from tain.service_sessions where "user" = '${person.id}'`)).toEqual([])
  })

  test('a bad token does not keep its owner from signing in', async () => {
    const { email, password } = reader
    const answer = await post(service, '/auth/login', { email, password }, { token: 'nonsense' })
    expect(answer.status).toBe(200)
  })

  test('an unknown provider is no route; the list of providers is empty', async () => {
    expect(codeOf(await post(service, '/auth/login/google', {}))).toBe('ROUTE_NOT_FOUND')
    const answer = await service.get('/auth', { token: null })
    expect(answer.body).toEqual({ data: [], disableDefault: false })
  })
})

describe('cookies', () => {
  test('in mode cookie the refresh token is in one that scripts and other sites do not get', async () => {
    const answer = await login(service, reader, { mode: 'cookie' })
    expect(Object.keys(dataOf(answer) as object).toSorted()).toEqual(['access_token', 'expires'])
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^service_refresh_token=[\w-]{64}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/u),
    ])
    const again = await post(
      service,
      '/auth/refresh',
      { mode: 'cookie' },
      { headers: { cookie: cookieHeader(answer) } },
    )
    expect([again.status, cookiesOf(again).length]).toEqual([200, 1])
    expect(cookieHeader(again)).not.toBe(cookieHeader(answer))
  })

  test('in mode session one cookie is all there is, and it carries every request', async () => {
    const answer = await login(service, reader, { mode: 'session' })
    expect(dataOf(answer)).toEqual({ expires: 86_400_000 })
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^service_session_token=[\w.-]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/u),
    ])
    expect((await tags(null, { cookie: cookieHeader(answer) })).status).toBe(200)
  })

  test('a cookie does not count where another token is sent', async () => {
    const cookie = 'service_session_token=nonsense'
    expect((await tags(reader.token, { cookie })).status).toBe(200)
    const inAddress = await service.get(`/items/tags?access_token=${reader.token}`, {
      token: null,
      headers: { cookie },
    })
    expect(inAddress.status).toBe(200)
  })

  test('a session cookie that is good for nothing is cleared', async () => {
    const answer = await tags(null, { cookie: 'service_session_token=nonsense' })
    expect(codeOf(answer)).toBe('INVALID_CREDENTIALS')
    expect(cookiesOf(answer)).toEqual([expect.stringMatching(/^service_session_token=; Max-Age=0; Path=\//u)])
  })

  test('a token in a header that is bad clears no cookie', async () => {
    expect(cookiesOf(await tags('nonsense', { cookie: 'service_session_token=nonsense' }))).toEqual([])
  })
})

describe('carriers', () => {
  test('the word Bearer is not case sensitive, other schemes are not for us', async () => {
    expect((await tags(null, { authorization: `bEaReR ${reader.token}` })).status).toBe(200)
    for (const authorization of [`Basic ${reader.token}`, reader.token, `Bearer ${reader.token} more`])
      expect(codeOf(await tags(null, { authorization }))).toBe('FORBIDDEN')
  })

  test('two tokens are INVALID_PAYLOAD, even when they are the same', async () => {
    const both = await service.get(`/items/tags?access_token=${reader.token}`, { token: reader.token })
    const twice = await service.get(`/items/tags?access_token=${reader.token}&access_token=x`, { token: null })
    expect([codeOf(both), codeOf(twice)]).toEqual(['INVALID_PAYLOAD', 'INVALID_PAYLOAD'])
  })

  test('a token that nobody has is refused also where the public may read', async () => {
    expect(codeOf(await service.get('/server/info', { token: 'nonsense' }))).toBe('INVALID_CREDENTIALS')
  })

  test('a static token of somebody who is not active is INVALID_CREDENTIALS', async () => {
    for (const status of ['draft', 'invited', 'unverified', 'suspended', 'archived']) {
      const { token } = await makePerson(database, { status, role })
      expect([status, codeOf(await tags(token))]).toEqual([status, 'INVALID_CREDENTIALS'])
    }
  })
})
