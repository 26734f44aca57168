import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, queryOf } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

interface Page {
  readonly meta: { readonly next_cursor: string | null; readonly prev_cursor: string | null }
  readonly data: readonly { readonly id: number }[]
}

describe.each(testDialects)('a page before another on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query('create table books (id int not null primary key, pages int, shelf int not null)')
      const rows = Array.from({ length: 20 }, (_, n) => `(${n}, ${n % 3 === 0 ? 'null' : n % 5}, ${n % 2})`)
      await database.query(`insert into books values ${rows.join(', ')}`)
    },
    prepare: async () => {
      const permissions = [{ collection: 'books', action: 'read', fields: ['*'], permissions: { shelf: { _eq: 1 } } }]
      await createUser(service, permissions, 'token-of-a-reader')
    },
  })

  const ask = (parameters: Readonly<Record<string, unknown>>, token?: string) =>
    service.get(`/items/books?${queryOf(parameters)}`, token === undefined ? {} : { token })
  const pageOf = async (parameters: Readonly<Record<string, unknown>>, token?: string) =>
    (await ask({ fields: 'id', meta: 'cursor', ...parameters }, token)).body as Page
  const keys = ({ data }: Page) => data.map(({ id }) => id)

  test.each([
    ['pages', undefined],
    ['-pages,id', undefined],
    ['-pages', 'token-of-a-reader'],
  ])('has the rows of the list in its order: sort=%s, token %s', async (sort, token) => {
    const all = keys(await pageOf({ sort, limit: -1 }, token))
    const first = await pageOf({ sort, limit: 3 }, token)
    const second = await pageOf({ sort, limit: 3, cursor: first.meta.next_cursor }, token)
    const third = await pageOf({ sort, limit: 3, cursor: second.meta.next_cursor }, token)
    expect(first.meta.prev_cursor).toBeNull()
    const back = await pageOf({ sort, limit: 3, cursor: third.meta.prev_cursor }, token)
    expect(keys(back)).toEqual(all.slice(3, 6))
    expect(keys(await pageOf({ sort, limit: 3, cursor: back.meta.next_cursor }, token))).toEqual(all.slice(6, 9))
    const start = await pageOf({ sort, limit: 5, cursor: back.meta.prev_cursor }, token)
    expect([keys(start), start.meta.prev_cursor]).toEqual([all.slice(0, 3), null])
  })

  test('includes rows whose sort value the caller may not read', async () => {
    const permissions = [
      { collection: 'books', action: 'read', fields: ['id', 'pages'], permissions: {} },
      { collection: 'books', action: 'read', fields: ['shelf'], permissions: { id: { _lt: 4 } } },
    ]
    const token = 'token-of-a-half-blind'
    await createUser(service, permissions, token)
    for (const sort of ['shelf', '-shelf']) {
      const all = keys(await pageOf({ sort, limit: -1 }, token))
      expect(all).toHaveLength(20)
      const first = await pageOf({ sort, limit: 3 }, token)
      const rest = await pageOf({ sort, limit: -1, cursor: first.meta.next_cursor }, token)
      expect([...keys(first), ...keys(rest)]).toEqual(all)
      const last = await pageOf({ sort, limit: 3, offset: 17 }, token)
      const before = await pageOf({ sort, limit: -1, cursor: last.meta.prev_cursor }, token)
      expect([...keys(before), ...keys(last)]).toEqual(all)
    }
  })

  test('exists for a page that an offset has found', async () => {
    const { meta } = await pageOf({ sort: 'id', limit: 3, offset: 10 })
    expect(keys(await pageOf({ sort: 'id', limit: 3, cursor: meta.prev_cursor }))).toEqual([7, 8, 9])
  })

  test('is no export, and no page of another order', async () => {
    const { meta } = await pageOf({ sort: 'id', limit: 3, offset: 10 })
    const cursor = meta.prev_cursor
    expect(codeOf(await ask({ sort: 'id', limit: 3, cursor, export: 'csv' }))).toBe('INVALID_QUERY')
    expect(codeOf(await ask({ sort: '-id', limit: 3, cursor }))).toBe('INVALID_QUERY')
  })
})
