import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codeOf, dataOf, openService, SECRET, TOKEN } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import {
  claimsOf,
  cookieHeader,
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

let role: string

const { database, service } = useWorld({
  tables: loadFixture,
  environment: { LOGIN_STALL_TIME: '0' },
  prepare: async () => {
    role = await makeRole(database, { isAdmin: true })
  },
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
    const [encrypted] = (await stored(person)) ?? []
    expect(encrypted).toMatch(/^v1\.[\w-]{12}\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/u)
    expect(encrypted).not.toContain(secret)
    await database.query(`update tain.service_users set tfa_secret = '${String(encrypted)}' where id = '${other.id}'`)
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

  test('takes the secret that was generated last, for a few minutes and under the same password', async () => {
    const person = await makePerson(database, { role })
    const { token } = person
    const enable = (secret: string) => post(service, '/users/me/tfa/enable', { secret, otp: totp(secret) }, { token })
    // A caller with a token but without the password cannot supply a secret.
    expect(codeOf(await enable('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'))).toBe('INVALID_PAYLOAD')
    const { secret: first } = await generate(person)
    const { secret: second } = await generate(person)
    expect(codeOf(await enable(first))).toBe('INVALID_PAYLOAD')
    const pending = (assignment: string) =>
      database.query(`update tain.service_one_time set ${assignment} where "key" = '${person.id}'`)
    await pending(`expires = now() - interval '1 second'`)
    expect(codeOf(await enable(second))).toBe('INVALID_PAYLOAD')
    await pending(`expires = now() + interval '5 minute'`)
    await database.query(`update tain.service_users set password = 'another' where id = '${person.id}'`)
    expect(codeOf(await enable(second))).toBe('INVALID_PAYLOAD')
    expect(await stored(person)).toEqual([null, null])
  })

  test('is kept sealed until then, and gone afterwards', async () => {
    const person = await makePerson(database, { role })
    const { secret } = await generate(person)
    const rows = () => database.query(`select content from tain.service_one_time where "key" = '${person.id}'`)
    expect(JSON.stringify(await rows())).toMatch(/^\[\["v1\./u)
    expect(JSON.stringify(await rows())).not.toContain(secret)
    await post(service, '/users/me/tfa/enable', { secret, otp: totp(secret) }, { token: person.token })
    expect(await rows()).toEqual([])
  })

  test('ends the other sessions, and so does switching it off; the one it is done from stays', async () => {
    const person = await makePerson(database, { role })
    const begin = async (otp: object = {}) => cookieHeader(await login(service, person, { mode: 'session', ...otp }))
    const me = (cookie: string) => service.get('/users/me', { token: null, headers: { cookie } })
    const send = (path: string, body: Record<string, unknown>, cookie: string) =>
      post(service, `/users/me/tfa/${path}`, body, { headers: { cookie } })
    const [mine, other] = [await begin(), await begin()]
    const { secret } = dataOf(await send('generate', { password: person.password }, mine)) as { secret: string }
    await steadyStep()
    expect((await send('enable', { secret, otp: totp(secret) }, mine)).status).toBe(204)
    expect([(await me(mine)).status, codeOf(await me(other))]).toEqual([200, 'INVALID_CREDENTIALS'])
    const third = await begin({ otp: totp(secret, Date.now() - 30_000) })
    expect((await send('disable', { otp: totp(secret) }, mine)).status).toBe(204)
    expect([(await me(mine)).status, codeOf(await me(third))]).toEqual([200, 'INVALID_CREDENTIALS'])
  })

  test('is for whoever is signed in', async () => {
    for (const path of ['generate', 'enable', 'disable'])
      expect(codeOf(await post(service, `/users/me/tfa/${path}`, { password: 'x', secret: 'x', otp: 'x' }))).toMatch(
        /INVALID_PAYLOAD|INVALID_CREDENTIALS/u,
      )
    expect(codeOf(await post(service, '/users/me/tfa/generate', { password: 'x' }))).toBe('INVALID_CREDENTIALS')
  })
})

/** A delay long enough for the slowest machine. */
const holdDelays = () =>
  database.query(
    `update tain.service_login_failures set blocked_until = now() + interval '2 minute' where blocked_until is not null`,
  )

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

  test('wrong codes delay the next login there as wrong passwords do, and the right one does not help then', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    const wrong = totp(secret, Date.now() + 600_000)
    for (let guess = 0; guess < 5; guess += 1)
      expect(codeOf(await login(service, person, { otp: wrong }))).toBe('INVALID_OTP')
    await holdDelays()
    const answer = await login(service, person, { otp: totp(secret) })
    expect([answer.status, codeOf(answer)]).toEqual([429, 'REQUESTS_EXCEEDED'])
  })

  test('to ask without a code is no guess, and forgives none', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    const wrong = totp(secret, Date.now() + 600_000)
    for (let guess = 0; guess < 4; guess += 1) {
      expect(codeOf(await login(service, person))).toBe('INVALID_OTP')
      expect(codeOf(await login(service, person, { otp: wrong }))).toBe('INVALID_OTP')
    }
    expect(codeOf(await login(service, person))).toBe('INVALID_OTP')
    expect(codeOf(await login(service, person, { otp: wrong }))).toBe('INVALID_OTP')
    await holdDelays()
    expect(codeOf(await login(service, person))).toBe('REQUESTS_EXCEEDED')
  })

  test('a secret that was sealed with a key that is gone lets nobody in', async () => {
    const person = await makePerson(database, { role })
    const secret = await enrol(person)
    const other = await openService({ DATABASE_URL: database.url, LOGIN_STALL_TIME: '0', SECRET: SECRET.repeat(2) })
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

  test('the own row can be read, and nothing that hangs on it', async () => {
    const strict = await makeRole(database, { isAdmin: true, enforcesTfa: true })
    const person = await makePerson(database, { role: strict })
    const { access_token: token } = await tokensOf(service, person)
    const me = (query: string) => service.get(`/users/me${query}`, { token })
    expect(dataOf(await me('?fields=id,email,role'))).toEqual({ id: person.id, email: person.email, role: strict })
    const all = dataOf(await me('')) as Record<string, unknown>
    expect([all['id'], all['role'], 'policies' in all]).toEqual([person.id, strict, false])
    const paths = [
      'role.users.email',
      'role.*',
      '*.*',
      'policies',
      'policies.policy.name',
      'count(policies)',
      'role.name',
    ]
    for (const fields of paths)
      expect([fields, codeOf(await me(`?fields=${encodeURIComponent(fields)}`))]).toEqual([fields, 'FORBIDDEN'])
    for (const query of [
      '?filter[role][users][email][_starts_with]=a',
      '?alias[x]=policies&fields=x',
      '?aggregate[count]=*',
      '?sort=role.name',
      '?search=a',
    ])
      expect([query, (await me(query)).status]).toEqual([query, 403])
    const ask = async (fields: string) => {
      const answer = await post(service, '/graphql/system', { query: `{ users_me { ${fields} } }` }, { token })
      return answer.body as { data: unknown; errors?: { extensions: { code: string } }[] }
    }
    expect((await ask('id email')).data).toEqual({ users_me: { id: person.id, email: person.email } })
    expect((await ask('role { users { email } }')).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
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
