import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, until, type Answer, type Service } from '../lib/service.ts'
import {
  cookieHeader,
  cookiesOf,
  login,
  makePerson,
  makeRole,
  post,
  raiseRights,
  statusesOf,
  tokensOf,
  type Person,
  type Tokens,
} from './accounts.ts'
import { loadFixture, statementLog, type StatementLog } from './fixture.ts'

let database: TestDatabase
let service: Service
let replica: Service
let role: string
let person: Person
let statements: StatementLog
let directory: string

beforeAll(async () => {
  database = await createDatabase()
  await loadFixture(database)
  const environment = { DATABASE_URL: database.url, LOGIN_STALL_TIME: '5', SESSION_REFRESH_GRACE_PERIOD: '3s' }
  directory = await mkdtemp(join(tmpdir(), 'tain-sessions-'))
  statements = statementLog(join(directory, 'statements'))
  // Without polls, every logged statement belongs to a request.
  const logged = { TAIN_STATEMENT_LOG: statements.file, SCHEMA_POLL_INTERVAL: '3600000' }
  service = await openService({ ...environment, ...logged })
  replica = await openService(environment)
  role = await makeRole(database, { isAdmin: true })
  person = await makePerson(database, { role })
})

afterAll(async () => {
  await Promise.all([service.stop(), replica.stop()])
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const tags = (token: string | null, headers: Record<string, string> = {}, at = service) =>
  at.get('/items/tags', { token, headers })
const refresh = (token: string, at = service) => post(at, '/auth/refresh', { refresh_token: token, mode: 'json' })
const renew = (cookie: string, headers: Record<string, string> = {}) =>
  post(service, '/auth/refresh', { mode: 'session' }, { headers: { cookie, ...headers } })
const tokens = (answer: Answer) => dataOf(answer) as Tokens
const sessionsOf = async ({ id }: Person) =>
  (await database.query(`select 1 from tain.service_sessions where "user" = '${id}' and used is null`)).length
const beginSession = async (who: Person) => cookieHeader(await login(service, who, { mode: 'session' }))

describe('renewing with a refresh token', () => {
  test('gives new tokens; the token before is good for nothing', async () => {
    const first = await tokensOf(service, person)
    const second = tokens(await refresh(first.refresh_token))
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await tags(second.access_token)).status).toBe(200)
    expect(codeOf(await refresh(first.refresh_token))).toBe('INVALID_CREDENTIALS')
  })

  test('a token that comes back ends everything that came out of its sign-in, and nothing else', async () => {
    const other = await tokensOf(service, person)
    const first = await tokensOf(service, person)
    const second = tokens(await refresh(first.refresh_token))
    const third = tokens(await refresh(second.refresh_token))
    expect(codeOf(await refresh(first.refresh_token))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await refresh(third.refresh_token))).toBe('INVALID_CREDENTIALS')
    expect((await refresh(other.refresh_token)).status).toBe(200)
  })

  test('with it the access tokens end, also that of whoever stole it', async () => {
    const first = await tokensOf(service, person)
    const stolen = tokens(await refresh(first.refresh_token))
    expect((await tags(stolen.access_token)).status).toBe(200)
    expect(codeOf(await refresh(first.refresh_token))).toBe('INVALID_CREDENTIALS')
    for (const { access_token: token } of [first, stolen]) expect(codeOf(await tags(token))).toBe('INVALID_CREDENTIALS')
  })

  test('of two at the same time, on two replicas, at most one succeeds, and what it got ends too', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { refresh_token: token } = await tokensOf(service, person)
      const answers = await Promise.all([refresh(token), refresh(token, replica), refresh(token)])
      const good = answers.filter(({ status }) => status === 200)
      expect(statusesOf(answers)).toEqual([200, 401, 401])
      for (const answer of good) expect(codeOf(await refresh(tokens(answer).refresh_token))).toBe('INVALID_CREDENTIALS')
    }
  })

  test('the mode is json when there is a token in the body, else cookie', async () => {
    const { refresh_token: token } = await tokensOf(service, person)
    const json = await post(service, '/auth/refresh', { refresh_token: token })
    expect(Object.keys(dataOf(json) as object)).toContain('refresh_token')
    const cookie = cookieHeader(await login(service, person, { mode: 'cookie' }))
    const cookied = await post(service, '/auth/refresh', {}, { headers: { cookie } })
    expect(Object.keys(dataOf(cookied) as object)).toEqual(['access_token', 'expires'])
  })

  test('without a token it is INVALID_PAYLOAD in every mode', async () => {
    for (const body of [{}, { mode: 'json' }, { mode: 'cookie' }, { mode: 'session' }])
      expect([body, codeOf(await post(service, '/auth/refresh', body))]).toEqual([body, 'INVALID_PAYLOAD'])
  })

  test('a token that is no text is INVALID_PAYLOAD, one that nobody has is INVALID_CREDENTIALS', async () => {
    expect(codeOf(await post(service, '/auth/refresh', { refresh_token: { _neq: 'x' } }))).toBe('INVALID_PAYLOAD')
    expect(codeOf(await refresh('x'.repeat(64)))).toBe('INVALID_CREDENTIALS')
  })

  test('an access token is no refresh token', async () => {
    expect(codeOf(await refresh((await tokensOf(service, person)).access_token))).toBe('INVALID_CREDENTIALS')
  })

  test('a token that has expired is INVALID_CREDENTIALS and is removed at the next sign-in', async () => {
    const who = await makePerson(database, { role })
    const { refresh_token: token } = await tokensOf(service, who)
    await database.query(
      `update tain.service_sessions set expires = now() - interval '1 second' where "user" = '${who.id}'`,
    )
    expect(codeOf(await refresh(token))).toBe('INVALID_CREDENTIALS')
    await tokensOf(service, who)
    expect(await sessionsOf(who)).toBe(1)
  })
})

describe('renewing a session', () => {
  test('gives another cookie; the one before still works for a moment, then not', async () => {
    const cookie = await beginSession(person)
    const next = await renew(cookie)
    expect(dataOf(next)).toEqual({ expires: 86_400_000 })
    expect((await tags(null, { cookie: cookieHeader(next) })).status).toBe(200)
    expect((await tags(null, { cookie })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 3100))
    expect(codeOf(await tags(null, { cookie }))).toBe('INVALID_CREDENTIALS')
    expect((await tags(null, { cookie: cookieHeader(next) })).status).toBe(200)
  })

  test('asked for twice by the same client it is the same session', async () => {
    const cookie = await beginSession(person)
    const answers = await Promise.all([renew(cookie), renew(cookie), renew(cookie)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const sessions = answers.map((answer) => sessionIn(cookieHeader(answer)))
    expect(new Set(sessions).size).toBe(1)
    expect((await renew(cookieHeader(answers[0]))).status).toBe(200)
  })

  test('asked for again by another client it ends the family', async () => {
    const cookie = await beginSession(person)
    const next = cookieHeader(await renew(cookie))
    expect(codeOf(await renew(cookie, { 'user-agent': 'somebody else' }))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await tags(null, { cookie: next }))).toBe('INVALID_CREDENTIALS')
  })

  test('asked for again after the moment it ends the family', async () => {
    const cookie = await beginSession(person)
    const next = cookieHeader(await renew(cookie))
    await new Promise((resolve) => setTimeout(resolve, 3100))
    expect(codeOf(await renew(cookie))).toBe('INVALID_CREDENTIALS')
    expect(codeOf(await tags(null, { cookie: next }))).toBe('INVALID_CREDENTIALS')
  })

  test('costs each request one statement, which finds the session, the user and the permission version', async () => {
    const cookies = [await beginSession(person), await beginSession(person), await beginSession(person)]
    for (const cookie of cookies) expect((await tags(null, { cookie })).status).toBe(200)
    await statements.take()
    for (const cookie of cookies) expect((await tags(null, { cookie })).status).toBe(200)
    const texts = await statements.take()
    const ofSessions = texts.filter((text) => text.includes('service_sessions'))
    expect(ofSessions).toHaveLength(3)
    for (const text of ofSessions)
      expect(text).toMatch(/service_users.*service_version|service_version.*service_users/su)
    // A change of the password ends its sessions, so no request computes anything from it.
    for (const text of ofSessions) expect(text).not.toMatch(/\bpassword\b/u)
    // The others are the reads themselves, which return the versions that they were made under.
    expect(texts.filter((text) => text.includes('tags'))).toHaveLength(3)
    expect(texts).toHaveLength(6)
  })

  test('what is inside the cookie is no refresh token', async () => {
    const inner = sessionIn(await beginSession(person))
    expect(codeOf(await refresh(inner))).toBe('INVALID_CREDENTIALS')
    const headers = { cookie: `service_refresh_token=${inner}` }
    expect(codeOf(await post(service, '/auth/refresh', { mode: 'cookie' }, { headers }))).toBe('INVALID_CREDENTIALS')
  })

  const sessionIn = (cookie: string) =>
    (JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString()) as { session: string }).session
})

describe('logging out', () => {
  test('ends a session at once, on every replica, and clears its cookie', async () => {
    const cookie = await beginSession(person)
    expect((await tags(null, { cookie }, replica)).status).toBe(200)
    const answer = await post(service, '/auth/logout', { mode: 'session' }, { headers: { cookie } })
    expect([answer.status, cookiesOf(answer)]).toEqual([
      204,
      [expect.stringMatching(/^service_session_token=; Max-Age=0/u)],
    ])
    for (const at of [service, replica]) expect(codeOf(await tags(null, { cookie }, at))).toBe('INVALID_CREDENTIALS')
  })

  test('ends a refresh token and those after it, and leaves activity', async () => {
    const who = await makePerson(database, { role })
    const first = await tokensOf(service, who)
    const second = tokens(await refresh(first.refresh_token))
    expect((await post(service, '/auth/logout', { refresh_token: second.refresh_token })).status).toBe(204)
    expect(codeOf(await refresh(second.refresh_token))).toBe('INVALID_CREDENTIALS')
    expect(await sessionsOf(who)).toBe(0)
    const actions = await database.query(
      `select action from tain.service_activity where "user" = '${who.id}' order by id`,
    )
    expect(actions).toEqual([['login'], ['logout']])
  })

  test('ends the access tokens of the login, and of no other', async () => {
    const other = await tokensOf(service, person)
    const first = await tokensOf(service, person)
    const second = tokens(await refresh(first.refresh_token))
    for (const { access_token: token } of [first, second]) expect((await tags(token)).status).toBe(200)
    expect((await tags(second.access_token, {}, replica)).status).toBe(200)
    expect((await post(service, '/auth/logout', { refresh_token: second.refresh_token })).status).toBe(204)
    for (const { access_token: token } of [first, second]) expect(codeOf(await tags(token))).toBe('INVALID_CREDENTIALS')
    // Another replica may take a second to see the change.
    await until(async () => (await tags(second.access_token, {}, replica)).status === 401, 5, 'the token has ended')
    for (const at of [service, replica]) expect((await tags(other.access_token, {}, at)).status).toBe(200)
    const cookied = await login(service, person, { mode: 'cookie' })
    const { access_token: token } = dataOf(cookied) as Tokens
    await post(service, '/auth/logout', {}, { headers: { cookie: cookieHeader(cookied) } })
    expect(codeOf(await tags(token))).toBe('INVALID_CREDENTIALS')
  })

  test('with a token that is none it is 204; with no token it is INVALID_PAYLOAD', async () => {
    expect((await post(service, '/auth/logout', { refresh_token: 'nonsense' })).status).toBe(204)
    const headers = { cookie: 'service_session_token=nonsense' }
    expect((await post(service, '/auth/logout', { mode: 'session' }, { headers })).status).toBe(204)
    expect(codeOf(await post(service, '/auth/logout', {}))).toBe('INVALID_PAYLOAD')
  })
})

/** A direct change in the tables, as another part of the service would make it. */
async function change(who: Person, assignment: string): Promise<void> {
  await database.query(`update tain.service_users set ${assignment} where id = '${who.id}'`)
  await raiseRights(database)
}

describe('tokens after a change of their user', () => {
  const everything = async () => {
    const who = await makePerson(database, { role })
    const { access_token: access, refresh_token: refreshToken } = await tokensOf(service, who)
    const cookie = await beginSession(who)
    for (const at of [service, replica]) {
      expect((await tags(access, {}, at)).status).toBe(200)
      expect((await tags(null, { cookie }, at)).status).toBe(200)
      expect((await tags(who.token, {}, at)).status).toBe(200)
    }
    return { who, access, refreshToken, cookie }
  }

  test('a suspended user has none that work, on any replica', async () => {
    const { who, access, refreshToken, cookie } = await everything()
    await change(who, `status = 'suspended'`)
    for (const at of [service, replica]) {
      expect(codeOf(await tags(access, {}, at))).toBe('INVALID_CREDENTIALS')
      expect(codeOf(await tags(null, { cookie }, at))).toBe('INVALID_CREDENTIALS')
      expect(codeOf(await tags(who.token, {}, at))).toBe('INVALID_CREDENTIALS')
    }
    expect(codeOf(await refresh(refreshToken))).toBe('USER_SUSPENDED')
    expect(codeOf(await refresh(refreshToken))).toBe('INVALID_CREDENTIALS')
  })

  test('an archived user cannot renew', async () => {
    const { who, refreshToken } = await everything()
    await change(who, `status = 'archived'`)
    expect(codeOf(await refresh(refreshToken))).toBe('INVALID_CREDENTIALS')
  })

  test('a change of password ends access tokens', async () => {
    const { who, access } = await everything()
    await change(who, `password = '$argon2id$another'`)
    for (const at of [service, replica]) expect(codeOf(await tags(access, {}, at))).toBe('INVALID_CREDENTIALS')
    expect((await tags(who.token)).status).toBe(200)
  })

  test('a change of role counts for tokens that are already there', async () => {
    const { who, access, cookie } = await everything()
    await change(who, 'role = null')
    for (const at of [service, replica]) {
      expect(codeOf(await tags(access, {}, at))).toBe('FORBIDDEN')
      expect(codeOf(await tags(null, { cookie }, at))).toBe('FORBIDDEN')
    }
  })

  test('a deleted user has none that work', async () => {
    const { who, access, refreshToken, cookie } = await everything()
    await database.query(`delete from tain.service_users where id = '${who.id}'`)
    await raiseRights(database)
    for (const answer of [await tags(access), await tags(null, { cookie }), await refresh(refreshToken)])
      expect(codeOf(answer)).toBe('INVALID_CREDENTIALS')
  })
})

describe('a sign-in and a change of password at the same time', () => {
  test('no session of the old password is left, whoever comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const who = await makePerson(database, { role })
      const { refresh_token: token } = await tokensOf(service, who)
      const change = database.query(`
        begin; update tain.service_users set password = 'changed' where id = '${who.id}';
        delete from tain.service_sessions where "user" = '${who.id}'; commit`)
      await Promise.all([login(replica, who), refresh(token), change])
      expect(await sessionsOf(who)).toBe(0)
    }
  })
})
