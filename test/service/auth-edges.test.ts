import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { withDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, runService, until, type Service } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import {
  cookieHeader,
  cookiesOf,
  login,
  makePerson,
  makeRole,
  post,
  setSettings,
  statusesOf,
  tokensOf,
  type Person,
} from './accounts.ts'
import { loadFixture } from './fixture.ts'

let person: Person

const { database, service } = useWorld({
  tables: loadFixture,
  environment: {
    PUBLIC_URL: 'https://api.example.com',
    LOGIN_STALL_TIME: '0',
    REGISTER_STALL_TIME: '0',
    CORS_ENABLED: 'true',
    CORS_ORIGIN: 'https://app.example.com',
    CORS_CREDENTIALS: 'true',
  },
  prepare: async () => {
    person = await makePerson(database, { role: await makeRole(database, { isAdmin: true }) })
  },
})

describe('a cookie', () => {
  test('goes over https only where users come by https', async () => {
    for (const mode of ['cookie', 'session'])
      expect(cookiesOf(await login(service, person, { mode }))[0]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/u)
  })

  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ['another origin', { origin: 'https://evil.example.com' }],
    ['no origin that it names', { origin: 'null' }],
    ['a subdomain', { origin: 'https://evil.api.example.com' }],
    ['another scheme', { origin: 'http://api.example.com' }],
    ['another site, by the browser’s word', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour, by the browser’s word', { 'sec-fetch-site': 'same-site' }],
    ['an origin like an allowed one', { origin: 'https://app.example.com.evil.com' }],
  ]
  const own: readonly (readonly [string, Record<string, string>])[] = [
    ['no browser at all', {}],
    ['our own address', { origin: 'https://api.example.com' }],
    ['an origin that is allowed', { origin: 'https://app.example.com' }],
    [
      'an allowed origin, by the browser’s word another site',
      { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' },
    ],
    ['the same origin, by the browser’s word', { 'sec-fetch-site': 'same-origin' }],
    [
      'a page whose development server passes requests on',
      { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' },
    ],
    ['a person who typed the address', { 'sec-fetch-site': 'none' }],
  ]

  test.each(foreign)('does not let %s write', async (_, headers) => {
    const cookie = cookieHeader(await login(service, person, { mode: 'session' }))
    const write = await post(service, '/items/tags', { name: 'x' }, { headers: { cookie, ...headers } })
    expect([write.status, codeOf(write)]).toEqual([403, 'FORBIDDEN'])
    const refreshed = await post(service, '/auth/refresh', { mode: 'session' }, { headers: { cookie, ...headers } })
    const loggedOut = await post(service, '/auth/logout', { mode: 'session' }, { headers: { cookie, ...headers } })
    expect([codeOf(refreshed), codeOf(loggedOut)]).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    const { email, password } = person
    const signedIn = await post(service, '/auth/login', { email, password, mode: 'session' }, { headers })
    expect(codeOf(signedIn)).toBe('FORBIDDEN')
    const read = await service.get('/items/tags', { token: null, headers: { cookie, ...headers } })
    expect(read.status).toBe(200)
  })

  test.each(own)('lets %s write', async (_, headers) => {
    const cookie = cookieHeader(await login(service, person, { mode: 'session' }))
    const write = await post(service, '/items/tags', { name: randomUUID() }, { headers: { cookie, ...headers } })
    expect(write.status).toBe(200)
  })

  test('the origin of the request’s own host is its own, also where PUBLIC_URL is another', async () => {
    const cookie = cookieHeader(await login(service, person, { mode: 'session' }))
    const headers = { cookie, origin: service.url }
    expect((await post(service, '/items/tags', { name: randomUUID() }, { headers })).status).toBe(200)
  })

  test.each([{ refresh_token: null }, { refresh_token: null, mode: null }, { mode: null }, {}])(
    'is not read for another site by %j',
    async (body) => {
      const cookie = cookieHeader(await login(service, person, { mode: 'cookie' }))
      const headers = { cookie, origin: 'https://evil.example.com' }
      for (const path of ['/auth/refresh', '/auth/logout'])
        expect([path, codeOf(await post(service, path, body, { headers }))]).toEqual([path, 'FORBIDDEN'])
      expect((await post(service, '/auth/refresh', body, { headers: { cookie } })).status).toBe(200)
    },
  )

  test('a token in a header needs no origin', async () => {
    const options = { token: person.token, headers: { origin: 'https://evil.example.com' } }
    expect((await post(service, '/items/tags', { name: randomUUID() }, options)).status).toBe(200)
    const { email, password } = person
    const json = await post(service, '/auth/login', { email, password }, { headers: options.headers })
    expect(json.status).toBe(200)
  })
})

describe('limits', () => {
  test('on logins to one account from one address or IPv6 site, whether there is one or not; others never pay', async () => {
    const limited = await openService({
      DATABASE_URL: database.url,
      LOGIN_STALL_TIME: '0',
      RATE_LIMITER_ACCOUNT_POINTS: '3',
      RATE_LIMITER_LOGIN_POINTS: '1000',
      IP_CUSTOM_HEADER: 'x-client',
    })
    const from = (address: string) => ({ headers: { 'x-client': address } })
    for (const email of [person.email, 'nobody@example.com']) {
      const tries = [email, email.toUpperCase(), email].map((spelling, index) =>
        post(limited, '/auth/login', { email: spelling, password: 'wrong' }, from(`2001:db8:1:${index}::1`)),
      )
      for (const answer of await Promise.all(tries)) expect(codeOf(answer)).toBe('INVALID_CREDENTIALS')
      const answer = await post(limited, '/auth/login', { email, password: 'wrong' }, from('2001:db8:1:9::1'))
      expect([answer.status, codeOf(answer)]).toEqual([429, 'REQUESTS_EXCEEDED'])
      const { extensions } = (answer.body as { errors: [{ extensions: { limit: number; reset: string } }] }).errors[0]
      expect(extensions.limit).toBe(3)
      expect(Date.parse(extensions.reset) - Date.now()).toBeGreaterThan(30_000)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(30)
    }
    const { email, password } = person
    for (const address of ['2001:db8:2::1', '203.0.113.1'])
      expect((await post(limited, '/auth/login', { email, password }, from(address))).status).toBe(200)
    await limited.stop()
  })

  test('on all networks of an IPv6 site together', async () => {
    const limited = await openService({
      DATABASE_URL: database.url,
      RATE_LIMITER_ENABLED: 'true',
      RATE_LIMITER_POINTS: '2',
      RATE_LIMITER_DURATION: '60',
      IP_CUSTOM_HEADER: 'x-client',
    })
    const from = (address: string) => limited.get('/server/ping', { headers: { 'x-client': address } })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => from(`2001:db8:1:${index.toString(16)}::1`)),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(32)
    expect((await from('2001:db8:2::1')).status).toBe(200)
    await limited.stop()
  })

  test('on sign-ins and requests for a password from one address, by what the proxy says', async () => {
    const limited = await openService({
      DATABASE_URL: database.url,
      LOGIN_STALL_TIME: '0',
      RATE_LIMITER_LOGIN_POINTS: '2',
      IP_TRUST_PROXY: '1',
    })
    const from = (...hops: string[]) => ({ headers: { 'x-forwarded-for': hops.join(', ') } })
    const wrong = (address: string, ...hops: string[]) =>
      post(limited, '/auth/login', { email: address, password: 'wrong' }, from(...hops))
    // The caller can forge every entry before the one that the proxy appends.
    expect(codeOf(await wrong('a@example.com', '198.51.100.1', '203.0.113.1'))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await wrong('b@example.com', '198.51.100.2', '203.0.113.1'))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await wrong('c@example.com', '198.51.100.3', '203.0.113.1'))).toBe('REQUESTS_EXCEEDED')
    expect(codeOf(await wrong('c@example.com', '203.0.113.2'))).toBe('INVALID_CREDENTIALS')
    // One IPv6 network counts as one caller.
    expect(codeOf(await wrong('d@example.com', '2001:db8::1'))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await wrong('d@example.com', '2001:db8::2'))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await wrong('d@example.com', '2001:db8:0:0:1::3'))).toBe('REQUESTS_EXCEEDED')
    expect(codeOf(await wrong('d@example.com', '2001:db8:0:1::3'))).toBe('INVALID_CREDENTIALS')
    const ask = () => post(limited, '/auth/password/request', { email: 'a@example.com' }, from('203.0.113.1'))
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([204, 204, 429])
    await limited.stop()
  })

  test('on registrations from one address, always', async () => {
    await setSettings(database, 'public_registration = false')
    const codes: (string | undefined)[] = []
    for (let turn = 0; turn < 6; turn += 1)
      codes.push(codeOf(await post(service, '/users/register', { email: `${turn}@example.com`, password: 'x' })))
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'FORBIDDEN'), 'REQUESTS_EXCEEDED'])
  })

  test('on all requests of an address, where the operator wants one', async () => {
    const limited = await openService({
      DATABASE_URL: database.url,
      RATE_LIMITER_ENABLED: 'true',
      RATE_LIMITER_POINTS: '20',
      RATE_LIMITER_DURATION: '60',
      IP_CUSTOM_HEADER: 'x-client',
    })
    const ask = (address: string) => limited.get('/items/tags?limit=1', { headers: { 'x-client': address } })
    const first = await ask('203.0.113.7')
    expect([first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual(['20', '19'])
    await Promise.all(Array.from({ length: 19 }, () => ask('203.0.113.7')))
    const over = await ask('203.0.113.7')
    expect([over.status, codeOf(over)]).toEqual([429, 'REQUESTS_EXCEEDED'])
    expect([over.headers.get('retry-after'), over.headers.get('x-request-id')]).toEqual([
      expect.stringMatching(/^\d+$/u),
      expect.any(String),
    ])
    expect((await ask('203.0.113.8')).status).toBe(200)
    // A header without an IP address is ignored.
    expect((await ask('somewhere')).status).toBe(200)
    await limited.stop()
  })

  test('on all requests together', async () => {
    const limited = await openService({
      DATABASE_URL: database.url,
      RATE_LIMITER_GLOBAL_ENABLED: 'true',
      RATE_LIMITER_GLOBAL_POINTS: '5',
      RATE_LIMITER_GLOBAL_DURATION: '60',
      IP_CUSTOM_HEADER: 'x-client',
    })
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const headers = { 'x-client': `203.0.113.${index}` }
        return (await limited.get('/items/tags?limit=1', { headers })).status
      }),
    )
    expect(statuses).toContain(429)
    await limited.stop()
  })

  test('none are there by default', async () => {
    const answer = await service.get('/items/tags?limit=1', { token: person.token })
    expect(answer.headers.get('ratelimit-limit')).toBeNull()
    expect(dataOf(await service.get('/server/info', { token: person.token }))).toMatchObject({ rateLimit: false })
  })
})

describe('the first administrator', () => {
  const admin = { email: 'First@example.com', password: 'the-first-password' }

  test('is made by whoever can read the log, once', async () => {
    await withDatabase(async (empty) => {
      const environment = { DATABASE_URL: empty.url, ADMIN_TOKEN: undefined, LOGIN_STALL_TIME: '0' }
      const [one, two] = [await openService(environment), await openService(environment)]
      const tokenOf = async (at: Service) => {
        await until(() => at.lines().some(({ msg }) => msg.startsWith('there is no administrator')), 5, 'the log')
        return String(at.lines().find(({ msg }) => msg.startsWith('there is no administrator'))?.['token'])
      }
      const token = await tokenOf(one)
      expect(await tokenOf(two)).toBe(token)
      for (const body of [
        {},
        { admin },
        { token },
        { token, admin: { email: 'a@example.com' } },
        { token, admin, role: 1 },
      ])
        expect(codeOf(await post(one, '/server/setup', body))).toBe('INVALID_PAYLOAD')
      expect(codeOf(await post(one, '/server/setup', { token: 'x'.repeat(43), admin }))).toBe('FORBIDDEN')
      const answers = await Promise.all(
        [one, two, one].map((at) => post(at, '/server/setup', { token, admin: { ...admin, first_name: 'Ada' } })),
      )
      expect(statusesOf(answers)).toEqual([204, 403, 403])
      expect(await empty.query('select first_name from tain.service_users')).toEqual([['Ada']])
      const tokens = dataOf(await login(two, admin)) as { access_token: string }
      expect((await two.get('/server/health', { token: tokens.access_token })).status).toBe(200)
      expect(codeOf(await post(two, '/server/setup', { token, admin }))).toBe('FORBIDDEN')
      await Promise.all([one.stop(), two.stop()])
    })
  })

  test('is not asked for where there is one', async () => {
    expect(service.log()).not.toContain('there is no administrator')
    expect(codeOf(await post(service, '/server/setup', { token: 'x', admin }))).toBe('FORBIDDEN')
  })
})

describe('SECRET', () => {
  test('is needed in production, and long enough everywhere', async () => {
    const environment = { DATABASE_URL: database.url, NODE_ENV: 'production' }
    const missing = await runService({ ...environment, SECRET: undefined })
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('SECRET is not set')])
    const short = await runService({ ...environment, SECRET: 'short' })
    expect([short.code, short.output]).toEqual([
      1,
      expect.stringContaining('SECRET has to have at least 32 characters'),
    ])
  })

  test('is made up elsewhere, with a warning, and can come from a file', async () => {
    const file = join(tmpdir(), `tain-secret-${randomUUID()}`)
    await writeFile(file, `${'s'.repeat(40)}\n`)
    const [random, filed, same] = await Promise.all([
      openService({ DATABASE_URL: database.url, SECRET: undefined, LOGIN_STALL_TIME: '0' }),
      openService({ DATABASE_URL: database.url, SECRET: undefined, SECRET_FILE: file, LOGIN_STALL_TIME: '0' }),
      openService({ DATABASE_URL: database.url, SECRET: 's'.repeat(40), LOGIN_STALL_TIME: '0' }),
    ])
    const { access_token: token } = await tokensOf(random, person)
    expect((await random.get('/items/tags', { token })).status).toBe(200)
    expect(codeOf(await service.get('/items/tags', { token }))).toBe('INVALID_TOKEN')
    expect(random.log()).toContain('SECRET is not set')
    const { access_token: fromFile } = await tokensOf(filed, person)
    expect((await same.get('/items/tags', { token: fromFile })).status).toBe(200)
    await Promise.all([random, filed, same].map((at) => at.stop()))
    await rm(file)
  })
})

describe('a service that keeps no users', () => {
  test('has nothing to sign in to, and needs no SECRET', async () => {
    const bare = await openService({
      DATABASE_URL: database.url,
      READ_ONLY: 'true',
      NODE_ENV: 'production',
      SECRET: undefined,
    })
    expect(codeOf(await post(bare, '/auth/login', { email: 'a@example.com', password: 'x' }))).toBe('ROUTE_NOT_FOUND')
    expect((await bare.get('/items/tags')).status).toBe(200)
    await bare.stop()
  })
})
