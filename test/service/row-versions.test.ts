import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

const READER = 'token-of-a-reader'
const WRITER = 'token-of-a-blind-writer'

describe.each(testDialects)('the version of a row on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: [
      'create table authors (id int not null primary key, name varchar(20))',
      `create table books (id int not null primary key, title varchar(20), price decimal(20, 2), secret varchar(20),
        author int references authors (id))`,
      "insert into authors values (1, 'Ada')",
      `insert into books values (1, 'One', 1.50, 'a', 1), (2, 'Two', 123456789012345678.25, 'b', null), (3, 'Three', null, 'c', 1)`,
    ],
    prepare: async () => {
      const caller = async (token: string, permissions: readonly object[]) => {
        await createUser(service, permissions, token)
      }
      const onBooks = (action: string, fields: readonly string[], permissions: object = {}) => ({
        collection: 'books',
        action,
        fields,
        permissions,
      })
      await caller(READER, [
        onBooks('read', ['id', 'title'], { id: { _lt: 3 } }),
        onBooks('read', ['price'], { id: { _eq: 1 } }),
        onBooks('update', ['title']),
      ])
      await caller(WRITER, [onBooks('update', ['title'])])
    },
  })

  const change = (key: number, etag: string, token?: string) =>
    service.send(
      'PATCH',
      `/items/books/${key}`,
      { title: 'Mine' },
      { ...(token && { token }), headers: { 'if-match': etag } },
    )
  const refusalOf = ({ status, body }: Answer) => ({
    status,
    extensions: (body as { errors: { extensions: Record<string, unknown> }[] }).errors[0]?.extensions,
  })
  const read = async (path: string, token?: string) => service.get(path, token === undefined ? {} : { token })

  test.each([
    ['an administrator', undefined, '*'],
    ['a caller who sees some fields', READER, 'id,title'],
    ['a caller who follows relations', undefined, 'id,author.name'],
  ])('is the same in a list and by key for %s', async (_, token, fields) => {
    const { body } = await read(`/items/books?fields=${fields}&sort=id&meta=etag&filter[id][_lt]=3`, token)
    const { meta } = body as { meta: { etags: string[] } }
    const single = await Promise.all(
      [1, 2].map(async (key) => (await read(`/items/books/${key}`, token)).headers.get('etag')),
    )
    expect(meta.etags).toEqual(single)
  })

  test('lets a change pass that was read in a list', async () => {
    const { body } = await read('/items/books?fields=id&sort=id&meta=etag&limit=1')
    const [etag = ''] = (body as { meta: { etags: string[] } }).meta.etags
    expect((await change(1, etag)).status).toBe(200)
    expect((await change(1, etag)).status).toBe(412)
  })

  test('that is outdated comes back with the row', async () => {
    const current = await read('/items/books/2')
    expect(refusalOf(await change(2, '"old"'))).toEqual({
      status: 412,
      extensions: {
        code: 'PRECONDITION_FAILED',
        current: dataOf(current),
        etag: current.headers.get('etag'),
      },
    })
  })

  test('comes back with nothing that the caller may not read', async () => {
    const current = await read('/items/books/2', READER)
    expect(dataOf(current)).toEqual({ id: 2, title: 'Two', price: null })
    expect(refusalOf(await change(2, '"old"', READER)).extensions).toEqual({
      code: 'PRECONDITION_FAILED',
      current: dataOf(current),
      etag: current.headers.get('etag'),
    })
    for (const [key, token] of [
      [3, READER],
      [2, WRITER],
      [4711, WRITER],
    ] as const) {
      const answer = await change(key, '"old"', token)
      expect([key, token, codeOf(answer), answer.text.includes('current')]).toEqual([key, token, 'FORBIDDEN', false])
    }
  })

  test('does not exist for groups', async () => {
    expect(codeOf(await read('/items/books?aggregate[count]=*&meta=etag'))).toBe('INVALID_QUERY')
  })
})
