import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, dataOf, openService, queryOf, until, type Answer } from '../lib/service.ts'
import { createWorld, grant, type Caller, type Row, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})

afterAll(() => world.end())

const FAILED = 'FAILED_VALIDATION'
const outcome = (answer: Answer) => (answer.status < 300 ? 'written' : codeOf(answer))
const creates = (validation: Row, changes: Row = {}) =>
  world.person([grant('articles', 'create', { validation, ...changes }), grant('articles', 'read')])
const updates = (validation: Row, changes: Row = {}) =>
  world.person([grant('articles', 'update', { validation, ...changes }), grant('articles', 'read')])
const create = async (caller: Caller, body: unknown) => outcome(await caller.send('POST', '/items/articles', body))
const update = async (caller: Caller, body: unknown) => outcome(await caller.send('PATCH', '/items/articles/1', body))

const either = { _or: [{ status: { _eq: 'draft' } }, { rank: { _eq: 99 } }] }

describe('a condition on what is not written is not met', () => {
  test('in a branch, on create and on update', async () => {
    const [maker, editor] = [await creates(either), await updates(either)]
    for (const write of [(body: Row) => create(maker, body), (body: Row) => update(editor, body)]) {
      expect(await write({ status: 'published' })).toBe(FAILED)
      expect(await write({ status: 'published', rank: 99 })).toBe('written')
      expect(await write({ status: 'draft' })).toBe('written')
      expect(await write({ rank: 98 })).toBe(FAILED)
    }
  })

  test('by a new row, whatever the database would put there', async () => {
    const caller = await creates({ status: { _eq: 'draft' } })
    const answer = await caller.send('POST', '/items/articles', { title: 'x' })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { errors: [{ extensions: { code: FAILED, field: 'status', type: 'required' } }] },
    ])
    expect(await create(caller, { title: 'x', status: 'draft' })).toBe('written')
    const preset = await creates({ status: { _eq: 'draft' } }, { presets: { status: 'draft' } })
    expect(await create(preset, { title: 'x' })).toBe('written')
    expect(await create(preset, { title: 'x', status: 'published' })).toBe(FAILED)
  })

  test('an update is asked about the parts of a rule that name something it writes', async () => {
    const caller = await updates({ status: { _neq: 'published' }, _and: [{ rank: { _lt: 10 } }] })
    expect(await update(caller, { title: 'x' })).toBe('written')
    expect(await update(caller, { rank: 3 })).toBe('written')
    expect(await update(caller, { rank: 30 })).toBe(FAILED)
    expect(await update(caller, { title: 'x', status: 'published' })).toBe(FAILED)
  })

  test('in rows deep inside a payload, keys of other rows included', async () => {
    const rule = { _and: [{ author: { _nnull: true } }, { status: { _eq: 'draft' } }] }
    const caller = await world.person([
      grant('articles', 'create', { validation: rule }),
      grant('articles', 'read'),
      grant('authors', 'create'),
      grant('authors', 'read'),
    ])
    const author = (articles: readonly Row[]) => ({ name: 'New', articles })
    const make = async (articles: readonly Row[]) =>
      outcome(await caller.send('POST', '/items/authors', author(articles)))
    expect(await make([{ title: 'a', status: 'draft' }])).toBe('written')
    expect(await make([{ title: 'a' }])).toBe(FAILED)
    expect(await create(caller, { status: 'draft', author: { name: 'Other' } })).toBe('written')
    expect(await create(caller, { status: 'draft' })).toBe(FAILED)
  })

  test('in imports and upserts', async () => {
    const caller = await world.person([
      grant('articles', 'create', { validation: { status: { _eq: 'draft' } } }),
      grant('articles', 'update'),
      grant('articles', 'read'),
    ])
    expect(outcome(await caller.upload('articles', '[{"title":"x"}]', 'application/json'))).toBe(FAILED)
    expect(outcome(await caller.send('PUT', '/items/articles/900', { title: 'x' }))).toBe(FAILED)
    expect(outcome(await caller.send('PUT', '/items/articles/900', { status: 'draft' }))).toBe('written')
  })

  test('through GraphQL', async () => {
    const caller = await creates(either)
    const make = async (data: string) =>
      (await caller.send('POST', '/graphql', { query: `mutation { create_articles_item(data: ${data}) { id } }` })).text
    expect(await make('{ status: "published" }')).toContain(FAILED)
    expect(await make('{ status: "draft" }')).not.toContain('errors')
  })
})

describe('rules name what is there', () => {
  const bad: readonly (readonly [string, Row])[] = [
    ['a group that is none', { validation: { _nor: [{ status: { _eq: 'published' } }] } }],
    ['a misspelt field', { validation: { statuss: { _eq: 'draft' } } }],
    ['a misspelt field in a branch', { validation: { _or: [{ status: { _eq: 'a' } }, { _and: [{ statuss: 1 }] }] } }],
    ['a misspelt operator', { validation: { status: { _eqq: 'draft' } } }],
    ['a list of children', { validation: { notes: { _nnull: true } } }],
    ['a way to other rows', { validation: { author: { name: { _eq: 'Ada' } } } }],
    ['a misspelt preset', { presets: { statuss: 'draft' } }],
    ['a misspelt field of a filter', { permissions: { statuss: { _eq: 'draft' } } }],
    ['a misspelt field behind a relation', { permissions: { author: { nam: { _eq: 'Ada' } } } }],
    ['a misspelt operator of a filter', { permissions: { status: { _eqq: 'draft' } } }],
    ['a group of a filter that is none', { permissions: { _nor: [{ status: { _eq: 'draft' } }] } }],
  ]
  const permission = (policy: string, changes: Row) => ({ policy, ...grant('articles', 'create', changes) })

  test.each(bad)('%s is refused in every way to save it', async (_, changes) => {
    const { id: policy } = await world.make('/policies', { name: 'p' })
    const { admin } = world
    const before = await world.fingerprint()
    const refused = async (answer: Promise<Answer>) => {
      const { status, text } = await answer
      expect([status, text]).toEqual([400, text])
    }
    const body = permission(policy, changes)
    await refused(admin.send('POST', '/permissions', body))
    await refused(admin.send('POST', '/policies', { name: 'q', permissions: [grant('articles', 'create', changes)] }))
    await refused(admin.send('PUT', '/permissions/4711', body))
    await refused(admin.send('POST', '/permissions', [permission(policy, {}), body]))
    const query = `mutation ($data: create_service_permissions_input!) { create_permissions_item(data: $data) { id } }`
    const { text } = await admin.send('POST', '/graphql/system', {
      query,
      variables: { data: { ...body, policy: { id: policy } } },
    })
    expect(text).toContain('INVALID_PAYLOAD')
    const snapshot = dataOf(await admin.get('/schema/snapshot', { include: 'roles,policies,permissions' })) as {
      permissions: Row[]
    }
    const { policy: of, collection, action, ...rule } = body as Row & Record<'policy' | 'collection' | 'action', string>
    const rules = [{ permissions: null, validation: null, presets: null, ...rule }]
    await refused(
      admin.send('POST', '/schema/diff', {
        ...snapshot,
        permissions: [...snapshot.permissions, { policy: of, collection, action, rules }],
      }),
    )
    expect(await world.fingerprint()).toBe(before)
  })

  test('also when only the collection is changed, or only the rule', async () => {
    const { id: policy } = await world.make('/policies', { name: 'p' })
    const { id } = await world.make('/permissions', permission(policy, { validation: { status: { _eq: 'draft' } } }))
    expect((await world.admin.send('PATCH', `/permissions/${id}`, { collection: 'notes' })).status).toBe(400)
    expect((await world.admin.send('PATCH', `/permissions/${id}`, { validation: { text: 1 } })).status).toBe(400)
    const both = { collection: 'notes', validation: { text: { _nnull: true } } }
    expect((await world.admin.send('PATCH', `/permissions/${id}`, both)).status).toBe(200)
  })

  test('what is not told to somebody is refused like what is not there', async () => {
    const manager = await world.person([
      grant('articles', 'create', { fields: ['title'] }),
      grant('service_permissions', 'create'),
      grant('service_policies', 'create'),
      grant('service_policies', 'read'),
    ])
    const { id: policy } = dataOf(await manager.send('POST', '/policies', { name: 'x' })) as { id: string }
    const save = async (field: string, part: 'validation' | 'presets' | 'permissions') => {
      const rule = part === 'presets' ? { [field]: 'x' } : { [field]: { _eq: 'x' } }
      const body = { policy, ...grant('articles', 'create', { fields: ['title'], [part]: rule }) }
      const { status, text } = await manager.send('POST', '/permissions', body)
      return `${status} ${text.replaceAll(field, '…')}`
    }
    for (const part of ['validation', 'presets', 'permissions'] as const)
      expect(await save('internal', part)).toBe(await save('nowhere', part))
    expect(await save('title', 'validation')).toMatch(/^20/u)
  })

  test.each([
    [grant('actorr', 'read'), 'There is no collection "actorr"'],
    [grant('article', 'read'), 'There is no collection "article". Did you mean "articles"?'],
    [grant('articles', 'read', { fields: ['id', 'titel'] }), 'which is no field of "articles". Did you mean "title"?'],
    [grant('articles', 'read', { permissions: { title: { _eq: '$CURRENT_USR' } } }), 'Did you mean "$CURRENT_USER"?'],
    [grant('articles', 'create', { presets: { titel: 'x' } }), 'Did you mean "title"?'],
  ])('a permission names what exists: %j', async (permission, message) => {
    const { id: policy } = await world.make('/policies', { name: 'p' })
    const answer = await world.service.send('POST', '/permissions', { policy, ...permission })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_PAYLOAD'])
    expect((answer.body as { errors: { message: string }[] }).errors[0]?.message).toContain(message)
  })
})

test('a stored rule that cannot be read lets nobody write, and is reported at the start', async () => {
  const stored = ['{"_nor":[{"status":{"_eq":"a"}}]}', '{"statuss":{"_eq":"draft"}}', '"text"', '{"_or":["x"]}']
  const callers: Caller[] = []
  for (const text of stored) {
    const caller = await world.person([
      grant('articles', 'read'),
      grant('articles', 'create', { validation: { title: 1 } }),
      grant('articles', 'update', { validation: { title: 1 } }),
    ])
    callers.push(caller)
    await world.database.query(
      `update tain.service_permissions set validation = '${text}' where policy = '${caller.policy}' and action <> 'read'`,
    )
  }
  await world.database.query('update tain.service_version set rights = rights + 1')
  for (const caller of callers) {
    expect(await create(caller, { title: 'x', status: 'draft' })).toBe(FAILED)
    expect(await update(caller, { title: 'x' })).toBe(FAILED)
  }
  const again = await openService({ DATABASE_URL: world.database.url })
  const told = () =>
    again.lines().filter(({ msg }) => msg === 'a permission cannot be used and grants no access').length
  await until(() => told() >= stored.length * 2, 10, 'every one of them is logged')
  await again.stop()
})

describe('a refusal shows what the rule says, never what it reads', () => {
  const secrets = { description: 'confidential-note-4711' }
  const refusal = async (validation: Row, body: Row) => {
    const caller = await world.person([grant('articles', 'create', { validation })], {}, secrets)
    const answer = await caller.send('POST', '/items/articles', body)
    expect(codeOf(answer)).toBe(FAILED)
    return { caller, text: answer.text }
  }

  test('of variables, alone and in a list', async () => {
    for (const operand of [{ _eq: '$CURRENT_USER.description' }, { _in: ['a', '$CURRENT_USER.description'] }]) {
      const { text } = await refusal({ title: operand }, { title: 'guess' })
      expect(text).not.toContain('confidential')
      expect(text).not.toContain('"valid"')
    }
    for (const variable of ['$CURRENT_USER', '$CURRENT_ROLE', '$CURRENT_POLICIES']) {
      const { caller, text } = await refusal({ title: { _in: [variable] } }, { title: 'guess' })
      for (const id of [caller.id, caller.role, caller.policy]) expect(text).not.toContain(id)
    }
  })

  test('literals are shown', async () => {
    expect((await refusal({ title: { _in: ['a', 'b'] } }, { title: 'x' })).text).toContain('"valid":["a","b"]')
  })

  test('nor the name of a field that the caller does not know', async () => {
    const caller = await world.person([
      grant('articles', 'create', { fields: ['title'], validation: { internal: { _eq: 'x' } } }),
    ])
    const answer = await caller.send('POST', `/items/articles?${queryOf({})}`, { title: 'a' })
    expect([codeOf(answer), answer.text.includes('internal')]).toEqual([FAILED, false])
  })
})
