import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ SCHEMA_POLL_INTERVAL: '200' })
})

afterAll(() => world.end())

const idsOf = async (caller: Caller, query: Row = {}) =>
  (dataOf(await caller.get('/items/articles', { fields: 'id', sort: 'id', ...query })) as { id: number }[]).map(
    ({ id }) => id,
  )

const REFUSED = 'refused with 403, nothing changed'

/** The articles that a rule opens for reading and updating although no guard has seen it. */
async function openedByStored(permissions: Row): Promise<readonly number[]> {
  const usable = { permissions: { id: { _gt: 0 } } }
  const caller = await world.person([
    grant('articles', 'read', usable),
    grant('articles', 'update', { ...usable, fields: ['title'] }),
  ])
  await world.database.query(`update tain.service_permissions set permissions = '${JSON.stringify(permissions)}'
    where policy = '${caller.policy}'; update tain.service_version set rights = rights + 1`)
  const opened = await idsOf(caller)
  const update = () => outcome(() => caller.send('PATCH', '/items/articles/1', { title: 'x' }))
  expect(opened.length === 0 ? await update() : REFUSED).toBe(REFUSED)
  return opened
}

const outcome = async (act: () => Promise<Answer>): Promise<string> => {
  const before = await world.fingerprint()
  const { status, text } = await act()
  if (status !== 403) return `${status} ${text}`
  return (await world.fingerprint()) === before ? REFUSED : 'refused, but something has changed'
}

describe('nothing is open unless somebody has opened it', () => {
  // compare tables that are public by default (Supabase)
  test('to nobody, to a user without role, to a role without policies', async () => {
    const bare = await world.person([])
    for (const caller of [world.nobody, bare]) {
      for (const path of ['/items/articles', '/items/articles/1', '/users', '/activity', '/settings', '/permissions/1'])
        expect([path, (await caller.get(path)).status]).toEqual([path, 403])
      expect((await caller.send('POST', '/items/articles', { title: 'x' })).status).toBe(403)
      for (const path of ['/collections', '/fields', '/relations'])
        expect([path, dataOf(await caller.get(path))]).toEqual([path, []])
    }
  })

  test('a permission without fields opens no field', async () => {
    for (const fields of [null, []]) {
      const caller = await world.person([
        grant('articles', 'read', { fields }),
        grant('articles', 'update', { fields }),
      ])
      expect((await caller.get('/items/articles')).text).not.toMatch(/one|classified/u)
      expect((await caller.get('/items/articles', { fields: 'id' })).status).toBe(403)
      expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { title: 'x' }))).toBe(REFUSED)
    }
  })
})

describe('rules that cannot be met let nobody through', () => {
  // GHSA-hxgm-ghmv-xjjm CVE-2024-39701
  test('an empty list is no condition that always holds', async () => {
    const caller = await world.person([
      grant('articles', 'read', { permissions: { id: { _in: [] } } }),
      grant('articles', 'update', { permissions: { id: { _in: [] } } }),
      grant('articles', 'delete', { permissions: { _or: [{ id: { _in: [] } }, { id: { _in: [] } }] } }),
    ])
    expect(await idsOf(caller)).toEqual([])
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { title: 'x' }))).toBe(REFUSED)
    expect(await outcome(() => caller.send('DELETE', '/items/articles/1'))).toBe(REFUSED)
    const all = await world.person([grant('articles', 'read', { permissions: { id: { _nin: [] } } })])
    expect(await idsOf(all)).toEqual([1, 2, 3])
  })

  test('a variable that stands for nothing meets no condition, whatever the operator', async () => {
    const rules: readonly Row[] = [
      { owner: { _eq: '$CURRENT_USER' } },
      { owner: { _neq: '$CURRENT_USER' } },
      { owner: { _in: ['$CURRENT_USER'] } },
      { owner: { _nin: ['$CURRENT_USER'] } },
      { title: { _neq: '$CURRENT_USER.title' } },
      { title: { _nin: ['$CURRENT_USER.role.description'] } },
    ]
    for (const permissions of rules) {
      const { id: policy } = await world.make('/policies', {
        name: 'public',
        permissions: [grant('articles', 'read', { permissions })],
      })
      const { id } = await world.make('/access', { policy })
      expect([permissions, await idsOf(world.nobody)]).toEqual([permissions, []])
      await world.admin.send('DELETE', `/access/${id}`)
    }
  })

  // Strapi #17001: a condition that could not be used was dropped
  test('a rule on a field that is gone, of a type that does not fit, or that nobody can read', async () => {
    const rules: readonly Row[] = [{ gone: { _eq: 1 } }, { id: { _eq: 'text' } }, { author: { gone: { _eq: 1 } } }]
    for (const permissions of [...rules, { _what: 1 }]) expect(await openedByStored(permissions)).toEqual([])
  })

  // An undefined value of a program arrives like this.
  test('a stored rule with a field or relation without an operator, or with an _or without branches', async () => {
    for (const permissions of [
      { id: {} },
      { _and: [{ id: {} }] },
      { _or: [{ status: { _eq: 'published' } }, { id: {} }] },
      { author: {} },
      { author: { name: {} } },
      { notes: { _some: { text: {} } } },
      { details: { _json: { level: {} } } },
      { _or: [] },
      { author: { _or: [] } },
    ])
      expect([permissions, await openedByStored(permissions)]).toEqual([permissions, []])
    expect(await openedByStored({ _and: [{}] })).toEqual([1, 2, 3])
  })

  test('a stored validation with a field without an operator', async () => {
    for (const validation of [{ title: {} }, { _or: [{ title: {} }] }, { _and: [{ rank: {} }] }, { _or: [] }]) {
      const caller = await world.person([grant('articles', 'create'), grant('articles', 'update')])
      await world.database.query(`update tain.service_permissions set validation = '${JSON.stringify(validation)}'
        where policy = '${caller.policy}'; update tain.service_version set rights = rights + 1`)
      const before = await world.fingerprint()
      for (const answer of [
        await caller.send('POST', '/items/articles', { title: 'x' }),
        await caller.send('PATCH', '/items/articles/1', { title: 'x' }),
      ])
        expect([validation, codeOf(answer)]).toEqual([validation, 'FAILED_VALIDATION'])
      expect(await world.fingerprint()).toBe(before)
    }
  })

  test('a part of a caller’s query that cannot be used is refused, not dropped', async () => {
    const caller = await world.person([grant('articles', 'read', { fields: ['id'] })])
    for (const filter of [{ gone: { _eq: 1 } }, { id: { _eq: 1 }, internal: { _eq: 'x' } }, { id: { _what: 1 } }])
      expect([filter, (await caller.get('/items/articles', { filter })).status >= 400]).toEqual([filter, true])
  })
})

describe('rules of several policies', () => {
  // GHSA-99vm-5v2h-h6r6 CVE-2025-27089
  test('a field may be written in the rows of the policy that gives it, and in no others', async () => {
    const caller = await world.person([
      grant('articles', 'read'),
      grant('articles', 'update', { fields: ['title'] }),
      grant('articles', 'update', { fields: ['internal'], permissions: { status: { _eq: 'draft' } } }),
    ])
    expect((await caller.send('PATCH', '/items/articles/2', { internal: 'classified-two' })).status).toBe(200)
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { internal: 'x' }))).toBe(REFUSED)
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { title: 'one', internal: 'x' }))).toBe(
      REFUSED,
    )
    expect(
      await outcome(() => caller.send('PATCH', '/items/articles', { keys: [1, 2], data: { internal: 'x' } })),
    ).toBe(REFUSED)
    expect(await outcome(() => caller.send('PATCH', '/items/articles', { all: true, data: { internal: 'x' } }))).toBe(
      REFUSED,
    )
    expect(await outcome(() => caller.send('PUT', '/items/articles/1', { internal: 'x' }))).toBe(REFUSED)
    expect(await outcome(() => caller.upload('articles', '[{"id":1,"internal":"x"}]', 'application/json'))).toBe(
      REFUSED,
    )
  })

  test('the password of others stays closed to who may write their names', async () => {
    const other = await world.person([])
    const caller = await world.person([
      grant('service_users', 'read', { fields: ['id', 'first_name'] }),
      grant('service_users', 'update', { fields: ['first_name'] }),
      grant('service_users', 'update', { fields: ['password'], permissions: { id: { _eq: '$CURRENT_USER' } } }),
    ])
    expect(await outcome(() => caller.send('PATCH', `/users/${other.id}`, { first_name: 'x', password: 'mine' }))).toBe(
      REFUSED,
    )
    expect(
      await outcome(() =>
        caller.send('PATCH', '/users', { all: true, query: { fields: ['id'] }, data: { password: 'mine' } }),
      ),
    ).toBe(REFUSED)
    expect((await caller.send('PATCH', `/users/${caller.id}`, { password: 'mine' })).status).toBeLessThan(300)
  })

  // Hasura issue 10711
  test('a role below others has their rules with their rows, not without', async () => {
    const parent = await world.person([grant('articles', 'read', { fields: ['id'], permissions: { id: { _eq: 1 } } })])
    const child = await world.person([
      grant('articles', 'read', { fields: ['id', 'internal'], permissions: { id: { _eq: 2 } } }),
    ])
    dataOf(await world.admin.send('PATCH', `/roles/${child.role}`, { parent: parent.role }))
    expect(dataOf(await child.get('/items/articles', { fields: 'id,internal' }))).toEqual([
      { id: 1, internal: null },
      { id: 2, internal: 'classified-two' },
    ])
  })
})

describe('writes to many rows', () => {
  // GHSA-g7mj-g7f4-hgrg CVE-2022-46792; 7.3 c
  test('a query chooses among rows that can be seen, and each has to be open', async () => {
    const caller = await world.person([
      grant('articles', 'read', { permissions: { status: { _eq: 'published' } } }),
      grant('articles', 'update', { permissions: { id: { _eq: 1 } } }),
      grant('articles', 'delete', { permissions: { id: { _eq: 1 } } }),
    ])
    const [unseen, seen] = [{ filter: { id: { _eq: 2 } } }, { filter: { id: { _in: [1, 2] } } }]
    const before = await world.fingerprint()
    const none = await caller.send('PATCH', '/items/articles', { query: unseen, data: { title: 'x' } })
    expect([none.status, none.body]).toEqual([200, { data: [] }])
    expect(await world.fingerprint()).toBe(before)
    expect(await outcome(() => caller.send('PATCH', '/items/articles', { all: true, data: { title: 'x' } }))).toBe(
      REFUSED,
    )
    expect(await outcome(() => caller.send('DELETE', '/items/articles', { all: true }))).toBe(REFUSED)
    expect(await outcome(() => caller.send('PATCH', '/items/articles', { keys: [1, 2], data: { title: 'x' } }))).toBe(
      REFUSED,
    )
    expect(dataOf(await caller.send('PATCH', '/items/articles', { query: seen, data: { title: 'one' } }))).toHaveLength(
      1,
    )
  })

  // 7.3 d
  test('a move needs the right to the item and to the one whose place it takes', async () => {
    dataOf(await world.admin.send('PATCH', '/collections/articles', { meta: { sort_field: 'rank' } }))
    const caller = await world.person([
      grant('articles', 'read'),
      grant('articles', 'update', { fields: ['rank'], permissions: { id: { _neq: 2 } } }),
    ])
    expect(await outcome(() => caller.send('POST', '/utils/sort/articles', { item: 3, to: 2 }))).toBe(REFUSED)
    expect(await outcome(() => caller.send('POST', '/utils/sort/articles', { item: 2, to: 3 }))).toBe(REFUSED)
    const blind = await world.person([
      grant('articles', 'read', { permissions: { id: { _eq: 3 } } }),
      grant('articles', 'update', { fields: ['rank'] }),
    ])
    expect(await outcome(() => blind.send('POST', '/utils/sort/articles', { item: 3, to: 1 }))).toBe(REFUSED)
    const other = await world.person([grant('articles', 'read'), grant('articles', 'update', { fields: ['title'] })])
    expect(await outcome(() => other.send('POST', '/utils/sort/articles', { item: 3, to: 1 }))).toBe(REFUSED)
    dataOf(await world.admin.send('PATCH', '/collections/articles', { meta: { sort_field: null } }))
  })

  // 7.3 j: the row before the write decides who may write it, and validation decides its new content
  test('a row cannot be taken, or given to others, past the rule on what is written', async () => {
    const caller = await world.person([
      grant('articles', 'read'),
      grant('articles', 'update', {
        fields: ['owner', 'title'],
        permissions: { owner: { _eq: '$CURRENT_USER' } },
        validation: { owner: { _eq: '$CURRENT_USER' } },
      }),
      grant('service_users', 'read'),
    ])
    expect(await outcome(() => caller.send('PATCH', '/items/articles/1', { owner: caller.id }))).toBe(REFUSED)
    await world.database.query(`update articles set owner = '${caller.id}' where id = 3`)
    const { id: other } = await world.make('/users', {})
    const before = await world.fingerprint()
    const given = await caller.send('PATCH', '/items/articles/3', { owner: other })
    expect([given.status, codeOf(given)]).toEqual([400, 'FAILED_VALIDATION'])
    expect(await world.fingerprint()).toBe(before)
  })
})

describe('rights that have gone do not come back', () => {
  // GHSA-9x5g-62gj-wqf2 CVE-2025-64746
  test('a field that is deleted takes its grants along, and one of the same name begins without', async () => {
    const field = { field: 'reborn', type: 'string' }
    expect((await world.admin.send('POST', '/fields/vault', field)).status).toBe(200)
    const caller = await world.person([grant('vault', 'read', { fields: ['id', 'reborn'] })])
    const reads = async () => (await caller.get('/items/vault', { fields: 'reborn' })).status
    expect(await reads()).toBe(200)
    expect((await world.admin.send('DELETE', '/fields/vault/reborn')).status).toBe(204)
    expect(await reads()).toBe(403)
    expect((await world.admin.send('POST', '/fields/vault', field)).status).toBe(200)
    expect(await reads()).toBe(403)
    expect((await world.admin.send('DELETE', '/fields/vault/reborn')).status).toBe(204)
  })

  test('a policy, a role and a permission that are deleted count no more at the next request', async () => {
    const caller = await world.person([grant('articles', 'read')])
    expect(await idsOf(caller)).toHaveLength(3)
    const [row] = await world.database.query(
      `select id from tain.service_permissions where policy = '${caller.policy}'`,
    )
    expect((await world.admin.send('DELETE', `/permissions/${row?.[0] ?? ''}`)).status).toBe(204)
    expect((await caller.get('/items/articles')).status).toBe(403)
  })
})

describe('rights that hold for some addresses', () => {
  // 7.3 e: administrator access must not apply to an address that is not known to match
  test('administrator access of a policy for other addresses opens nothing', async () => {
    const caller = await world.person([], { admin_access: true, ip_access: ['203.0.113.0/24'] })
    for (const path of ['/items/articles', '/users', '/server/health'])
      expect([path, codeOf(await caller.get(path))]).toEqual([path, 'INVALID_IP'])
    const mixed = await world.person([grant('articles', 'read', { fields: ['id'] })])
    const { id: policy } = await world.make('/policies', {
      name: 'elsewhere',
      admin_access: true,
      ip_access: ['203.0.113.9'],
    })
    await world.make('/access', { user: mixed.id, policy })
    expect((await mixed.get('/users')).status).toBe(403)
    expect((await mixed.get('/items/articles', { fields: 'internal' })).status).toBe(403)
    // No header determines the address of a request, unless the operator trusts a proxy.
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip'])
      expect((await mixed.get('/users', {}, { [header]: '203.0.113.9' })).status).toBe(403)
  })
})
