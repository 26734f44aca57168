// Users and roles from the command line, as a running service sees them.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { linesOf, callCommand, type Outcome } from '../lib/command.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Every command starts the program, and several may run together. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

describe.each(testDialects)('on %s', (dialect) => {
  const said: string[] = []

  const { database, service } = useWorld({
    dialect,
    environment: { LOGIN_STALL_TIME: '0', RATE_LIMITER_ENABLED: 'false' },
  })

  const tain = async (line: string, input?: string): Promise<Outcome> => {
    const outcome = await callCommand(line.split(' '), {
      environment: { DATABASE_URL: database.url },
      ...(input === undefined ? {} : { input }),
    })
    said.push(outcome.error)
    return outcome
  }
  const login = (email: string, password: string) =>
    service.send('POST', '/auth/login', { email, password }, { token: null })
  const secret = () => `canary-${randomBytes(12).toString('hex')}`
  const me = (token: string) => service.get('/users/me?fields=email,role.name', { token })

  test('a created user can log in and has the role', async () => {
    const password = secret()
    const role = await tain('roles create Editor --app --json')
    expect(role).toMatchObject({ code: 0, error: '' })
    expect(JSON.parse(role.out)).toMatchObject({ name: 'Editor', admin: false, app: true })
    const created = await tain('users create --email ann@example.com --role Editor --password-stdin', `${password}\n`)
    expect(created).toMatchObject({ code: 0, error: '', out: expect.stringMatching(/^[\da-f-]{36}\n$/u) })
    const { access_token: token } = dataOf(await login('ann@example.com', password)) as { access_token: string }
    expect(dataOf(await me(token))).toEqual({ email: 'ann@example.com', role: { name: 'Editor' } })
    expect(service.log() + said.join('')).not.toContain(password)
  })

  test('a token works at once, and the one before it no longer does', async () => {
    const created = await tain('users create --email robot@example.com --role Editor --token --json')
    const { token: first } = JSON.parse(created.out) as { token: string }
    expect(dataOf(await me(first))).toMatchObject({ email: 'robot@example.com' })
    const { code, out, error } = await tain('users token Robot@Example.com')
    expect(code).toBe(0)
    const second = out.trim()
    expect(dataOf(await me(second))).toMatchObject({ email: 'robot@example.com' })
    expect((await me(first)).status).toBe(401)
    expect(error + service.log()).not.toContain(second)
  })

  test('a changed password replaces the old one and ends the sessions', async () => {
    const [before, after] = [secret(), secret()]
    await tain('users create --email cleo@example.com --password-stdin', before)
    const session = dataOf(await login('cleo@example.com', before)) as { refresh_token: string }
    expect(await tain('users passwd cleo@example.com --password-stdin', `${after}\n`)).toMatchObject({
      code: 0,
      out: '',
      error: 'The password of cleo@example.com is changed, and the sessions of this user have ended.\n',
    })
    expect(codeOf(await login('cleo@example.com', before))).toBe('INVALID_CREDENTIALS')
    const body = { refresh_token: session.refresh_token, mode: 'json' }
    expect((await service.send('POST', '/auth/refresh', body, { token: null })).status).toBe(401)
    expect((await login('cleo@example.com', after)).status).toBe(200)
  })

  test('unlock ends the delays of failed logins, and makes a suspended user active', async () => {
    const password = secret()
    const { out } = await tain('users create --email dora@example.com --password-stdin', password)
    for (let count = 0; count < 9; count += 1) await login('dora@example.com', 'wrong')
    expect(codeOf(await login('dora@example.com', password))).toBe('REQUESTS_EXCEEDED')
    expect(await tain('users unlock dora@example.com')).toMatchObject({ code: 0, out: '' })
    expect((await login('dora@example.com', password)).status).toBe(200)

    await service.send('PATCH', `/users/${out.trim()}`, { status: 'suspended' })
    expect((await login('dora@example.com', password)).status).toBe(401)
    expect(await tain('users unlock dora@example.com')).toMatchObject({ code: 0 })
    expect((await login('dora@example.com', password)).status).toBe(200)

    await service.send('PATCH', `/users/${out.trim()}`, { status: 'archived' })
    expect(await tain('users unlock dora@example.com')).toMatchObject({
      code: 2,
      error: 'The user "dora@example.com" is archived. Only a suspended or delayed user can be unlocked.\n',
    })
  })

  test('lists show users and roles, as a table or as JSON', async () => {
    const users = await tain('users list')
    expect(linesOf(users.out)[0]).toMatch(/^id +email +status +role +last_access$/u)
    expect(users.out).toMatch(/ann@example\.com +active +Editor/u)
    const listed = JSON.parse((await tain('users list --json')).out) as { email: string; role: string | null }[]
    expect(listed).toContainEqual(expect.objectContaining({ email: 'ann@example.com', role: 'Editor' }))
    const roles = JSON.parse((await tain('roles list --json')).out) as object[]
    expect(roles).toContainEqual(expect.objectContaining({ name: 'Editor', admin: false, app: true, users: 2 }))
    expect(roles).toContainEqual(expect.objectContaining({ name: 'Administrator', admin: true, app: true, users: 1 }))
  })

  test('a role with admin access is an administrator', async () => {
    await tain('roles create Boss --admin')
    const { out } = await tain('users create --email boss@example.com --role Boss --token')
    const [, token = ''] = linesOf(out)
    expect((await service.get('/users', { token })).status).toBe(200)
  })

  test('the password policy of the project applies', async () => {
    await service.send('PATCH', '/settings', { auth_password_policy: '/^.{12,}$/' })
    const line = 'The password does not meet the policy of this project.\n'
    expect(await tain('users create --email short@example.com --password-stdin', 'short')).toMatchObject({
      code: 2,
      error: line,
    })
    expect(await tain('users passwd ann@example.com --password-stdin', 'short')).toMatchObject({ code: 2, error: line })
    await service.send('PATCH', '/settings', { auth_password_policy: null })
  })
})

describe('a command that cannot be carried out', () => {
  let database: TestDatabase
  const tain = (line: string, input?: string): Promise<Outcome> =>
    callCommand(line.split(' '), {
      environment: { DATABASE_URL: database.url, ADMIN_TOKEN: 'token-of-the-first-administrator' },
      ...(input === undefined ? {} : { input }),
    })

  beforeAll(async () => {
    database = await createDatabase('sqlite')
    await tain('bootstrap')
    await tain('roles create Editor')
    await tain('users create --email ann@example.com --token')
  })
  afterAll(() => database?.drop())

  test.each([
    ['users create --email ann@example.com --token', 'There is already a user "ann@example.com".'],
    ['users create --email nobody --token', 'The option "--email" has to be an e-mail address.'],
    ['users create --token', 'The option "--email" is missing.'],
    ['users create --email x@example.com', 'A user needs a password or a token: give "--password-stdin" or "--token".'],
    ['users create --email x@example.com --password-stdin', 'Standard input holds no password.'],
    [
      'users create --email x@example.com --role Nobody --token',
      'There is no role "Nobody". "tain roles list" lists all roles.',
    ],
    ['users token x@example.com', 'There is no user "x@example.com". "tain users list" lists all users.'],
    ['users passwd ann@example.com', 'The option "--password-stdin" is missing.'],
    ['users token', 'The command needs <email>. "tain users token --help" describes it.'],
    ['roles create Editor', 'There is already a role "Editor".'],
  ])('tain %s is refused with one line', async (line, message) => {
    expect(await tain(line)).toEqual({ code: 2, out: '', error: `${message}\n` })
  })

  test('a password is never taken from the command line', async () => {
    const { code, error } = await tain('users create --email x@example.com --password canary-argument')
    expect(code).toBe(2)
    expect(linesOf(error)).toHaveLength(1)
    expect(error).toContain('There is no option "--password".')
    expect(error).not.toContain('canary')
  })
})

test('without tables of the service, a list says how to create them', async () => {
  const database = await createDatabase('sqlite')
  const { code, error } = await callCommand(['users', 'list'], { environment: { DATABASE_URL: database.url } })
  await database.drop()
  expect([code, linesOf(error)]).toEqual([
    2,
    ['The service has no tables in this database. "tain init" or "tain bootstrap" creates them.'],
  ])
})
