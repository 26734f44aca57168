import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { openService, TOKEN, type Answer, type Service } from '../lib/service.ts'
import { startSmtpSink, tokenIn, type SmtpSink } from '../lib/smtp.ts'
import { cookieHeader, forge, makePerson, makeRole, post, setSettings, totp, type Tokens } from './accounts.ts'
import { loadFixture } from './fixture.ts'

const SECRET = `canary-secret-${randomUUID()}`
const ADMIN_PASSWORD = `canary-admin-${randomUUID()}`
const SMTP_PASSWORD = `canary-smtp-${randomUUID()}`

let database: TestDatabase
let service: Service
let sink: SmtpSink

beforeAll(async () => {
  database = await createDatabase()
  await loadFixture(database)
  sink = await startSmtpSink()
  service = await openService({
    DATABASE_URL: database.url,
    SECRET,
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD,
    PUBLIC_URL: 'https://api.example.com',
    LOG_LEVEL: 'trace',
    LOGIN_STALL_TIME: '0',
    REGISTER_STALL_TIME: '0',
    EMAIL_TRANSPORT: 'smtp',
    EMAIL_SMTP_HOST: '127.0.0.1',
    EMAIL_SMTP_PORT: String(sink.port),
    EMAIL_SMTP_USER: 'mailer',
    EMAIL_SMTP_PASSWORD: SMTP_PASSWORD,
  })
})

afterAll(async () => {
  await service.stop()
  await sink.close()
  await database.drop()
})

test('no secret that any call uses is in the log, in an error, or in a table that can be read', async () => {
  const secrets = new Map<string, string>([
    ['SECRET', SECRET],
    ['password of the administrator', ADMIN_PASSWORD],
    ['password of the mail server', SMTP_PASSWORD],
    ['token of the administrator', TOKEN],
  ])
  const errors: string[] = []
  const keep = <T extends Answer>(answer: T): T => {
    if (answer.status >= 400) errors.push(answer.text)
    return answer
  }
  const secret = (name: string, value = `canary-${randomUUID()}`) => {
    secrets.set(name, value)
    return value
  }
  const call = async (path: string, body: object, options: object = {}) =>
    keep(await post(service, path, { ...body }, options))
  const get = async (path: string, options: object = {}) => keep(await service.get(path, options))

  const role = await makeRole(database, { isAdmin: true })
  const person = await makePerson(database, { role })
  secret('static token', person.token)
  secret('password', person.password)
  const { email, password } = person

  // Successful and failed logins.
  const signedIn = await call('/auth/login', { email, password })
  const tokens = (signedIn.body as { data: Tokens }).data
  secret('access token', tokens.access_token)
  secret('refresh token', tokens.refresh_token)
  await call('/auth/login', { email, password: secret('wrong password') })
  await call('/auth/login', { email: `${secret('wrong address')}@example.com`, password })
  await call('/auth/login', { email, password: { value: secret('password in an object') } })
  await call('/auth/login', { email, password, [secret('unknown key').slice(0, 6)]: secret('value of an unknown key') })
  await service.send('POST', '/auth/login', `{"password":"${secret('password in broken JSON')}"`, {
    token: null,
    headers: { 'content-type': 'application/json' },
  })

  // Valid and invalid tokens.
  await get(`/items/tags?access_token=${tokens.access_token}`, { token: null })
  await get(`/items/tags?access_token=${person.token}`, { token: null })
  await get('/items/tags', { token: secret('unknown token') })
  await get(`/items/tags?access_token=${secret('unknown token in the address')}`, { token: null })
  await get('/items/tags', { token: secret('forged token', forge({ iss: 'tain', id: 1 }, undefined, 'x')) })
  await get('/items/tags', { token: null, headers: { cookie: `service_session_token=${secret('unknown cookie')}` } })
  await get(`/nowhere?access_token=${person.token}`, { token: null })

  // Sessions.
  const next = ((await call('/auth/refresh', { refresh_token: tokens.refresh_token })).body as { data: Tokens }).data
  secret('next refresh token', next.refresh_token)
  await call('/auth/refresh', { refresh_token: tokens.refresh_token })
  await call('/auth/refresh', { refresh_token: secret('unknown refresh token') })
  const cookie = cookieHeader(await call('/auth/login', { email, password, mode: 'session' }))
  secret('session', cookie.split('=')[1] ?? '')
  await call('/auth/refresh', { mode: 'session' }, { headers: { cookie } })
  await call('/auth/logout', { mode: 'session' }, { headers: { cookie } })

  // Second factors.
  const options = { token: person.token }
  await call('/users/me/tfa/generate', { password: secret('wrong password for a second factor') }, options)
  const made = (await call('/users/me/tfa/generate', { password }, options)).body as { data: { secret: string } }
  const otpSecret = secret('secret of the second factor', made.data.secret)
  await call('/users/me/tfa/enable', { secret: otpSecret, otp: '000000' }, options)
  await call('/users/me/tfa/enable', { secret: otpSecret, otp: totp(otpSecret) }, options)
  await call('/auth/login', { email, password })
  await call('/auth/login', { email, password, otp: totp(otpSecret) })
  await call(`/users/${person.id}/tfa/disable`, {}, { token: TOKEN })

  // Mails.
  await call('/auth/password/request', { email })
  const reset = secret('reset token', tokenIn(await sink.next(email)))
  await call('/auth/password/reset', { token: reset, password: secret('new password') })
  await call('/auth/password/reset', { token: reset, password: secret('new password, again') })
  await call('/auth/password/reset', { token: secret('unknown reset token'), password })
  const invited = `${randomUUID()}@example.com`
  await call('/users/invite', { email: invited, role }, { token: TOKEN })
  const invitation = secret('invitation', tokenIn(await sink.next(invited)))
  await call('/users/invite/accept', { token: invitation, password: secret('password of the invited') })
  await call('/users/invite/accept', { token: invitation, password: secret('password of the invited, again') })
  await setSettings(database, 'public_registration = true')
  const registered = `${randomUUID()}@example.com`
  await call('/users/register', { email: registered, password: secret('password of the registered') })
  const verification = secret('verification', tokenIn(await sink.next(registered)))
  await fetch(`${service.url}/users/register/verify-email?token=${verification}`, { redirect: 'manual' })
  await call('/server/setup', { token: secret('setup token'), admin: { email, password: secret('setup password') } })

  // Database failures must not reveal secrets either.
  await database.query('alter table tain.service_sessions rename to hidden_sessions')
  await call('/auth/login', { email: invited, password: secrets.get('password of the invited') })
  await call('/auth/refresh', { refresh_token: next.refresh_token })
  await database.query('alter table tain.hidden_sessions rename to service_sessions')

  await service.stop()
  const readable = JSON.stringify([
    await database.query('select a::text from tain.service_activity a'),
    await database.query('select r::text from tain.service_revisions r'),
    await database.query('select i::text from tain.service_idempotency i'),
  ])
  const stored = JSON.stringify([
    await database.query('select u::text from tain.service_users u'),
    await database.query('select s::text from tain.service_sessions s'),
  ])
  expect(errors.length).toBeGreaterThan(15)
  expect(readable).toContain('login')
  const places = { log: service.log(), errors: errors.join('\n'), readable, stored }
  const found = [...secrets].flatMap(([name, value]) =>
    Object.entries(places).flatMap(([place, text]) => (text.includes(value) ? [`${name} in ${place}`] : [])),
  )
  expect(found).toEqual([])
})
