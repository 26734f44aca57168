import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, withDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, TOKEN, type Answer, type Service } from '../lib/service.ts'
import { login, makePerson, makeRole, post, raiseRights, setSettings, tokensOf, type Person } from './accounts.ts'
import { loadFixture } from './fixture.ts'

let database: TestDatabase
let service: Service
let replica: Service
let role: string
let person: Person

beforeAll(async () => {
  database = await createDatabase()
  await loadFixture(database)
  const environment = { DATABASE_URL: database.url, LOGIN_STALL_TIME: '0', IP_CUSTOM_HEADER: 'x-client' }
  service = await openService(environment)
  replica = await openService(environment)
  role = await makeRole(database, { isAdmin: true })
})

beforeEach(async () => {
  await setSettings(database, 'auth_login_attempts = 5')
  person = await makePerson(database, { role })
})

afterAll(async () => {
  await Promise.all([service.stop(), replica.stop()])
  await database.drop()
})

const HOME = '203.0.113.1'

const tryFrom = (address: string, email: string, password: string, at = service) =>
  post(at, '/auth/login', { email, password }, { headers: { 'x-client': address } })

async function fail(times: number, address = HOME, email = person.email): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1)
    expect(codeOf(await tryFrom(address, email, `wrong ${attempt}`))).toBe('INVALID_CREDENTIALS')
}

const right = (address = HOME, at = service) => tryFrom(address, person.email, person.password, at)

const waitOf = (answer: Answer) => {
  expect([answer.status, codeOf(answer)]).toEqual([429, 'REQUESTS_EXCEEDED'])
  return Number(answer.headers.get('retry-after'))
}

/** Five failures, then a delay long enough for the slowest machine. */
async function fillUp(address = HOME, email = person.email): Promise<void> {
  await fail(5, address, email)
  await holdDelays()
}

const holdDelays = () =>
  database.query(
    `update tain.service_login_failures set blocked_until = now() + interval '2 minute' where blocked_until is not null`,
  )

/** Ends all delays without waiting for them. */
const passDelays = () =>
  database.query(`update tain.service_login_failures set blocked_until = now() - interval '1 minute'`)

const moment = (text: string | null | undefined) => Date.parse(`${String(text).slice(0, 23).replace(' ', 'T')}Z`)

/** The delay in seconds that the last failure caused. */
async function delayOf({ id }: Person): Promise<number> {
  const [row] = await database.query(
    `select blocked_until, last_failure from tain.service_login_failures where account = '${id}'`,
  )
  return Math.round((moment(row?.[0]) - moment(row?.[1])) / 1000)
}

describe('failed logins', () => {
  test('delay the next one after five, whatever the password, on every replica', async () => {
    await fail(4)
    expect((await right()).status).toBe(200)
    await fillUp()
    for (const at of [service, replica]) {
      const wait = waitOf(await right(HOME, at))
      expect([wait > 30, wait <= 120]).toEqual([true, true])
    }
    await passDelays()
    await fail(1)
    await sleep(2100)
    expect((await right(HOME, replica)).status).toBe(200)
    await fail(4)
  })

  test('double the delay up to a quarter of an hour', async () => {
    await fail(5)
    const waits = [await delayOf(person)]
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await passDelays()
      await fail(1)
      waits.push(await delayOf(person))
    }
    expect(waitOf(await right())).toBeGreaterThan(800)
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    await passDelays()
    expect((await right()).status).toBe(200)
  })

  test('leave the account, its tokens and its sessions as they are', async () => {
    const { access_token: token, refresh_token: refresh } = await tokensOf(service, person)
    await fillUp()
    for (let attempt = 0; attempt < 30; attempt += 1) await tryFrom(HOME, person.email, 'wrong')
    const me = dataOf(await service.get('/users/me?fields=status', { token }))
    expect(me).toEqual({ status: 'active' })
    expect((await service.get('/items/tags', { token: person.token })).status).toBe(200)
    expect((await post(service, '/auth/refresh', { refresh_token: refresh })).status).toBe(200)
    const changes = await database.query(
      `select action from tain.service_activity where item = '${person.id}' and action <> 'login'`,
    )
    expect(changes).toEqual([])
  })

  test('delay nobody elsewhere: one IPv4 address, or one IPv6 network', async () => {
    await fillUp()
    expect((await right('203.0.113.2')).status).toBe(200)
    for (const last of ['1', '2', '3:4', 'ffff']) await fail(1, `2001:db8::${last}`)
    await fail(1, '2001:db8::5')
    await holdDelays()
    waitOf(await right('2001:db8:0:0:1:2:3:4'))
    expect((await right('2001:db8:0:1::1')).status).toBe(200)
    // A successful login from another address does not reset the failures of this address.
    await fail(4, '203.0.113.9')
    await right('203.0.113.2')
    await fail(1, '203.0.113.9')
    await holdDelays()
    waitOf(await right('203.0.113.9'))
  })

  test('are counted one by one when they come together', async () => {
    await fail(5)
    await database.query(`update tain.service_login_failures set failures = 12 where account = '${person.id}'`)
    await passDelays()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        tryFrom(HOME, person.email, `wrong ${index}`, index % 2 === 0 ? service : replica),
      ),
    )
    const codes = answers.map((answer) => codeOf(answer))
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS').length).toBe(1)
    expect(codes.filter((code) => code === 'REQUESTS_EXCEEDED').length).toBe(11)
  })

  test('are answered alike where there is no account, or one that may not log in', async () => {
    const suspended = await makePerson(database, { status: 'suspended' })
    const form = ({ status, text, headers }: Answer) => [
      status,
      text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'then'),
      headers.has('retry-after'),
    ]
    const answersOf = async (email: string) => {
      await passDelays()
      const answers: unknown[] = []
      for (let attempt = 0; attempt < 5; attempt += 1) answers.push(form(await tryFrom(HOME, email, 'wrong')))
      await holdDelays()
      return [...answers, form(await tryFrom(HOME, email, 'wrong'))]
    }
    const known = await answersOf(person.email)
    expect(known.at(-1)).toEqual([429, expect.stringContaining('"limit":5'), true])
    expect(await answersOf(`${randomUUID()}@example.com`)).toEqual(known)
    expect(await answersOf(suspended.email)).toEqual(known)
  })

  test('are forgotten an hour after the last, and their rows go', async () => {
    await fail(5)
    await database.query(
      `update tain.service_login_failures set last_failure = now() - interval '2 hour', blocked_until = null`,
    )
    await fail(4)
    expect((await right()).status).toBe(200)
    await database.query(`update tain.service_login_failures set last_failure = now() - interval '2 hour'`)
    await fail(1)
    expect(await database.query('select account, failures from tain.service_login_failures')).toEqual([
      [person.id, '1'],
    ])
  })

  test('say nothing about what was typed in place of an address', async () => {
    const typed = `my-password-${randomUUID()}`
    await tryFrom(HOME, typed, 'wrong')
    const kept = JSON.stringify(await database.query('select * from tain.service_login_failures'))
    expect(kept).not.toContain(typed)
    expect(kept).not.toContain(createHash('sha256').update(typed).digest('hex'))
  })

  test('are not delayed where the project sets no number, and from the first where it sets 0', async () => {
    await setSettings(database, 'auth_login_attempts = null')
    await fail(8)
    expect((await right()).status).toBe(200)
    await setSettings(database, 'auth_login_attempts = 0')
    await fail(1)
    expect(await delayOf(person)).toBe(1)
  })

  test('are five where the project has set nothing', async () => {
    expect(dataOf(await service.get('/settings?fields=auth_login_attempts'))).toEqual({ auth_login_attempts: 5 })
    await withDatabase(async (fresh) => {
      const other = await openService({ DATABASE_URL: fresh.url })
      expect(dataOf(await other.get('/settings?fields=auth_login_attempts'))).toEqual({ auth_login_attempts: 5 })
      await other.stop()
    })
  })
})

describe('the delay ends', () => {
  test.each<[string, { password?: string; status?: string }]>([
    ['a new password', { password: 'another-password-1' }],
    ['the status, also where it is active already', { status: 'active' }],
  ])('when an administrator sets %s', async (_, change) => {
    await fillUp()
    await fillUp('203.0.113.2')
    const refused = await post(service, '/users', change, { token: null })
    expect(refused.status).not.toBe(200)
    waitOf(await right())
    expect((await service.send('PATCH', `/users/${person.id}`, change, { token: TOKEN })).status).toBe(200)
    for (const address of [HOME, '203.0.113.2'])
      expect((await tryFrom(address, person.email, change.password ?? person.password)).status).toBe(200)
  })

  test('not for whom another user writes about, or a write that is refused', async () => {
    await fillUp()
    await service.send('PATCH', `/users/${person.id}`, { title: 'Dr' }, { token: TOKEN })
    const nobody = await makePerson(database, { role: await makeRole(database) })
    await service.send('PATCH', `/users/${person.id}`, { status: 'active' }, { token: nobody.token })
    await service.send('PATCH', `/users/${person.id}`, { status: 'active', email: 'no address' }, { token: TOKEN })
    expect(waitOf(await right())).toBeGreaterThan(30)
  })
})

describe('a start', () => {
  const suspendAll = async (at: TestDatabase) => {
    await at.query(`update tain.service_users set status = 'suspended'`)
    await raiseRights(at)
  }

  test('never dies of an account or a token that is there already', () =>
    withDatabase(async (fresh) => {
      const environment = { DATABASE_URL: fresh.url, ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'root-password' }
      const first = await openService(environment)
      await first.stop()
      await suspendAll(fresh)
      const again = await openService(environment)
      expect((await again.get('/server/ping')).status).toBe(200)
      expect(again.log()).toContain('no administrator was made')
      // The suspended administrator is unchanged, and the log explains how to create another one.
      expect(await fresh.query('select status from tain.service_users')).toEqual([['suspended']])
      const { token } = again.lines().find(({ msg }) => msg.startsWith('there is no administrator yet')) as unknown as {
        token: string
      }
      const admin = { email: 'Root@example.com', password: 'another-password' }
      expect(codeOf(await post(again, '/server/setup', { token, admin }))).toBe('RECORD_NOT_UNIQUE')
      const other = { ...admin, email: 'second@example.com' }
      expect((await post(again, '/server/setup', { token, admin: other })).status).toBe(204)
      expect((await login(again, other)).status).toBe(200)
      await again.stop()
    }))

  test('leaves out a token that another user has, and prints no hash of it', () =>
    withDatabase(async (fresh) => {
      const first = await openService({ DATABASE_URL: fresh.url })
      await first.stop()
      await suspendAll(fresh)
      const tokenOnly = await openService({ DATABASE_URL: fresh.url })
      expect(tokenOnly.log()).toContain('no administrator was made')
      await tokenOnly.stop()
      const admin = { email: 'root@example.com', password: 'root-password' }
      const both = await openService({
        DATABASE_URL: fresh.url,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
      })
      expect((await login(both, admin)).status).toBe(200)
      expect(codeOf(await both.get('/users/me'))).toBe('INVALID_CREDENTIALS')
      expect(both.log()).not.toContain(createHash('sha256').update(TOKEN).digest('hex'))
      await both.stop()
    }))

  test('writes no value that was refused as a duplicate to the log', async () => {
    const token = `token-${randomUUID()}`
    const bodies = [1, 2].map(() => ({ token }))
    const answers: Answer[] = []
    for (const body of bodies) answers.push(await service.send('POST', '/users', body, { token: TOKEN }))
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    const hash = createHash('sha256').update(token).digest('hex')
    expect([answers[1]?.text.includes(hash), service.log().includes(hash)]).toEqual([false, false])
  })
})
