import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from './world.ts'

let world: World
/** Has app access and may write the titles of their own articles. */
let worker: Caller
/** A different user with app access. */
let other: Caller

beforeAll(async () => {
  world = await createWorld()
  const own = { permissions: { owner: { _eq: '$CURRENT_USER' } } }
  const permissions = [
    grant('articles', 'read', { fields: ['id', 'title', 'author', 'owner', 'notes'] }),
    grant('articles', 'create', { fields: ['title', 'author', 'notes', 'owner'] }),
    grant('articles', 'update', { ...own, fields: ['title', 'author', 'notes'] }),
    grant('notes', 'read', { fields: ['id', 'text', 'article'] }),
    grant('service_users', 'update', {
      permissions: { id: { _eq: '$CURRENT_USER' } },
      fields: ['first_name', 'password', 'role', 'policies', 'status', 'email'],
    }),
  ]
  worker = await world.person(permissions, { app_access: true })
  other = await world.person([], { app_access: true })
  await world.database.query(`update articles set owner = '${worker.id}' where id = 1`)
})

afterAll(() => world.end())

type Act = () => Promise<Answer>

const REFUSED = 'refused with 403, nothing changed'

const outcome = async (act: Act, statuses: readonly number[] = [403]): Promise<string> => {
  const before = await world.fingerprint()
  const { status, text } = await act()
  if (!statuses.includes(status)) return `${status} ${text}`
  return (await world.fingerprint()) === before ? REFUSED : 'refused, but something has changed'
}

describe('what is refused has changed nothing, not even elsewhere', () => {
  // GHSA-p623-wgx3-wxp8, GHSA-6hpw-rhhq-6xq3, GHSA-mv33-9f6j-pfmc CVE-2025-55746: side effects before the check
  const acts: Readonly<Record<string, Act>> = {
    create: () => worker.send('POST', '/items/authors', { name: 'x' }),
    'create several, one of them closed': () =>
      worker.send('POST', '/items/articles', [{ title: 'kept?' }, { title: 'x', internal: 'y' }]),
    'create what links to a closed row': () => worker.send('POST', '/items/articles', { title: 'kept?', author: 1 }),
    update: () => worker.send('PATCH', '/items/articles/2', { title: 'x' }),
    'update by query': () => worker.send('PATCH', '/items/articles', { all: true, data: { title: 'x' } }),
    'update several, one of them closed': () =>
      worker.send('PATCH', '/items/articles', [
        { id: 1, title: 'kept?' },
        { id: 2, title: 'x' },
      ]),
    upsert: () => worker.send('PUT', '/items/articles/2', { title: 'x' }),
    delete: () => worker.send('DELETE', '/items/articles/1'),
    'delete by query': () => worker.send('DELETE', '/items/articles', { all: true }),
    'a batch whose last operation is closed': () =>
      worker.send('POST', '/batch', [
        { method: 'POST', path: '/items/articles', body: { title: 'kept?' } },
        { method: 'PATCH', path: '/items/articles/1', body: { title: 'kept?' } },
        { method: 'DELETE', path: '/items/authors/1' },
      ]),
    'an import': () =>
      worker.upload('articles', '[{"title":"kept?"},{"title":"x","internal":"y"}]', 'application/json'),
    'a refused request with a key to repeat it': () =>
      worker.send('POST', '/items/authors', { name: 'x' }, { 'idempotency-key': randomUUID() }),
    'a rehearsal': () => worker.send('POST', '/items/authors', { name: 'x' }, { prefer: 'tx=rollback' }),
    revert: () => worker.send('POST', '/utils/revert/1'),
    move: () => worker.send('POST', '/utils/sort/notes', { item: 1, to: 2 }),
    settings: () => worker.send('PATCH', '/settings', { project_name: 'Mine' }),
    'clearing the cache': () => worker.send('POST', '/utils/cache/clear'),
    collection: () => worker.send('PATCH', '/collections/articles', { meta: { hidden: true } }),
    'collection made': () => worker.send('POST', '/collections', { collection: 'mine', schema: {} }),
    'collection dropped': () => worker.send('DELETE', '/collections/articles'),
    field: () => worker.send('PATCH', '/fields/authors/pin', { meta: { special: null } }),
    'field made': () => worker.send('POST', '/fields/articles', { field: 'mine', type: 'alias' }),
    'field dropped': () => worker.send('DELETE', '/fields/articles/title'),
    relation: () => worker.send('PATCH', '/relations/articles/author', { meta: { one_field: 'mine' } }),
    'relation dropped': () => worker.send('DELETE', '/relations/articles/owner'),
    'somebody else’s user': () => worker.send('PATCH', `/users/${other.id}`, { first_name: 'x' }),
    role: () => worker.send('PATCH', `/roles/${worker.role}`, { name: 'x' }),
    permission: () => worker.send('POST', '/permissions', { policy: worker.policy, ...grant('authors', 'read') }),
    explanation: () => worker.send('POST', '/permissions/explain', { user: other.id, collection: 'articles' }),
    'by nobody: an item': () => world.nobody.send('POST', '/items/articles', { title: 'x' }),
    'by nobody: a user': () => world.nobody.send('POST', '/users', { email: 'x@example.com' }),
    'by nobody: settings': () => world.nobody.send('PATCH', '/settings', { project_name: 'x' }),
  }
  test.each(Object.entries(acts))('%s', async (_, act) => {
    expect(await outcome(act)).toBe(REFUSED)
  })
})

describe('nested writes', () => {
  // reliability row 7: access through a relation needs the same permissions as direct access
  const acts: Readonly<Record<string, Row>> = {
    'a child made': { notes: { create: [{ text: 'x' }] } },
    'a child changed': { notes: { update: [{ id: 1, text: 'x' }] } },
    'a child removed': { notes: { delete: [1] } },
    'a child left out': { notes: [] },
    'a child taken from another parent': { notes: [1, 2] },
    'a child taken by an object': { notes: [{ id: 1 }, { id: 2 }] },
    'a parent changed': { author: { id: 1, salary: 1 } },
    'a parent made': { author: { name: 'x' } },
    'a user changed far below': { owner: { id: 'other', status: 'suspended' } },
  }
  test.each(Object.entries(acts))('%s', async (_, body) => {
    const sent = JSON.parse(JSON.stringify(body).replace('"other"', `"${other.id}"`)) as Row
    expect(await outcome(() => worker.send('PATCH', '/items/articles/1', sent))).toBe(REFUSED)
  })

  test('the right to write a child does not give it to who only may write the parent’s list', async () => {
    const caller = await world.person([
      grant('articles', 'read', { fields: ['id', 'notes'] }),
      grant('articles', 'update', { fields: ['notes'] }),
      grant('notes', 'read', { fields: ['id', 'text', 'article'] }),
      grant('notes', 'update', { fields: ['text', 'article'], permissions: { article: { _eq: 1 } } }),
    ])
    expect(
      (await caller.send('PATCH', '/items/articles/1', { notes: { update: [{ id: 1, text: 'first' }] } })).status,
    ).toBe(200)
    // Taking a child from another parent is an update of that child, in every notation.
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { notes: [1, 2] }))).toBe(REFUSED)
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { notes: { update: [{ id: 2 }] } }))).toBe(
      REFUSED,
    )
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { notes: [1, { id: 2, text: 'x' }] }))).toBe(
      REFUSED,
    )
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { notes: { create: [{ text: 'x' }] } }))).toBe(
      REFUSED,
    )
  })
})

describe('fields that carry power are not written by who does not have it', () => {
  // GHSA-gc7p-j5xm-xxh2, GHSA-3fff-gqw3-vj86 and similar: mass assignment
  const acts: Readonly<Record<string, Act>> = {
    'the own role': async () => {
      const { id: role } = await adminRole()
      return worker.send('PATCH', '/users/me', { role })
    },
    'the own policies': async () => {
      const { id: policy } = await world.make('/policies', { name: 'all', admin_access: true })
      return worker.send('PATCH', '/users/me', { policies: [{ policy }] })
    },
    'a policy made inside the own user': () =>
      worker.send('PATCH', '/users/me', { policies: [{ policy: { name: 'x', admin_access: true } }] }),
    'a token': () => worker.send('PATCH', '/users/me', { token: 'mine' }),
    'a provider': () => worker.send('PATCH', '/users/me', { provider: 'evil', external_identifier: 'x' }),
    'the secret of the second factor': () => worker.send('PATCH', '/users/me', { tfa_secret: 'x' }),
    'who made a comment': () => worker.send('PATCH', '/comments/1', { user_created: other.id }),
  }
  const adminRole = async () => {
    const [row] = await world.database.query(
      `select a.role from tain.service_access a join tain.service_policies p on p.id = a.policy and p.admin_access
        where a.role is not null`,
    )
    return { id: row?.[0] ?? '' }
  }
  test.each(Object.entries(acts))('%s', async (_, act) => {
    const users = () =>
      world.database.query(
        'select id, role, token, provider, external_identifier, tfa_secret, status from tain.service_users order by id',
      )
    const permissionModel = () => world.database.query('select * from tain.service_access order by id')
    const prepared = await users()
    const answer = await act()
    expect([answer.text, answer.status]).toEqual([answer.text, 403])
    expect(await users()).toEqual(prepared)
    expect(JSON.stringify(await permissionModel())).not.toContain(`"${worker.id}"`)
  })

  test('a key in a payload does not lead to another row', async () => {
    const theirs = () => world.database.query(`select u::text from tain.service_users u where id = '${other.id}'`)
    const before = await theirs()
    await worker.send('PATCH', '/users/me', { id: other.id, first_name: 'x' })
    await worker.send('PATCH', '/items/articles/1', { id: 2, title: 'x' })
    expect(await theirs()).toEqual(before)
    expect(await world.database.query('select id, title from articles order by id limit 2')).toEqual([
      ['1', expect.any(String)],
      ['2', 'two'],
    ])
  })

  // GHSA-3fff-gqw3-vj86 CVE-2024-6534, CVE-2026-25574
  test('a preset belongs to who made it, and cannot be given to others or taken from them', async () => {
    const preset = (caller: Caller, body: Row) => caller.send('POST', '/presets', { collection: 'articles', ...body })
    const refused = (act: Act) => outcome(act, [400, 403])
    expect(await refused(() => preset(worker, { user: other.id }))).toBe(REFUSED)
    expect(await refused(() => preset(worker, { role: worker.role }))).toBe(REFUSED)
    const { id: mine } = dataOf(await preset(worker, {})) as { id: number }
    const { id: theirs } = dataOf(await preset(other, {})) as { id: number }
    expect(await refused(() => worker.send('PATCH', `/presets/${mine}`, { user: other.id }))).toBe(REFUSED)
    expect(await refused(() => worker.send('PATCH', `/presets/${mine}`, { user: null }))).toBe(REFUSED)
    expect(await refused(() => worker.send('PATCH', `/presets/${mine}`, { role: worker.role }))).toBe(REFUSED)
    expect(await refused(() => worker.send('PATCH', `/presets/${theirs}`, { bookmark: 'x' }))).toBe(REFUSED)
    expect(await refused(() => worker.send('PATCH', `/presets/${theirs}`, { user: worker.id }))).toBe(REFUSED)
    expect(await refused(() => worker.send('PATCH', '/presets', [{ id: theirs, user: worker.id }]))).toBe(REFUSED)
    expect(await refused(() => worker.send('PUT', `/presets/${theirs}`, { user: worker.id }))).toBe(REFUSED)
    expect(await refused(() => worker.send('DELETE', `/presets/${theirs}`))).toBe(REFUSED)
    expect((await worker.get(`/presets/${theirs}`)).status).toBe(403)
  })

  test('a comment and a notification speak for nobody else', async () => {
    const { id } = dataOf(
      await worker.send('POST', '/comments', { collection: 'articles', item: '1', comment: 'x' }),
    ) as { id: string }
    expect(await outcome(() => other.send('PATCH', `/comments/${id}`, { comment: 'y' }))).toBe(REFUSED)
    expect(await outcome(() => other.send('DELETE', `/comments/${id}`))).toBe(REFUSED)
    expect(await outcome(() => worker.send('PATCH', `/comments/${id}`, { user_created: other.id }))).toBe(REFUSED)
    expect(await outcome(() => worker.send('POST', '/notifications', { recipient: other.id, subject: 'x' }))).toBe(
      REFUSED,
    )
    const spoofed = await worker.send('POST', '/comments', {
      collection: 'articles',
      item: '1',
      comment: 'x',
      user_created: other.id,
    })
    const [row] = await world.database.query(
      `select count(*) from tain.service_comments where user_created = '${other.id}'`,
    )
    expect([spoofed.status < 500, row?.[0]]).toEqual([true, '0'])
  })
})

describe('who manages rights without being an administrator', () => {
  const manage = ['policies', 'permissions', 'roles', 'access'].flatMap((name) =>
    ['create', 'read', 'update'].map((action) => grant(`service_${name}`, action)),
  )
  let manager: Caller

  beforeAll(async () => {
    manager = await world.person([
      ...manage,
      grant('articles', 'read', { fields: ['id', 'title', 'author'] }),
      grant('articles', 'create', { fields: ['title'] }),
      grant('authors', 'read', { fields: ['id', 'name'] }),
      grant('authors', 'read', { fields: ['salary'], permissions: { name: { _eq: 'Bob' } } }),
    ])
  })

  const policyWith = (permission: Row) => manager.send('POST', '/policies', { name: 'x', permissions: [permission] })
  const reading = (permissions: Row) => policyWith(grant('articles', 'read', { fields: ['id'], permissions }))

  test('writes no rule that asks about what they may not read', async () => {
    const rules: readonly Row[] = [
      { internal: { _starts_with: 'classified' } },
      { _or: [{ id: { _eq: 1 } }, { internal: { _nnull: true } }] },
      { author: { email: { _starts_with: 'a' } } },
      { author: { salary: { _gt: 1 } } },
      { notes: { private: { _nnull: true } } },
      { owner: { email: { _starts_with: 'a' } } },
      { '$FOLLOW(notes,article)': { private: { _nnull: true } } },
      { title: { _eq: '$CURRENT_USER.email' } },
      { title: { _in: ['$CURRENT_ROLE.users.email'] } },
    ]
    for (const rule of rules) expect(await outcome(() => reading(rule))).toBe(REFUSED)
    for (const presets of [{ title: '$CURRENT_USER.role.users.email' }, { title: ['$CURRENT_USER.email'] }])
      expect(await outcome(() => policyWith(grant('articles', 'create', { fields: ['title'], presets })))).toBe(REFUSED)
    const validation = { title: { _in: ['$CURRENT_ROLE.users.email'] } }
    expect(await outcome(() => policyWith(grant('articles', 'create', { fields: ['title'], validation })))).toBe(
      REFUSED,
    )
  })

  test('writes rules on what they read in every row, and those that they hold themselves', async () => {
    const rules: readonly Row[] = [{ title: { _starts_with: 'o' } }, { author: { name: { _eq: 'Ada' } } }]
    for (const rule of rules) expect([rule, (await reading(rule)).status]).toEqual([rule, 200])
    const held = grant('authors', 'read', { fields: ['salary'], permissions: { name: { _eq: 'Bob' } } })
    expect((await policyWith(held)).status).toBe(200)
    const { id: policy } = await world.make('/policies', {
      name: 'made by an administrator',
      permissions: [grant('articles', 'read', { fields: ['id'], permissions: { internal: { _eq: 'x' } } })],
    })
    expect((await manager.send('POST', '/access', { role: worker.role, policy })).status).toBe(200)
    const [row] = await world.database.query(`select id from tain.service_permissions where policy = '${policy}'`)
    const changed = await manager.send('PATCH', `/permissions/${row?.[0] ?? ''}`, {
      permissions: { internal: { _starts_with: 'y' } },
    })
    expect([changed.status, codeOf(changed)]).toEqual([403, 'FORBIDDEN'])
  })
})
