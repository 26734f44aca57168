import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, until, type RequestOptions } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const READER = 'token-of-a-reader'

describe.each(testDialects)('X-View-As on %s', (dialect) => {
  let reader: string
  let sleeper: string

  const { database, service } = useWorld({
    dialect,
    tables: [
      'create table books (id int not null primary key, title varchar(20), price int, shelf int)',
      "insert into books values (1, 'One', 10, 1), (2, 'Two', 20, 2), (3, 'Three', 30, 1)",
      'create table secrets (id int not null primary key)',
    ],
    environment: { LOG_LEVEL: 'info' },
    prepare: async () => {
      const policyOf = async (name: string, permissions: readonly object[]) =>
        (dataOf(await service.send('POST', '/policies', { name, app_access: true, permissions })) as { id: string }).id
      const own = { id: { _eq: '$CURRENT_USER' } }
      const policy = await policyOf('reader', [
        { collection: 'books', action: 'read', fields: ['id', 'title'], permissions: { shelf: { _eq: 1 } } },
        { collection: 'books', action: 'update', fields: ['title'], permissions: {} },
        { collection: 'service_users', action: 'read', fields: ['id', 'email'], permissions: own },
      ])
      const userOf = async (email: string, more: object) =>
        (dataOf(await service.send('POST', '/users', { email, policies: [{ policy }], ...more })) as { id: string }).id
      reader = await userOf('reader@example.com', { token: READER })
      sleeper = await userOf('sleeper@example.com', { status: 'suspended' })
      const { id: open } = (
        dataOf(await service.get('/policies?filter[name][_contains]=ublic&fields=id')) as { id: string }[]
      )[0] ?? { id: null }
      if (open !== null)
        dataOf(
          await service.send('POST', '/permissions', {
            policy: open,
            collection: 'books',
            action: 'read',
            fields: ['id'],
          }),
        )
    },
  })

  const as = (user: string, more: RequestOptions = {}): RequestOptions => ({
    ...more,
    headers: { ...more.headers, 'x-view-as': user },
  })
  const graph = (query: string, options: RequestOptions) => service.send('POST', '/graphql', { query }, options)

  test.each([
    '/items/books',
    '/items/books?fields=id,title&sort=-id&meta=*',
    '/items/books/1',
    '/items/books/2',
    '/items/books?fields=price',
    '/items/books?aggregate[count]=*',
    '/items/books?export=csv',
    '/items/secrets',
    '/items/nothing',
    '/users',
    '/users/me?fields=email',
    '/permissions/me',
    '/permissions/me/books/1',
    '/collections',
    '/fields/books',
    '/relations',
    '/server/info',
    '/server/specs/graphql/items',
  ])('GET %s gives what the user gets', async (path) => {
    const [own, viewed] = [await service.get(path, { token: READER }), await service.get(path, as(reader))]
    expect([viewed.status, viewed.text]).toEqual([own.status, own.text])
    expect(viewed.headers.get('etag')).toBe(own.headers.get('etag'))
    const [open, publicly] = [await service.get(path, { token: null }), await service.get(path, as('public'))]
    expect([publicly.status, publicly.text]).toEqual([open.status, open.text])
  })

  test('SEARCH, its fallback and GraphQL queries give what the user gets', async () => {
    const body = { query: { fields: ['id', 'title'], sort: ['id'] } }
    const own = await service.send('SEARCH', '/items/books', body, { token: READER })
    expect(dataOf(own)).toContainEqual({ id: 2, title: null })
    expect((await service.send('SEARCH', '/items/books', body, as(reader))).text).toBe(own.text)
    const fallback = as(reader, { headers: { 'x-http-method-override': 'SEARCH' } })
    expect((await service.send('POST', '/items/books', body, fallback)).text).toBe(own.text)
    for (const query of ['{ books { id title } }', '{ books { price } }', '{ secrets { id } }'])
      expect((await graph(query, as(reader))).text).toBe((await graph(query, { token: READER })).text)
  })

  test('writes nothing', async () => {
    const before = await database.query('select * from books order by id')
    for (const [method, path, body] of [
      ['PATCH', '/items/books/1', { title: 'Mine' }],
      ['POST', '/items/books', { id: 9 }],
      ['PUT', '/items/books/9', { title: 'x' }],
      ['DELETE', '/items/books/1', undefined],
      ['POST', '/batch', []],
      ['PATCH', '/users/me', { first_name: 'x' }],
      ['POST', '/utils/cache/clear', {}],
    ] as const) {
      const answer = await service.send(method, path, body, as(reader))
      expect([method, path, answer.status]).toEqual([method, path, 422])
    }
    const override = as(reader, { headers: { 'x-http-method-override': 'SEARCH' } })
    const operation = { method: 'PATCH', path: '/items/books/1', body: { title: 'Mine' } }
    for (const [path, body] of [
      ['/batch', [operation]],
      ['/utils/sort/books', { item: 1, to: 2 }],
      ['/users/invite', { email: 'new@example.com', role: reader }],
      ['/permissions/preview', { collection: 'books', action: 'read', changes: [] }],
    ] as const)
      expect([path, (await service.send('POST', path, body, override)).status]).toEqual([path, 422])
    const mutation = 'mutation { update_books_item(id: 1, data: { title: "Mine" }) { id } }'
    expect(codeOf(await graph(mutation, as(reader)))).toBe('UNPROCESSABLE_CONTENT')
    expect(await database.query('select * from books order by id')).toEqual(before)
  })

  test('is for administrators', async () => {
    for (const token of [READER, null])
      for (const user of [reader, sleeper, 'public', '00000000-0000-4000-8000-000000000000', 'nonsense']) {
        const answer = await service.get('/items/books', as(user, { token }))
        expect([token, user, answer.status, codeOf(answer)]).toEqual([token, user, 403, 'FORBIDDEN'])
      }
  })

  test('needs the second factor that the administrator, or the user, still has to set up', async () => {
    const policy = { name: 'strict', admin_access: true, enforce_tfa: true }
    const { id } = dataOf(await service.send('POST', '/policies', policy)) as { id: string }
    const user = { email: 'strict@example.com', token: 'token-of-strict', policies: [{ policy: id }] }
    const { id: strict } = dataOf(await service.send('POST', '/users', user)) as { id: string }
    const own = await service.get('/items/books', { token: 'token-of-strict' })
    const asStrict = as(reader, { token: 'token-of-strict' })
    for (const answer of [
      await service.get('/items/books', asStrict),
      await service.get('/users/me', asStrict),
      await service.get('/server/app', asStrict),
      await service.send('POST', '/graphql/system', { query: '{ users { id } }' }, asStrict),
      await service.get('/items/books', as(strict)),
    ])
      expect([answer.status, codeOf(answer)]).toEqual([own.status, codeOf(own)])
  })

  test('names an active user', async () => {
    for (const user of [sleeper, '00000000-0000-4000-8000-000000000000', 'nonsense', ''])
      expect([user, codeOf(await service.get('/items/books', as(user)))]).toEqual([user, 'INVALID_QUERY'])
  })

  test('is in the log, and kept apart by caches', async () => {
    const answer = await service.get('/items/books', as(reader))
    expect(answer.headers.get('vary')).toContain('X-View-As')
    const isLogged = () =>
      service.lines().some((line) => line['viewedAs'] === reader && line['path'] === '/items/books')
    await until(isLogged, 10, 'the line is in the log')
  })
})
