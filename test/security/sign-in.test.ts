import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from './world.ts'

/**
 * Vulnerability classes that need no mail and no second replica. The other login tests are test/service/auth-*.test.ts.
 */
let world: World
let person: Caller

const EMAIL = 'admin.of.articles@example.com'
const PASSWORD = `${'x'.repeat(72)}-the-rest-counts-as-well`

beforeAll(async () => {
  world = await createWorld({ LOGIN_STALL_TIME: '0', REGISTER_STALL_TIME: '0', RATE_LIMITER_LOGIN_POINTS: '1000' })
  person = await world.person([grant('articles', 'read')], {}, { email: EMAIL, password: PASSWORD })
})

afterAll(() => world.end())

const login = (body: Row) => world.nobody.send('POST', '/auth/login', body)

describe('a password', () => {
  // GHSA-2cjv-6wg9-f4f3: bcrypt ignores everything after 72 bytes
  test('counts to its last character', async () => {
    expect((await login({ email: EMAIL, password: PASSWORD })).status).toBe(200)
    for (const password of [PASSWORD.slice(0, 72), PASSWORD.slice(0, -1), `${PASSWORD}x`])
      expect([password, codeOf(await login({ email: EMAIL, password }))]).toEqual([password, 'INVALID_CREDENTIALS'])
  })

  // 7.3 i
  test('is not repeated by the policy that refuses it', async () => {
    dataOf(await world.admin.send('PATCH', '/settings', { auth_password_policy: '/^.{40,}$/' }))
    const answer = await world.admin.send('PATCH', `/users/${person.id}`, { password: 'short-canary' })
    expect([answer.status, answer.text.includes('canary')]).toEqual([400, false])
    dataOf(await world.admin.send('PATCH', '/settings', { auth_password_policy: null }))
  })
})

describe('what is sent to sign in has to be text', () => {
  // GHSA-6xc2-mj39-q599 CVE-2019-18818: an object in place of the password reset token
  const odd: readonly unknown[] = [{}, { $gt: 0 }, { _neq: '' }, [], ['x'], [''], 0, 1, true, null, '']
  const calls: readonly (readonly [string, (value: unknown) => Row])[] = [
    ['/auth/login', (value) => ({ email: value, password: PASSWORD })],
    ['/auth/login', (value) => ({ email: EMAIL, password: value })],
    ['/auth/refresh', (value) => ({ refresh_token: value, mode: 'json' })],
    ['/auth/logout', (value) => ({ refresh_token: value, mode: 'json' })],
    ['/auth/password/request', (value) => ({ email: value })],
    ['/auth/password/reset', (value) => ({ token: value, password: 'a-new-password' })],
    ['/users/invite/accept', (value) => ({ token: value, password: 'a-new-password' })],
    ['/users/register', (value) => ({ email: value, password: 'a-new-password' })],
    ['/server/setup', (value) => ({ token: value, admin: { email: 'x@example.com', password: 'a-new-password' } })],
  ]
  test.each(calls)('%s', async (path, body) => {
    const before = await world.fingerprint()
    for (const value of odd) {
      const answer = await world.nobody.send('POST', path, body(value))
      expect([path, value, answer.status >= 400 && answer.status < 500, answer.text]).toEqual([
        path,
        value,
        true,
        answer.text,
      ])
    }
    expect(await world.fingerprint()).toBe(before)
  })
})

describe('an address of a person', () => {
  // GHSA-qw9g-7549-7wg5 CVE-2024-27295, GHSA-8xp8-xrh2-88vr: letters that some databases treat as equal
  test('is another with other letters, however alike they look', async () => {
    const spellings = [
      'ädmin.of.articles@example.com',
      'admın.of.articles@example.com',
      'admin.of.articles@example.com ',
      'admin.of.articles@ｅxample.com',
      'admin.of.articles@example.com\u0301',
    ]
    for (const email of spellings) {
      const answer = await login({ email, password: PASSWORD })
      expect([email, answer.status >= 400]).toEqual([email, true])
    }
    expect((await login({ email: EMAIL.toUpperCase(), password: PASSWORD })).status).toBe(200)
  })

  // GHSA-jgf4-vwc3-r46v CVE-2024-39896
  test('is not told to belong to another provider', async () => {
    await world.make('/users', { email: 'elsewhere@example.com', provider: 'corporate', external_identifier: '1' })
    const [theirs, nobodys] = [
      await login({ email: 'elsewhere@example.com', password: 'x' }),
      await login({ email: 'nobody@example.com', password: 'x' }),
    ]
    expect([theirs.status, theirs.text]).toEqual([nobodys.status, nobodys.text])
  })
})

describe('a sign-in has one address', () => {
  // GHSA-24q2-59hm-rh9r, GHSA-7mqx-wwh4-f9fw CVE-2023-38507: another spelling of the path bypassed limits
  test('another spelling of it is no route, so that no limit is missed', async () => {
    const spellings = [
      '/AUTH/login',
      '/auth/Login',
      '/auth/login/',
      '/auth//login',
      '/auth/login%20',
      '/auth/./login',
      '/auth/login;x',
    ]
    for (const path of spellings) {
      const answer = await world.nobody.send('POST', path, { email: EMAIL, password: PASSWORD })
      // The client normalizes dot segments before it sends the request.
      const isSame = new URL(path, world.service.url).pathname === '/auth/login'
      expect([path, answer.status]).toEqual([path, isSame ? 200 : 404])
    }
  })

  test('its answers are kept by nobody', async () => {
    for (const body of [
      { email: EMAIL, password: PASSWORD },
      { email: EMAIL, password: 'wrong' },
    ])
      expect((await login(body)).headers.get('cache-control')).toContain('no-store')
  })
})

describe('a registration', () => {
  // GHSA-gc7p-j5xm-xxh2
  test('gives nobody more than the project says', async () => {
    dataOf(
      await world.admin.send('PATCH', '/settings', {
        public_registration: true,
        public_registration_verify_email: false,
      }),
    )
    const before = await world.fingerprint()
    const fields: Row = {
      role: person.role,
      status: 'active',
      token: 'mine',
      policies: [],
      provider: 'x',
      id: person.id,
      tfa_secret: 'x',
    }
    for (const [name, value] of Object.entries(fields)) {
      const body = { email: 'new@example.com', password: 'a-new-password', [name]: value }
      expect([name, (await world.nobody.send('POST', '/users/register', body)).status]).toEqual([name, 400])
    }
    expect(await world.fingerprint()).toBe(before)
    dataOf(await world.admin.send('PATCH', '/settings', { public_registration: false }))
  })
})
