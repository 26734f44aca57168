import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, queryOf, TOKEN, type Service } from '../lib/service.ts'

let database: TestDatabase
let service: Service
let replica: Service

beforeAll(async () => {
  database = await createDatabase()
  await database.query(`
    create table authors (id integer primary key, name text, email text);
    create table notes (id integer primary key, title text, body text, author integer references authors);
    create table site (id integer primary key, title text);
    insert into authors values (1, 'Ada', 'ada@example.com');
    insert into notes values (1, 'mine', 'b', 1), (2, 'theirs', 'b', 1)`)
  const start = () => openService({ DATABASE_URL: database.url, SCHEMA_POLL_INTERVAL: '3600000' })
  service = await start()
  replica = await start()
  dataOf(await service.send('PATCH', '/collections/site', { meta: { singleton: true } }))
})

afterAll(async () => {
  await Promise.all([service.stop(), replica.stop()])
  await database.drop()
})

type Row = Readonly<Record<string, unknown>>

const nobody = { token: null }
const make = async (path: string, body: unknown) => dataOf(await service.send('POST', path, body)) as { id: string }
const grant = (collection: string, action: string, changes: Row = {}) => ({
  collection,
  action,
  fields: ['*'],
  ...changes,
})

interface Person {
  readonly id: string
  readonly role: string
  readonly policy: string
  readonly as: { readonly token: string }
}

async function person(permissions: readonly Row[], policy: Row = {}, user: Row = {}): Promise<Person> {
  const token = randomUUID()
  const { id: made } = await make('/policies', { name: 'p', permissions, ...policy })
  const { id: role } = await make('/roles', { name: 'r', policies: [{ policy: made }] })
  const { id } = await make('/users', { role, token, email: `${randomUUID()}@example.com`, ...user })
  return { id, role, policy: made, as: { token } }
}

const get = async (path: string, options: { token?: string | null } = {}) => dataOf(await service.get(path, options))

describe('/users/me', () => {
  test('is the caller, as far as it may be read', async () => {
    const own = { permissions: { id: { _eq: '$CURRENT_USER' } }, fields: ['id', 'first_name'] }
    const reader = await person([grant('service_users', 'read', own)], {}, { first_name: 'Ada' })
    expect(await get('/users/me', reader.as)).toEqual({ id: reader.id, first_name: 'Ada' })
    expect(await get('/users/me?fields=first_name', reader.as)).toEqual({ first_name: 'Ada' })
    expect(codeOf(await service.get('/users/me?fields=email', reader.as))).toBe('FORBIDDEN')
    expect((await service.get('/users/me', reader.as)).headers.get('etag')).toMatch(/^".+"$/u)
  })

  test('is the key alone where nothing may be read', async () => {
    const blind = await person([])
    expect(await get('/users/me?fields=email', blind.as)).toEqual({ id: blind.id })
    const other = await person([grant('service_users', 'read', { permissions: { first_name: { _eq: 'nobody' } } })])
    expect(await get('/users/me', other.as)).toEqual({ id: other.id })
  })

  test('is changed by the rights on the own row, and never beyond them', async () => {
    const own = { permissions: { id: { _eq: '$CURRENT_USER' } } }
    const writer = await person([
      grant('service_users', 'read', own),
      grant('service_users', 'update', { ...own, fields: ['first_name', 'password'] }),
    ])
    const changed = await service.send('PATCH', '/users/me?fields=first_name', { first_name: 'New' }, writer.as)
    expect(dataOf(changed)).toEqual({ first_name: 'New' })
    for (const body of [{ role: null }, { token: 'x' }, { status: 'draft' }, { policies: [] }])
      expect([body, codeOf(await service.send('PATCH', '/users/me', body, writer.as))]).toEqual([body, 'FORBIDDEN'])
    const blind = await person([])
    expect(codeOf(await service.send('PATCH', '/users/me', { first_name: 'New' }, blind.as))).toBe('FORBIDDEN')
  })

  test('asks who it is', async () => {
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['PATCH', '/users/me'],
      ['PATCH', '/users/me/track/page'],
    ] as const)
      expect([path, codeOf(await service.send(method, path, method === 'GET' ? undefined : {}, nobody))]).toEqual([
        path,
        'INVALID_CREDENTIALS',
      ])
  })

  test('keeps where somebody was last, without any right and without a trace in the activity', async () => {
    const blind = await person([])
    const answer = await service.send('PATCH', '/users/me/track/page', { last_page: '/content/notes' }, blind.as)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await get(`/users/${blind.id}?fields=last_page`)).toEqual({ last_page: '/content/notes' })
    const filter = { item: { _eq: blind.id }, action: { _eq: 'update' } }
    expect(await get(`/activity?${queryOf({ filter })}`)).toEqual([])
    expect(codeOf(await service.send('PATCH', '/users/me/track/page', { last_page: 1 }, blind.as))).toBe(
      'INVALID_PAYLOAD',
    )
    expect(
      (await service.send('PATCH', '/users/me/track/page', { last_page: '/x', role: null }, blind.as)).status,
    ).toBe(204)
    expect(await get(`/users/${blind.id}?fields=role`)).toEqual({ role: blind.role })
  })
})

describe('/roles/me', () => {
  test('lists the roles from the root down, at least their keys', async () => {
    const { id: parent } = await make('/roles', { name: 'parent' })
    const child = await person([])
    dataOf(await service.send('PATCH', `/roles/${child.role}`, { parent }))
    expect(await get('/roles/me', child.as)).toEqual([{ id: parent }, { id: child.role }])
    const app = await person([], { app_access: true })
    expect(await get('/roles/me?fields=id,name', app.as)).toEqual([{ id: app.role, name: 'r' }])
    const lonely = await person([], {}, { role: null })
    expect(await get('/roles/me', lonely.as)).toEqual([])
    expect(codeOf(await service.get('/roles/me', nobody))).toBe('FORBIDDEN')
  })
})

test('/policies/me/globals tells the flags of all policies together', async () => {
  const plain = await person([])
  expect(await get('/policies/me/globals', plain.as)).toEqual({
    app_access: false,
    admin_access: false,
    enforce_tfa: false,
  })
  const app = await person([], { app_access: true })
  expect(await get('/policies/me/globals', app.as)).toMatchObject({ app_access: true, admin_access: false })
  expect(await get('/policies/me/globals')).toMatchObject({ app_access: true, admin_access: true })
  expect(await get('/policies/me/globals', nobody)).toEqual({ app_access: false })
})

describe('/permissions/me', () => {
  test('tells rights by collection and action', async () => {
    const reader = await person([
      grant('notes', 'read', { fields: ['id', 'title'] }),
      grant('notes', 'read', { fields: ['body'], permissions: { title: { _eq: 'mine' } } }),
      grant('notes', 'update', { fields: ['title'], permissions: { title: { _eq: 'mine' } }, presets: { body: 'x' } }),
      grant('authors', 'create', { permissions: { id: { _eq: 1 } } }),
    ])
    const permissionModel = (await get('/permissions/me', reader.as)) as Record<string, Row>
    expect(Object.keys(permissionModel)).toEqual(['authors', 'notes'])
    expect(permissionModel['notes']).toEqual({
      create: { access: 'none' },
      read: { access: 'full', fields: ['id', 'title', 'body'] },
      update: { access: 'partial', fields: ['title'], presets: { body: 'x' } },
      delete: { access: 'none' },
      share: { access: 'none' },
    })
    expect(permissionModel['authors']?.['create']).toEqual({ access: 'full', fields: ['*'] })
  })

  test('tells an administrator everything, the public nothing', async () => {
    const permissionModel = (await get('/permissions/me')) as Record<string, Row>
    expect(permissionModel['service_users']?.['delete']).toEqual({ access: 'full', fields: ['*'] })
    expect(codeOf(await service.get('/permissions/me', nobody))).toBe('FORBIDDEN')
  })

  test('is never older than the last change, on no replica', async () => {
    const reader = await person([])
    for (let round = 0; round < 10; round += 1) {
      const [teller, asked] = round % 2 === 0 ? [service, replica] : [replica, service]
      const permission = { policy: reader.policy, ...grant('notes', 'read') }
      const { id } = dataOf(await teller.send('POST', '/permissions', permission)) as { id: number }
      expect(Object.keys(dataOf(await asked.get('/permissions/me', reader.as)) as object)).toEqual(['notes'])
      expect((await asked.get('/items/notes', reader.as)).status).toBe(200)
      expect((await teller.send('DELETE', `/permissions/${id}`)).status).toBe(204)
      expect(dataOf(await asked.get('/permissions/me', reader.as))).toEqual({})
      expect((await asked.get('/items/notes', reader.as)).status).toBe(403)
    }
  })
})

describe('/permissions/me/{collection}/{key}', () => {
  test('tells what may be done with one item', async () => {
    const writer = await person([
      grant('notes', 'read'),
      grant('notes', 'update', { fields: ['title'], permissions: { title: { _eq: 'mine' } } }),
      grant('notes', 'update', { fields: ['body'], permissions: { id: { _lt: 9 } } }),
      grant('notes', 'delete', { permissions: { title: { _eq: 'theirs' } } }),
    ])
    expect(await get('/permissions/me/notes/1', writer.as)).toEqual({
      update: { access: true, fields: ['title', 'body'] },
      delete: { access: false },
      share: { access: false },
    })
    expect(await get('/permissions/me/notes/2', writer.as)).toEqual({
      update: { access: true, fields: ['body'] },
      delete: { access: true },
      share: { access: false },
    })
    const missing = { update: { access: false }, delete: { access: false }, share: { access: false } }
    expect(await get('/permissions/me/notes/99', writer.as)).toEqual(missing)
    for (const key of ['99', 'no-number', '1,2']) expect(await get(`/permissions/me/notes/${key}`)).toEqual(missing)
    expect(await get('/permissions/me/notes/1')).toMatchObject({ update: { access: true, fields: ['*'] } })
  })

  test('of a collection that is closed or not there is FORBIDDEN in the same words', async () => {
    const writer = await person([grant('notes', 'read')])
    const answers = [
      await service.get('/permissions/me/authors/1', writer.as),
      await service.get('/permissions/me/nothing/1', writer.as),
      await service.get('/permissions/me/notes/1', nobody),
    ]
    expect(answers.map(codeOf)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })

  test('of a singleton needs no key, and tells about its making while there is none', async () => {
    const writer = await person([
      grant('site', 'create', { fields: ['title'] }),
      grant('site', 'update'),
      grant('site', 'read'),
    ])
    expect(await get('/permissions/me/site', writer.as)).toMatchObject({
      create: { access: true, fields: ['title'] },
      update: { access: false },
    })
    dataOf(await service.send('PATCH', '/items/site', { id: 1, title: 't' }))
    expect(await get('/permissions/me/site', writer.as)).toMatchObject({ update: { access: true, fields: ['*'] } })
  })
})

describe('/permissions', () => {
  test('lists those of the app for its users, and ignores a limit', async () => {
    const app = await person([grant('service_permissions', 'read')], { app_access: true })
    const rows = (await get('/permissions?limit=1', app.as)) as Row[]
    const [ofApp, stored] = [rows.filter(({ system }) => system === true), rows.filter(({ system }) => system !== true)]
    expect(stored.length).toBeGreaterThan(1)
    expect(ofApp).toContainEqual({
      collection: 'service_users',
      action: 'read',
      permissions: { id: { _eq: '$CURRENT_USER' } },
      validation: null,
      presets: null,
      fields: expect.arrayContaining(['id', 'email']) as string[],
      system: true,
    })
    const plain = await person([grant('service_permissions', 'read')])
    expect(((await get('/permissions', plain.as)) as Row[]).every(({ system }) => system === undefined)).toBe(true)
    expect(codeOf(await service.get('/permissions?fields=system', app.as))).toBe('FORBIDDEN')
  })

  test('lists the same in GraphQL', async () => {
    const app = await person([grant('service_permissions', 'read'), grant('service_policies', 'read')], {
      app_access: true,
    })
    const document = (args: string) => `{ permissions${args} { id on: collection action policy { name } __typename } }`
    const ask = async (args: string) => {
      const answer = await service.send('POST', '/graphql/system', { query: document(args) }, app.as)
      return (dataOf(answer) as { permissions: Row[] }).permissions
    }
    const ofRest = (await get('/permissions?fields=collection,action', app.as)) as Row[]
    const rows = await ask('(limit: 1)')
    expect(rows.map(({ on, action }) => [on, action])).toEqual(
      ofRest.map(({ collection, action }) => [collection, action]),
    )
    const unstored = { id: null, on: 'service_users', action: 'read', policy: null, __typename: 'service_permissions' }
    expect(rows).toContainEqual(unstored)
    expect(await ask('(filter: { collection: { _eq: "service_users" } })')).not.toContainEqual(unstored)
  })
})

describe('/collections, /fields and /relations', () => {
  test('show what may be read, the service’s own as well', async () => {
    const own = { permissions: { id: { _eq: '$CURRENT_USER' } }, fields: ['id', 'role'] }
    const reader = await person([
      grant('notes', 'read', { fields: ['id', 'title'] }),
      grant('authors', 'read', { fields: ['id', 'name'] }),
      grant('service_users', 'read', own),
    ])
    const names = ((await get('/collections', reader.as)) as { collection: string }[]).map(
      ({ collection }) => collection,
    )
    expect(names.sort()).toEqual(['authors', 'notes', 'service_users'])
    const fields = ((await get('/fields', reader.as)) as { collection: string; field: string }[]).map(
      ({ collection, field }) => `${collection}.${field}`,
    )
    expect(fields.sort()).toEqual([
      'authors.id',
      'authors.name',
      'notes.id',
      'notes.title',
      'service_users.id',
      'service_users.role',
    ])
    expect(codeOf(await service.get('/fields/notes/body', reader.as))).toBe('FORBIDDEN')
    expect(codeOf(await service.get('/fields/site', reader.as))).toBe('FORBIDDEN')
    expect(await get('/relations', reader.as)).toEqual([])
    expect(await get('/collections', nobody)).toEqual([])
  })

  test('show a relation when its field and both its sides are open', async () => {
    const reader = await person([grant('notes', 'read', { fields: ['id', 'author'] }), grant('authors', 'read')])
    const relations = (await get('/relations', reader.as)) as { collection: string; field: string }[]
    expect(relations.map(({ collection, field }) => `${collection}.${field}`)).toEqual(['notes.author'])
    const half = await person([grant('notes', 'read', { fields: ['id', 'author'] })])
    expect(await get('/relations', half.as)).toEqual([])
  })
})

describe('/server and /utils', () => {
  test('info tells everybody the project, and the version to those who have signed in', async () => {
    dataOf(
      await service.send('PATCH', '/settings', { project_name: 'Ours', public_note: 'Hello', auth_login_attempts: 7 }),
    )
    const info = (await get('/server/info', nobody)) as { project: Row }
    expect(Object.keys(info)).toEqual(['project'])
    expect(info.project).toMatchObject({ project_name: 'Ours', public_note: 'Hello', public_registration: false })
    expect(JSON.stringify(info)).not.toContain('auth_')
    const plain = await person([])
    expect(await get('/server/info', plain.as)).toMatchObject({
      version: expect.any(String) as string,
      queryLimit: { default: 100 },
      files: { mimeTypeAllowList: ['*/*'] },
    })
  })

  test('health is for those who have signed in, its details for administrators', async () => {
    expect(codeOf(await service.get('/server/health', nobody))).toBe('FORBIDDEN')
    const plain = await person([])
    expect((await service.get('/server/health', plain.as)).body).toEqual({ status: 'ok' })
    expect((await service.get('/server/health')).body).toMatchObject({ status: 'ok', checks: {} })
  })

  test('random text has the length that was asked for', async () => {
    expect(await get('/utils/random/string')).toMatch(/^[\w-]{32}$/u)
    expect(await get('/utils/random/string?length=500')).toHaveLength(500)
    expect(await get('/utils/random/string')).not.toBe(await get('/utils/random/string'))
    for (const length of ['0', '501', '-1', '1.5', 'many', ''])
      expect([length, codeOf(await service.get(`/utils/random/string?length=${length}`))]).toEqual([
        length,
        'INVALID_QUERY',
      ])
  })

  test('only administrators clear the cache', async () => {
    expect((await service.send('POST', '/utils/cache/clear')).status).toBe(204)
    const plain = await person([])
    expect(codeOf(await service.send('POST', '/utils/cache/clear', {}, plain.as))).toBe('FORBIDDEN')
    expect(codeOf(await service.send('POST', '/utils/cache/clear', {}, nobody))).toBe('FORBIDDEN')
  })
})

describe('/permissions/explain', () => {
  const explain = async (question: Row) => dataOf(await service.send('POST', '/permissions/explain', question)) as Row

  test('tells what a request of somebody would meet, and which rules decide', async () => {
    const reader = await person([
      grant('notes', 'read', { fields: ['id', 'title'] }),
      grant('notes', 'read', { fields: ['body'], permissions: { title: { _eq: 'mine' } } }),
    ])
    const list = await explain({ user: reader.id, method: 'GET', path: '/items/notes' })
    expect(list).toMatchObject({
      allowed: true,
      reason: null,
      policies: [reader.policy],
      fields: ['id', 'title', 'body'],
      masked: ['body'],
    })
    expect(list['rules']).toMatchObject([
      { policy: reader.policy, rule: null, fields: ['id', 'title'], holds: null, predicate: null },
      {
        rule: { title: { _eq: 'mine' } },
        fields: ['body'],
        predicate: expect.stringMatching(/title.*(?:\$1|\?)/u) as string,
      },
    ])
    const theirs = await explain({ user: reader.id, method: 'GET', path: '/items/notes/2' })
    expect(theirs['rules']).toMatchObject([{ holds: true }, { holds: false }])
    expect(theirs).toMatchObject({ allowed: true, fields: ['id', 'title'] })
  })

  test('says why something is refused', async () => {
    const writer = await person([
      grant('notes', 'update', { fields: ['title'], permissions: { title: { _eq: 'mine' } } }),
      grant('notes', 'read'),
    ])
    const ask = (method: string, path: string, body?: Row) =>
      explain({ user: writer.id, method, path, ...(body && { body }) })
    expect(await ask('PATCH', '/items/notes/1', { title: 'x' })).toMatchObject({ allowed: true, actions: ['update'] })
    expect(await ask('PATCH', '/items/notes/2', { title: 'x' })).toMatchObject({
      allowed: false,
      reason: 'No rule holds for the item.',
    })
    expect(await ask('PATCH', '/items/notes/1', { body: 'x' })).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('"body"') as string,
    })
    expect(await ask('DELETE', '/items/notes/1')).toMatchObject({
      allowed: false,
      reason: 'No policy grants it.',
      policies: [],
    })
    expect(await ask('GET', '/items/notes/99')).toMatchObject({ allowed: false, reason: 'There is no such item.' })
    expect(await ask('GET', '/items/nothing')).toMatchObject({ allowed: false, reason: 'There is no such collection.' })
    expect(await ask('GET', '/users')).toMatchObject({ allowed: false, collection: 'service_users' })
    expect(await explain({ user: randomUUID(), method: 'GET', path: '/items/notes' })).toMatchObject({ allowed: false })
    expect(await explain({ user: null, method: 'GET', path: '/items/notes' })).toMatchObject({ allowed: false })
  })

  test('knows the own row, and where a request comes from', async () => {
    const own = { permissions: { id: { _eq: '$CURRENT_USER' } } }
    const home = await person([grant('service_users', 'read', own)], { ip_access: ['10.0.0.0/8'] })
    const question = { user: home.id, method: 'GET', path: '/users/me' }
    expect(await explain({ ...question, ip: '10.1.2.3' })).toMatchObject({ allowed: true, rules: [{ holds: true }] })
    expect(await explain(question)).toMatchObject({ allowed: false, policies: [] })
    expect(await explain({ ...question, path: '/users/nobody', ip: '10.1.2.3' })).toMatchObject({ allowed: false })
  })

  test('agrees with what really happens', async () => {
    const somebody = await person([
      grant('notes', 'read', { permissions: { title: { _eq: 'mine' } } }),
      grant('notes', 'update', { fields: ['title'], permissions: { id: { _eq: 2 } } }),
      grant('authors', 'create', { fields: ['id', 'name'] }),
      grant('authors', 'read', { fields: ['id'] }),
    ])
    const requests: readonly (readonly [string, string, Row?])[] = [
      ['GET', '/items/notes'],
      ['GET', '/items/notes/1'],
      ['GET', '/items/notes/2'],
      ['GET', '/items/site'],
      ['PATCH', '/items/notes/2', { title: 'theirs' }],
      ['PATCH', '/items/notes/1', { title: 'mine' }],
      ['PATCH', '/items/notes/2', { body: 'x' }],
      ['POST', '/items/authors', { id: 50, name: 'x' }],
      ['POST', '/items/authors', { id: 51, email: 'x' }],
      ['DELETE', '/items/notes/1'],
      ['GET', '/users'],
    ]
    const rehearsal = { ...somebody.as, headers: { prefer: 'tx=rollback' } }
    for (const [method, path, body] of requests) {
      const { allowed } = await explain({ user: somebody.id, method, path, ...(body && { body }) })
      const { status } = await service.send(method, path, body, rehearsal)
      expect([method, path, allowed]).toEqual([method, path, status < 300])
    }
  })

  test('is for administrators, and says what is wrong with the question', async () => {
    const plain = await person([])
    const question = { user: plain.id, method: 'GET', path: '/items/notes' }
    for (const options of [plain.as, nobody])
      expect(codeOf(await service.send('POST', '/permissions/explain', question, options))).toBe('FORBIDDEN')
    for (const wrong of [{ user: 'x' }, { method: 'FLY' }, { path: '/nowhere/at/all' }, { path: 7 }, { more: 1 }])
      expect([wrong, codeOf(await service.send('POST', '/permissions/explain', { ...question, ...wrong }))]).toEqual([
        wrong,
        'INVALID_PAYLOAD',
      ])
  })

  test('tells an administrator’s requests as open, without secrets anywhere', async () => {
    const admin = await person([], { admin_access: true })
    const answer = await explain({ user: admin.id, method: 'DELETE', path: '/items/notes/1' })
    expect(answer).toMatchObject({ allowed: true, admin: true, policies: [admin.policy] })
    expect(JSON.stringify(answer)).not.toContain(TOKEN)
    const missing = await explain({ user: admin.id, method: 'DELETE', path: '/items/notes/99' })
    expect(missing).toMatchObject({ allowed: false, reason: 'There is no such item.' })
    expect((await service.send('DELETE', `/users/${admin.id}`)).status).toBe(204)
  })
})
