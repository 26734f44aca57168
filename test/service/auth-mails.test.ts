import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, openService, TOKEN, until, type Service } from '../lib/service.ts'
import { startSmtpSink, tokenIn, type SmtpSink } from '../lib/smtp.ts'
import {
  claimsOf,
  login,
  makePerson,
  makeRole,
  post,
  raiseRights,
  setSettings,
  statusesOf,
  tokensOf,
} from './accounts.ts'
import { within } from '../lib/expect-duration.ts'
import { loadFixture } from './fixture.ts'

let database: TestDatabase
let service: Service
let sink: SmtpSink
let role: string

const ALLOWED = 'https://app.example.com/accept'

beforeAll(async () => {
  database = await createDatabase()
  await loadFixture(database)
  sink = await startSmtpSink()
  service = await openService({
    DATABASE_URL: database.url,
    PUBLIC_URL: 'https://api.example.com',
    LOGIN_STALL_TIME: '0',
    REGISTER_STALL_TIME: '0',
    RATE_LIMITER_REGISTRATION_POINTS: '1000',
    PASSWORD_RESET_URL_ALLOW_LIST: ALLOWED,
    USER_INVITE_URL_ALLOW_LIST: ALLOWED,
    USER_REGISTER_URL_ALLOW_LIST: ALLOWED,
    EMAIL_TRANSPORT: 'smtp',
    EMAIL_FROM: 'Tain <no-reply@example.com>',
    EMAIL_SMTP_HOST: '127.0.0.1',
    EMAIL_SMTP_PORT: String(sink.port),
  })
  role = await makeRole(database, { isAdmin: true })
})

afterAll(async () => {
  await service.stop()
  await sink.close()
  await database.drop()
})

beforeEach(() => setSettings(database, `project_name = 'Tain', auth_password_policy = null`))

const address = () => `someone-${randomUUID()}@example.com`
const tags = (token: string) => service.get('/items/tags', { token })
const statusOf = async (email: string) =>
  (await database.query(`select status, role from tain.service_users where email_key = lower('${email}')`))[0]
const count = () => sink.mails.length

describe('a new password', () => {
  const ask = (email: string, more: object = {}) => post(service, '/auth/password/request', { email, ...more })
  const reset = (token: string, password: string) => post(service, '/auth/password/reset', { token, password })

  test('comes by a link that works once, ends what was open, and is mailed to the stored address', async () => {
    const person = await makePerson(database, { role })
    const { access_token: access, refresh_token: refresh } = await tokensOf(service, person)
    expect((await ask(person.email.toUpperCase())).status).toBe(204)
    const mail = await sink.next(person.email)
    expect(mail.from).toBe('no-reply@example.com')
    expect(mail.content).toContain('https://api.example.com/admin/reset-password?token=')
    const token = tokenIn(mail)
    expect(claimsOf(token)).toMatchObject({ email: person.email, scope: 'password-reset' })
    expect((await reset(token, 'another-password')).status).toBe(204)
    expect(codeOf(await tags(access))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await post(service, '/auth/refresh', { refresh_token: refresh }))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await login(service, person))).toBe('INVALID_CREDENTIALS')
    expect((await login(service, { ...person, password: 'another-password' })).status).toBe(200)
    expect(codeOf(await reset(token, 'a-third-password'))).toBe('FORBIDDEN')
  })

  test('ends the delay that failed logins have left', async () => {
    const person = await makePerson(database, { role })
    for (let attempt = 0; attempt < 5; attempt += 1) await login(service, { ...person, password: 'wrong' })
    await database.query(`update tain.service_login_failures set blocked_until = now() + interval '2 minute'`)
    expect(codeOf(await login(service, person))).toBe('REQUESTS_EXCEEDED')
    await ask(person.email)
    expect((await reset(tokenIn(await sink.next(person.email)), 'another-password')).status).toBe(204)
    expect((await login(service, { ...person, password: 'another-password' })).status).toBe(200)
  })

  test('is for the user it was sent to, also where the password is what it was then', async () => {
    const person = await makePerson(database, { role })
    const hash = async () =>
      (await database.query(`select password from tain.service_users where id = '${person.id}'`))[0]?.[0]
    const before = await hash()
    await ask(person.email)
    const token = tokenIn(await sink.next(person.email))
    expect((await reset(token, 'another-password')).status).toBe(204)
    await database.query(`update tain.service_users set password = '${String(before)}' where id = '${person.id}'`)
    expect(codeOf(await reset(token, 'a-third-password'))).toBe('FORBIDDEN')
    const other = await makePerson(database, { role })
    await ask(other.email)
    const lost = tokenIn(await sink.next(other.email))
    await database.query(`delete from tain.service_users where id = '${other.id}'`)
    await makePerson(database, { role, email: other.email })
    expect(codeOf(await reset(lost, 'another-password'))).toBe('FORBIDDEN')
  })

  test('of two at the same time one is set', async () => {
    const person = await makePerson(database, { role })
    await ask(person.email)
    const token = tokenIn(await sink.next(person.email))
    const answers = await Promise.all(['one', 'two', 'three'].map((password) => reset(token, password)))
    expect(statusesOf(answers)).toEqual([204, 403, 403])
  })

  test('is for those who are active and sign in here; the answer is the same for everybody', async () => {
    const suspended = await makePerson(database, { status: 'suspended' })
    const foreign = await makePerson(database, { provider: 'google' })
    const before = count()
    for (const email of [suspended.email, foreign.email, 'nobody@example.com', 'no address at all'])
      expect((await ask(email)).status).toBe(204)
    const active = await makePerson(database, { role })
    await ask(active.email)
    await sink.next(active.email)
    expect(count()).toBe(before + 1)
  })

  test('a link of somebody who was suspended since is FORBIDDEN', async () => {
    const person = await makePerson(database, { role })
    await ask(person.email)
    const token = tokenIn(await sink.next(person.email))
    await database.query(`update tain.service_users set status = 'suspended' where id = '${person.id}'`)
    expect(codeOf(await reset(token, 'another-password'))).toBe('FORBIDDEN')
  })

  test('has to meet the policy, which does not repeat it', async () => {
    const person = await makePerson(database, { role })
    await ask(person.email)
    const token = tokenIn(await sink.next(person.email))
    await setSettings(database, String.raw`auth_password_policy = '/^.{13,}$/'`)
    const refused = await reset(token, 'short-canary')
    expect(codeOf(refused)).toBe('FAILED_VALIDATION')
    expect(refused.body).toMatchObject({ errors: [{ extensions: { field: 'password', type: 'regex' } }] })
    expect(refused.text).not.toContain('short-canary')
    expect((await reset(token, 'long-enough-for-it')).status).toBe(204)
  })

  test('leads where the operator allows and nowhere else, whatever Host says', async () => {
    const person = await makePerson(database, { role })
    expect((await ask(person.email, { reset_url: `${ALLOWED}?from=mail` })).status).toBe(204)
    expect((await sink.next(person.email)).content).toContain(`${ALLOWED}?from=mail&token=`)
    for (const reset_url of [
      'https://evil.example.com/accept',
      'https://app.example.com/other',
      'https://app.example.com@evil.example.com/accept',
      'https://user@app.example.com/accept',
      'http://app.example.com/accept',
      'javascript:alert(1)',
      '//app.example.com/accept',
      'accept',
    ])
      expect([reset_url, codeOf(await ask(person.email, { reset_url }))]).toEqual([reset_url, 'INVALID_PAYLOAD'])
    expect(codeOf(await ask('nobody@example.com', { reset_url: 'https://evil.example.com' }))).toBe('INVALID_PAYLOAD')
    await post(service, '/auth/password/request', { email: person.email }, { headers: { 'x-forwarded-host': 'evil' } })
    expect((await sink.next(person.email)).content).toContain('https://api.example.com/admin/reset-password?token=')
  })

  test('five mails in a while are enough for one address, and nobody is told', async () => {
    const [person, other] = [await makePerson(database, { role }), await makePerson(database, { role })]
    for (let turn = 0; turn < 8; turn += 1) expect((await ask(person.email)).status).toBe(204)
    await ask(other.email)
    await sink.next(other.email)
    await until(() => sink.mails.filter(({ to }) => to.includes(person.email)).length === 5, 5, 'five mails')
    expect(sink.mails.filter(({ to }) => to.includes(person.email))).toHaveLength(5)
  })

  test.each([
    [{}],
    [{ email: '' }],
    [{ email: ['a@example.com'] }],
    [{ email: 'a@example.com', reset_url: 1 }],
    [{ email: 'a@example.com', role: 'x' }],
  ])('%j is INVALID_PAYLOAD', async (body) => {
    expect(codeOf(await post(service, '/auth/password/request', body))).toBe('INVALID_PAYLOAD')
  })
})

describe('an invitation', () => {
  const invite = (email: unknown, more: object = {}, token: string | null = TOKEN) =>
    post(service, '/users/invite', { email, role, ...more }, { token })
  const accept = (token: string, password: string) => post(service, '/users/invite/accept', { token, password })

  test('makes a user with a role who is active once it was accepted, once', async () => {
    const email = address()
    expect((await invite(email)).status).toBe(204)
    expect(await statusOf(email)).toEqual(['invited', role])
    const mail = await sink.next(email)
    expect(mail.content).toContain('https://api.example.com/admin/accept-invite?token=')
    const token = tokenIn(mail)
    expect(codeOf(await login(service, { email, password: 'the-password' }))).toBe('INVALID_CREDENTIALS')
    expect((await accept(token, 'the-password')).status).toBe(204)
    expect(await statusOf(email)).toEqual(['active', role])
    expect((await login(service, { email, password: 'the-password' })).status).toBe(200)
    expect(codeOf(await accept(token, 'another-password'))).toBe('INVALID_INVITE')
    const [user] = await database.query(`select id from tain.service_users where email = '${email}'`)
    const activity = await database.query(
      `select action from tain.service_activity where item = '${String(user?.[0])}' and "user" is not null order by id`,
    )
    expect(activity).toEqual([['create'], ['update'], ['login']])
  })

  test('is for the user it was sent to, as they were then, and good once', async () => {
    const email = address()
    await invite(email)
    const first = tokenIn(await sink.next(email))
    const idOf = async () =>
      (await database.query(`select id from tain.service_users where email = '${email}'`))[0]?.[0]
    // A new user with the same email address is a different user.
    await service.send('DELETE', `/users/${String(await idOf())}`, undefined, { token: TOKEN })
    await service.send('POST', '/users', { email, role, status: 'invited' }, { token: TOKEN })
    expect(codeOf(await accept(first, 'the-password'))).toBe('INVALID_INVITE')
    expect(await statusOf(email)).toEqual(['invited', role])
    await invite(email)
    const second = tokenIn(await sink.next(email))
    expect((await accept(second, 'the-password')).status).toBe(204)
    // A used link stays used even if the user is invited again and has no password.
    const again = `status = 'invited', password = null where email = '${email}'`
    await database.query(`update tain.service_users set ${again}`)
    await raiseRights(database)
    expect(codeOf(await accept(second, 'another-password'))).toBe('INVALID_INVITE')
    // Changing the email address invalidates its links.
    await invite(email)
    const third = tokenIn(await sink.next(email))
    await service.send('PATCH', `/users/${String(await idOf())}`, { email: address() }, { token: TOKEN })
    expect(codeOf(await accept(third, 'another-password'))).toBe('INVALID_INVITE')
  })

  test('for several at once, and again with another role for who has not accepted', async () => {
    const [first, second] = [address(), address()]
    expect((await invite([first, second])).status).toBe(204)
    await Promise.all([sink.next(first), sink.next(second)])
    const another = await makeRole(database)
    expect((await invite(first.toUpperCase(), { role: another, invite_url: ALLOWED })).status).toBe(204)
    expect(await statusOf(first)).toEqual(['invited', another])
    expect((await sink.next(first)).content).toContain(`${ALLOWED}?token=`)
  })

  test('of somebody who is there already changes nothing and sends nothing, without a word', async () => {
    const person = await makePerson(database, { role: null })
    const before = count()
    expect((await invite(person.email)).status).toBe(204)
    const other = address()
    await invite(other)
    await sink.next(other)
    expect([await statusOf(person.email), count()]).toEqual([['active', null], before + 1])
  })

  test('is refused for who may not create users, or would give more than they have', async () => {
    const [plain, maker] = [
      await makeRole(database),
      await makeRole(database, { grants: ['create service_users', 'service_roles'] }),
    ]
    const nobody = await makePerson(database, { role: plain })
    const recruiter = await makePerson(database, { role: maker })
    const email = address()
    expect(codeOf(await invite(email, { role: plain }, null))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await invite(email, { role: plain }, nobody.token))).toBe('FORBIDDEN')
    expect(codeOf(await invite(email, { role }, recruiter.token))).toBe('FORBIDDEN')
    expect(codeOf(await invite(email, { role: plain }, recruiter.token))).toBe('FORBIDDEN')
    expect(codeOf(await invite(email, { role: randomUUID() }, recruiter.token))).toBe('INVALID_FOREIGN_KEY')
    expect(await statusOf(email)).toBeUndefined()
    expect((await invite(email, { role: maker }, recruiter.token)).status).toBe(204)
    expect(await statusOf(email)).toEqual(['invited', maker])
  })

  test.each([
    ['no address', { email: undefined }],
    ['text that is no address', { email: 'no address' }],
    ['two addresses in one', { email: 'a@example.com,b@example.com' }],
    ['a line break', { email: 'a@example.com\r\nBcc: b@example.com' }],
    ['a role that is no key', { role: 'admin' }],
    ['a foreign link', { invite_url: 'https://evil.example.com' }],
    ['more than is allowed', { status: 'active' }],
  ])('%s is INVALID_PAYLOAD', async (_, body) => {
    expect(codeOf(await invite(address(), body))).toBe('INVALID_PAYLOAD')
  })

  test('accepting needs a token and a password', async () => {
    for (const body of [{}, { token: 'x' }, { password: 'x' }, { token: 'x', password: 'x', role }])
      expect(codeOf(await post(service, '/users/invite/accept', body))).toBe('INVALID_PAYLOAD')
  })
})

describe('registering', () => {
  const register = (email: string, more: object = {}) =>
    post(service, '/users/register', { email, password: 'the-password', ...more })
  const verify = (token: string) =>
    fetch(`${service.url}/users/register/verify-email?token=${token}`, { redirect: 'manual' })
  let plain: string

  beforeAll(async () => {
    plain = await makeRole(database)
  })
  beforeEach(() =>
    setSettings(
      database,
      `public_registration = true, public_registration_verify_email = true, public_registration_role = '${plain}',
        public_registration_email_filter = null`,
    ),
  )

  test('is closed unless the project opens it', async () => {
    await setSettings(database, 'public_registration = false')
    expect(codeOf(await register(address()))).toBe('FORBIDDEN')
  })

  test('makes a user who is active once the address was confirmed', async () => {
    const email = address()
    expect((await register(email, { first_name: 'Ada', last_name: 'Lovelace' })).status).toBe(204)
    expect(await statusOf(email)).toEqual(['unverified', plain])
    expect(codeOf(await login(service, { email, password: 'the-password' }))).toBe('INVALID_CREDENTIALS')
    const mail = await sink.next(email)
    expect(mail.content).toContain('https://api.example.com/users/register/verify-email?token=')
    const answer = await verify(tokenIn(mail))
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/api\.example\.com\/admin\/users\/[\da-f-]{36}$/u),
    ])
    expect((await login(service, { email, password: 'the-password' })).status).toBe(200)
    expect((await verify(tokenIn(mail))).headers.get('location')).toBe('https://api.example.com/admin/login')
  })

  test('a link that is not good leads to the sign-in', async () => {
    for (const token of ['', 'nonsense', (await tokensOf(service, await makePerson(database, { role }))).access_token])
      expect((await verify(token)).headers.get('location')).toBe('https://api.example.com/admin/login')
  })

  test('a link confirms once, and no user who came later', async () => {
    const email = address()
    await register(email)
    const first = await sink.next(email)
    expect((await verify(tokenIn(first))).headers.get('location')).toContain('/admin/users/')
    await database.query(`update tain.service_users set status = 'unverified' where email = '${email}'`)
    expect((await verify(tokenIn(first))).headers.get('location')).toBe('https://api.example.com/admin/login')
    expect(await statusOf(email)).toEqual(['unverified', plain])
  })

  test('again replaces the password, and then only the newest link counts', async () => {
    const email = address()
    await register(email, { password: 'somebody-else' })
    const first = await sink.next(email)
    await register(email, { password: 'the-owner' })
    const second = await sink.next(email)
    expect((await verify(tokenIn(first))).headers.get('location')).toBe('https://api.example.com/admin/login')
    expect((await verify(tokenIn(second))).headers.get('location')).toContain('/admin/users/')
    expect((await login(service, { email, password: 'the-owner' })).status).toBe(200)
  })

  test('with an address that is taken answers the same, changes nothing and sends nothing', async () => {
    const person = await makePerson(database, { role })
    const before = count()
    expect((await register(person.email.toUpperCase())).status).toBe(204)
    const other = address()
    await register(other)
    await sink.next(other)
    expect(count()).toBe(before + 1)
    expect((await login(service, person)).status).toBe(200)
  })

  test('needs no confirmation where the project asks for none', async () => {
    await setSettings(database, 'public_registration_verify_email = false')
    const email = address()
    expect((await register(email)).status).toBe(204)
    expect(await statusOf(email)).toEqual(['active', plain])
  })

  test('is for addresses that the project’s filter lets through', async () => {
    await setSettings(database, `public_registration_email_filter = '{"email":{"_ends_with":"@example.org"}}'`)
    expect(codeOf(await register(address()))).toBe('FORBIDDEN')
    expect((await register(`${randomUUID()}@example.org`)).status).toBe(204)
  })

  test.each(['{"email":{}}', '{"_and":[{"email":{}}]}', '{"_or":[]}'])(
    'is for nobody by the filter %s, however it was stored',
    async (filter) => {
      await setSettings(database, `public_registration_email_filter = '${filter}'`)
      expect(codeOf(await register(address()))).toBe('FORBIDDEN')
    },
  )

  test('takes nobody’s word for more than name, address and password', async () => {
    for (const more of [{ role }, { status: 'active' }, { token: 'x' }, { policies: [] }, { id: randomUUID() }])
      expect([more, codeOf(await register(address(), more))]).toEqual([more, 'INVALID_PAYLOAD'])
    expect(codeOf(await register(address(), { verification_url: 'https://evil.example.com' }))).toBe('INVALID_PAYLOAD')
  })

  test('has to meet the policy for passwords', async () => {
    await setSettings(database, `auth_password_policy = '^(?=.*[0-9])'`)
    expect(codeOf(await register(address()))).toBe('FAILED_VALIDATION')
    await setSettings(database, `auth_password_policy = '(('`)
    expect(codeOf(await register(address()))).toBe('FAILED_VALIDATION')
  })
})

describe('mails', () => {
  test('what comes from outside is text in them, and breaks neither lines nor addresses', async () => {
    await setSettings(database, `project_name = '<img src=x>\r\nBcc: evil@example.com'`)
    const email = address()
    await post(service, '/users/invite', { email, role }, { token: TOKEN })
    const mail = await sink.next(email)
    expect(mail.content).toContain('&lt;img src=x&gt;')
    expect(mail.content.split('<!doctype html>')[1]).not.toContain('<img')
    expect(mail.to).toEqual([email])
    expect(mail.raw).not.toMatch(/^Bcc:/mu)
  })

  test('a server that is busy is asked again; an answer does not wait for it', () =>
    within(900, async () => {
      sink.refuse('451 busy', '421 busy')
      const person = await makePerson(database, { role })
      const began = performance.now()
      expect((await post(service, '/auth/password/request', { email: person.email })).status).toBe(204)
      const taken = performance.now() - began
      expect(tokenIn(await sink.next(person.email))).not.toBe('')
      return taken
    }))

  test('without a transport nothing is sent, and the log says so without saying what', async () => {
    const silent = await openService({
      DATABASE_URL: database.url,
      PUBLIC_URL: 'https://api.example.com',
      LOGIN_STALL_TIME: '0',
    })
    const person = await makePerson(database, { role })
    expect((await post(silent, '/auth/password/request', { email: person.email })).status).toBe(204)
    await silent.stop()
    expect(silent.lines().filter(({ msg }) => msg === 'mail not sent')).toMatchObject([
      { about: 'reset', reason: 'EMAIL_TRANSPORT is not set' },
    ])
    expect([silent.log().includes(person.email), silent.log().includes('token=')]).toEqual([false, false])
  })
})
