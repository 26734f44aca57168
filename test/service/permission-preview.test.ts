import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const READER = 'token-of-a-reader'

interface Effect {
  readonly access: string
  readonly fields: readonly string[]
  readonly count: number
  readonly is_capped: boolean
}

interface Preview {
  readonly before: Effect
  readonly after: Effect
  readonly examined: number
  readonly gained: readonly { readonly id: number }[]
  readonly lost: readonly { readonly id: number }[]
}

describe.each(testDialects)('POST /permissions/preview on %s', (dialect) => {
  let reader: string
  let policy: string
  let stored: number

  const { database, service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query(
        'create table books (id int not null primary key, title varchar(20), shelf int, owner varchar(40))',
      )
      await database.query('create table parts (a int not null, b int not null, primary key (a, b))')
      await database.query('create table logs (line varchar(20))')
      const rows = Array.from({ length: 30 }, (_, n) => `(${n}, 'Book ${n}', ${n % 3}, null)`)
      await database.query(`insert into books values ${rows.join(', ')}`)
      await database.query('insert into parts values (1, 1), (1, 2), (2, 1)')
      await database.query("insert into logs values ('a'), ('b')")
    },
    prepare: async () => {
      const permissions = [{ collection: 'books', action: 'read', fields: ['id'], permissions: { shelf: { _eq: 1 } } }]
      const made = dataOf(
        await service.send('POST', '/policies?fields=id,permissions.id', { name: 'reader', permissions }),
      ) as { id: string; permissions: { id: number }[] }
      policy = made.id
      stored = made.permissions[0]?.id ?? 0
      const user = { email: 'reader@example.com', token: READER, title: 'Book 7', policies: [{ policy }] }
      reader = (dataOf(await service.send('POST', '/users', user)) as { id: string }).id
      await database.query(`update books set owner = '${reader}' where id in (3, 4, 5)`)
    },
  })

  const ask = (changes: readonly object[], more: object = {}, token?: string) =>
    service.send(
      'POST',
      '/permissions/preview',
      { user: reader, collection: 'books', action: 'read', changes, ...more },
      token === undefined ? {} : { token },
    )
  const preview = async (changes: readonly object[], more: object = {}) => dataOf(await ask(changes, more)) as Preview
  const keysNow = async () =>
    (dataOf(await service.get('/items/books?fields=id&sort=id&limit=-1', { token: READER })) as { id: number }[]).map(
      ({ id }) => id,
    )
  const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
  const onBooks = (permissions: object | null, more: object = {}) => ({
    policy,
    collection: 'books',
    action: 'read',
    fields: ['*'],
    permissions,
    ...more,
  })

  /** Saves a permission for good, and returns how to take it back. */
  const saved = async (change: object): Promise<() => Promise<unknown>> => {
    if (!('id' in change)) {
      const { id } = dataOf(await service.send('POST', '/permissions', change)) as { id: number }
      return () => service.send('DELETE', `/permissions/${id}`)
    }
    const { permissions, fields } = change as { permissions?: unknown; fields?: unknown }
    dataOf(await service.send('PATCH', `/permissions/${stored}`, { permissions, fields }))
    return () => service.send('PATCH', `/permissions/${stored}`, { permissions: { shelf: { _eq: 1 } }, fields: ['id'] })
  }

  test.each([
    ['a rule for more rows', { shelf: { _in: [0, 1] } }],
    ['a rule for other rows', { title: { _ends_with: '7' } }],
    ['a rule with a variable', { owner: { _eq: '$CURRENT_USER' } }],
    ['a rule with a variable of the user', { title: { _eq: '$CURRENT_USER.title' } }],
    ['a rule that no row fits', { shelf: { _eq: 9 } }],
    ['a permission for every row', null],
  ])('tells the effect of %s, added and in place of another', async (_, rule) => {
    const before = await keysNow()
    for (const change of [onBooks(rule), onBooks(rule, { id: stored })]) {
      const told = await preview([change], { limit: 100 })
      expect(await keysNow()).toEqual(before)
      const undo = await saved(change)
      const after = await keysNow()
      expect(told).toMatchObject({
        before: { count: before.length, is_capped: false },
        after: { access: rule === null ? 'full' : 'partial', fields: ['*'], count: after.length },
        examined: 30,
      })
      expect(ids(told.gained)).toEqual(after.filter((key) => !before.includes(key)))
      expect(ids(told.lost)).toEqual(before.filter((key) => !after.includes(key)))
      await undo()
    }
    expect(await keysNow()).toEqual(before)
  })

  test('tells the effect of a permission that is deleted', async () => {
    const told = await preview([{ id: stored, delete: true }], { limit: 3 })
    expect(told.after).toEqual({ access: 'none', fields: [], count: 0, is_capped: false })
    expect(ids(told.lost)).toEqual([1, 4, 7])
    expect(await keysNow()).toHaveLength(10)
  })

  test('tells the rows that other actions would be allowed for', async () => {
    const change = onBooks({ shelf: { _eq: 2 } }, { action: 'update', fields: ['title'] })
    const told = await preview([change], { action: 'update', limit: 2 })
    expect(told.before).toMatchObject({ access: 'none', count: 0 })
    expect(told.after).toEqual({ access: 'partial', fields: ['title'], count: 10, is_capped: false })
    expect(ids(told.gained)).toEqual([2, 5])
    const created = await preview([onBooks(null, { action: 'create' })], { action: 'create' })
    expect([created.before.access, created.after.access]).toEqual(['none', 'full'])
  })

  test('counts up to a number, and knows composite keys and rows without a key', async () => {
    const told = await preview([onBooks(null)], { count_up_to: 20, limit: 0 })
    expect([told.after.count, told.after.is_capped]).toEqual([20, true])
    const parts = await preview([onBooks({ a: { _eq: 1 } }, { collection: 'parts' })], { collection: 'parts' })
    expect([parts.after.count, parts.gained]).toEqual([
      2,
      [
        { a: 1, b: 1 },
        { a: 1, b: 2 },
      ],
    ])
    const logs = await preview([onBooks(null, { collection: 'logs' })], { collection: 'logs' })
    expect([logs.after.count, logs.examined, logs.gained]).toEqual([2, 0, []])
  })

  test('tells the effect for the public', async () => {
    const told = await preview([onBooks(null)], { user: null })
    expect([told.before.count, told.after.count]).toEqual([0, 0])
  })

  test('writes nothing', async () => {
    const counts = async () => {
      const paths = ['/permissions', '/activity', '/revisions']
      return Promise.all(paths.map(async (path) => (dataOf(await service.get(`${path}?limit=-1`)) as unknown[]).length))
    }
    const before = await counts()
    await preview([onBooks(null), { id: stored, delete: true }])
    expect(await counts()).toEqual(before)
  })

  test('is for administrators, and refuses rules that could not be saved', async () => {
    expect(codeOf(await ask([onBooks(null)], {}, READER))).toBe('FORBIDDEN')
    for (const change of [
      onBooks({ nothing: { _eq: 1 } }),
      onBooks({ shelf: { _odd: 1 } }),
      onBooks(null, { validation: { nothing: { _eq: 1 } } }),
      onBooks(null, { policy: null }),
      onBooks(null, { action: 'fly' }),
      { delete: true },
      { delete: true, id: 4711 },
      onBooks(null, { id: 4711 }),
      onBooks(null, { policy: '00000000-0000-4000-8000-000000000000' }),
    ])
      expect([change, codeOf(await ask([change]))]).toEqual([change, 'INVALID_PAYLOAD'])
    expect(codeOf(await ask([], { collection: 'nothing' }))).toBe('INVALID_PAYLOAD')
    expect(codeOf(await ask([], { user: '00000000-0000-4000-8000-000000000000' }))).toBe('INVALID_PAYLOAD')
  })

  test('says the same in GraphQL', async () => {
    const query = 'query ($request: JSON!) { permissions_preview(request: $request) }'
    const request = {
      user: reader,
      collection: 'books',
      action: 'read',
      changes: [onBooks({ shelf: { _in: [0, 1] } })],
    }
    const answer = await service.send('POST', '/graphql/system', { query, variables: { request } })
    expect(answer.body).toEqual({ data: { permissions_preview: await preview(request.changes) } })
  })
})
