import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../databases.ts'
import { codeOf, dataOf, SECRET, startService, TOKEN, type Service } from '../service.ts'
import {
  claimsOf,
  login,
  makePerson,
  makeRole,
  post,
  raiseRights,
  steadyStep,
  tokensOf,
  totp,
  type Person,
} from './accounts.ts'
import { loadFixture } from './fixture.ts'

let database: TestDatabase
let service: Service
let role: string

beforeAll(async () => {
  database = await createDatabase()
  await loadFixture(database)
  service = await startService({ DATABASE_URL: database.url, LOGIN_STALL_TIME: '0' })
  role = await makeRole(database, { isAdmin: true })
})

afterAll(async () => {
  await service.stop()
  await database.drop()
})

const generate = async ({ password, token }: Person) =>
  dataOf(await post(service, '/users/me/tfa/generate', { password }, { token })) as {
    secret: string
    otpauth_url: string
  }

async function enrol(person: Person): Promise<string> {
  const { secret } = await generate(person)
  const answer = await post(service, '/users/me/tfa/enable', { secret, otp: totp(secret) }, { token: person.token })
  expect(answer.status).toBe(204)
  return secret
}

const stored = async ({ id }: Person) =>
  (await database.query(`select tfa_secret, tfa_step from tain.service_users where id = '${id}'`))[0]

describe('setting up', () => {
  test('a secret counts once a code of it has been shown', async () => {
    const person = await makePerson(database, { role })
    const { secret, otpauth_url: url } = await generate(person)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/u)
    expect(url).toMatch(/^otpauth:\/\/totp\/Tain:Person-/u)
    expect(new URL(url).searchParams.get('secret')).toBe(secret)
    expect((await login(service, person)).status).toBe(200)
    const wrong = totp(secret, Date.now() + 600_000)
    const refused = await post(service, '/users/me/tfa/enable', { secret, otp: wrong }, { token: person.token })
    expect(codeOf(refused)).toBe('INVALID_PAYLOAD')
    expect(await stored(person)).toEqual([null, null])
    await post(service, '/users/me/tfa/enable', { secret, otp: totp(secret) }, { token: person.token })
    expect(codeOf(await login(service, person))).toBe('INVALID_OTP')
  })

  test('it is stored sealed, for its user alone', async () => {
    const [person, other] = [await makePerson(database, { role }), await makePerson(database, { role })]
    const secret = await enrol(person)
    const [sealed] = (await stored(person)) ?? []
    expect(sealed).toMatch(/^v1\.[\w-]{12}\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/u)
    expect(sealed).not.toContain(secret)
    await database.query(`update tain.service_users set tfa_secret = '${String(sealed)}' where id = '${other.id}'`)
    expect(codeOf(await login(service, other, { otp: totp(secret) }))).toBe('INVALID_OTP')
  })

  test('needs the password; a wrong one is INVALID_CREDENTIALS and may not be guessed', async () => {
    const { token } = await makePerson(database, { role })
    expect(codeOf(await post(service, '/users/me/tfa/generate', {}, { token }))).toBe('INVALID_PAYLOAD')
    const codes: (string | undefined)[] = []
    for (let guess = 0; guess < 6; guess += 1)
      codes.push(codeOf(await post(service, '/users/me/tfa/generate', { password: `guess ${guess}` }, { token })))
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'INVALID_CREDENTIALS'), 'REQUESTS_EXCEEDED'])
  })

  test('a second one is INVALID_PAYLOAD, and so is a secret that nobody made', async () => {
    const person = await makePerson(database, { role })
    const body = { secret: 'short', otp: '123456' }
    expect(codeOf(await post(service, '/users/me/tfa/enable', body, { token: person.token }))).toBe('INVALID_PAYLOAD')
    const secret = await enrol(person)
    const again = { password: person.password }
    expect(codeOf(await post(service, '/users/me/tfa/generate', again, { token: person.token }))).toBe(
      'INVALID_PAYLOAD',
    )
    const twice = { secret, otp: totp(secret) }
    expect(codeOf(await post(service, '/users/me/tfa/enable', twice, { token: person.token }))).toBe('INVALID_PAYLOAD')
  })

  test('is for whoever is signed in', async () => {
    for (const path of ['generate', 'enable', 'disable'])
      expect(codeOf(await post(service, `/users/me/tfa/${path}`, { password: 'x', secret: 'x', otp: 'x' }))).toMatch(
        /INVALID_PAYLOAD|INVALID_CREDENTIALS/u,
      )
    expect(codeOf(await post(service, '/users/me/tfa/generate', { password: 'x' }))).toBe('INVALID_CREDENTIALS')
  })
})

describe('signing in with it', () => {
  test('needs the code, and a wrong password is told first', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    expect(codeOf(await login(service, person))).toBe('INVALID_OTP')
    expect(codeOf(await login(service, person, { otp: '123' }))).toBe('INVALID_OTP')
    expect(codeOf(await login(service, { ...person, password: 'wrong' }, { otp: totp(secret) }))).toBe(
      'INVALID_CREDENTIALS',
    )
    expect((await login(service, person, { otp: totp(secret) })).status).toBe(200)
  })

  test('a code works once, also when it comes twice at the same time', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    await steadyStep()
    const otp = totp(secret)
    const answers = await Promise.all([1, 2, 3].map(() => login(service, person, { otp })))
    expect(answers.map((answer) => codeOf(answer) ?? 'OK').toSorted((a, b) => a.localeCompare(b))).toEqual([
      'INVALID_OTP',
      'INVALID_OTP',
      'OK',
    ])
    expect(codeOf(await login(service, person, { otp }))).toBe('INVALID_OTP')
  })

  test('the code before is accepted, after the current one it is not; older and later ones never are', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    await steadyStep()
    for (const offset of [-60_000, 60_000, 30_000])
      expect(codeOf(await login(service, person, { otp: totp(secret, Date.now() + offset) }))).toBe('INVALID_OTP')
    const before = totp(secret, Date.now() - 30_000)
    expect((await login(service, person, { otp: before })).status).toBe(200)
    expect((await login(service, person, { otp: totp(secret) })).status).toBe(200)
    expect(codeOf(await login(service, person, { otp: before }))).toBe('INVALID_OTP')
  })

  test('five wrong codes are the most in five minutes, and the right one does not help then', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    const wrong = totp(secret, Date.now() + 600_000)
    for (let guess = 0; guess < 5; guess += 1)
      expect(codeOf(await login(service, person, { otp: wrong }))).toBe('INVALID_OTP')
    const answer = await login(service, person, { otp: totp(secret) })
    expect([answer.status, codeOf(answer)]).toEqual([429, 'REQUESTS_EXCEEDED'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200)
  })

  test('a secret that was sealed with a key that is gone lets nobody in', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    const other = await startService({ DATABASE_URL: database.url, LOGIN_STALL_TIME: '0', SECRET: SECRET.repeat(2) })
    expect(codeOf(await login(other, person, { otp: totp(secret) }))).toBe('INVALID_OTP')
    await other.stop()
  })
})

describe('switching it off', () => {
  test('needs a code that was not used yet', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    const { token } = person
    await steadyStep()
    expect((await login(service, person, { otp: totp(secret) })).status).toBe(200)
    const used = await post(service, '/users/me/tfa/disable', { otp: totp(secret) }, { token })
    expect(codeOf(used)).toBe('INVALID_PAYLOAD')
    await database.query(`update tain.service_users set tfa_step = tfa_step - 1 where id = '${person.id}'`)
    expect((await post(service, '/users/me/tfa/disable', { otp: totp(secret) }, { token })).status).toBe(204)
    expect((await login(service, person)).status).toBe(200)
    expect(codeOf(await post(service, '/users/me/tfa/disable', { otp: '123456' }, { token }))).toBe('INVALID_PAYLOAD')
  })

  test('for others is for administrators; a user who is not there is FORBIDDEN', async () => {
    const person = await makePerson(database, { role })
    await enrol(person)
    const nobody = await makePerson(database, { role: await makeRole(database) })
    const path = `/users/${person.id}/tfa/disable`
    expect(codeOf(await post(service, path, {}, { token: nobody.token }))).toBe('FORBIDDEN')
    expect(codeOf(await post(service, `/users/${randomUUID()}/tfa/disable`, {}, { token: TOKEN }))).toBe('FORBIDDEN')
    expect((await post(service, path, {}, { token: TOKEN })).status).toBe(204)
    expect((await login(service, person)).status).toBe(200)
  })

  test('leaves activity that does not tell the secret', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    const rows = JSON.stringify(
      await database.query(`select data, delta from tain.service_revisions where item = '${person.id}'`),
    )
    expect(rows).toContain('tfa_secret')
    expect([rows.includes(secret), rows.includes('v1.'), rows.includes('argon2')]).toEqual([false, false, false])
  })
})

describe('where a policy asks for it', () => {
  test('nothing may be done before it is set up, except setting it up', async () => {
    const strict = await makeRole(database, { isAdmin: true, enforcesTfa: true })
    const person = await makePerson(database, { role: strict })
    const { access_token: token } = await tokensOf(service, person)
    expect(claimsOf(token)['enforce_tfa']).toBe(true)
    for (const path of ['/items/tags', '/fields', '/collections', '/activity', '/server/health'])
      expect([path, codeOf(await service.get(path, { token }))]).toEqual([path, 'FORBIDDEN'])
    for (const [path, body] of [
      ['/items/tags', { name: 'x' }],
      ['/users/invite', { email: 'a@example.com', role: strict }],
      ['/users/me/tfa/disable', { otp: '123456' }],
      [`/users/${person.id}/tfa/disable`, {}],
    ] as const)
      expect([path, codeOf(await post(service, path, body, { token }))]).toEqual([path, 'FORBIDDEN'])
    const answer = await post(service, '/users/me/tfa/generate', { password: person.password }, { token })
    const { secret } = dataOf(answer) as { secret: string }
    const enabled = await post(service, '/users/me/tfa/enable', { secret, otp: totp(secret) }, { token })
    expect(enabled.status).toBe(204)
    expect((await service.get('/items/tags', { token })).status).toBe(200)
  })

  test('it counts at once for somebody who is already there', async () => {
    const person = await makePerson(database, { role: await makeRole(database, { isAdmin: true }) })
    expect((await service.get('/items/tags', { token: person.token })).status).toBe(200)
    await database.query(`update tain.service_policies set enforce_tfa = true where id in (
      select policy from tain.service_access where role = '${String(person.role)}')`)
    await raiseRights(database)
    expect(codeOf(await service.get('/items/tags', { token: person.token }))).toBe('FORBIDDEN')
  })
})
