import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { queryOf } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

const ROWS = 20_000
const RULED = 'token-of-a-reader-with-rules'
const MASKED = 'token-of-a-reader-of-some-values'
const RELATED = 'token-of-a-reader-of-some-authors'

const numbers: Readonly<Record<TestDialect, string>> = {
  postgres: `generate_series(0, ${ROWS - 1}) s(n)`,
  mysql: `(select seq as n from seq_0_to_${ROWS - 1}) s`,
  sqlite: `(with recursive s(n) as (select 0 union all select n + 1 from s where n < ${ROWS - 1}) select n from s)`,
}

describe.each(testDialects)('estimated_count on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      for (const statement of [
        'create table authors (id int not null primary key, land varchar(5) not null)',
        `insert into authors values (0, 'GB'), (1, 'FI'), (2, 'GB'), (3, 'DE')`,
        `create table books (id int not null primary key, shelf int not null, pages int not null, author int not null references authors (id), title varchar(40) not null)`,
        'create index books_shelf on books (shelf)',
        `insert into books select n, n % 50, n % 1000, n % 4, case when n % 8 = 0 then 'Sea' else 'Land' end from ${numbers[dialect]}`,
      ])
        await database.query(statement)
      await database.query(dialect === 'mysql' ? 'analyze table books, authors' : 'analyze')
    },
    prepare: async () => {
      const everyAuthor = { collection: 'authors', action: 'read', fields: ['*'], permissions: {} }
      const everyBook = { collection: 'books', action: 'read', fields: ['*'], permissions: {} }
      await grant(RULED, [{ ...everyBook, permissions: { shelf: { _lt: 10 } } }])
      await grant(MASKED, [
        { ...everyBook, fields: ['id', 'shelf'] },
        { ...everyBook, fields: ['pages'], permissions: { shelf: { _eq: 1 } } },
      ])
      await grant(RELATED, [everyBook, { ...everyAuthor, permissions: { id: { _eq: 3 } } }])
    },
  })

  async function grant(token: string, permissions: readonly object[]) {
    await createUser(service, permissions, token)
  }

  const estimateOf = async (parameters: Readonly<Record<string, unknown>>, token?: string): Promise<number> => {
    const query = queryOf({ fields: 'id', limit: 1, meta: 'estimated_count', ...parameters })
    const answer = await service.get(`/items/books?${query}`, token === undefined ? {} : { token })
    const { meta } = answer.body as { meta: { estimated_count: number } }
    expect(Object.keys(meta)).toEqual(['estimated_count'])
    return meta.estimated_count
  }

  test.each<[object, number]>([
    [{ shelf: { _eq: 7 } }, 400],
    [{ shelf: { _in: [1, 2, 3] } }, 1200],
    [{ pages: { _lt: 250 } }, 5000],
    [{ title: { _eq: 'Sea' } }, 2500],
    [{ _and: [{ shelf: { _lt: 25 } }, { pages: { _gte: 500 } }] }, 5000],
    [{ author: { land: { _eq: 'FI' } } }, 5000],
  ])('is near the rows of the filter %j', async (filter, rows) => {
    const estimate = await estimateOf({ filter: JSON.stringify(filter) })
    expect(estimate).toBeGreaterThan(rows * 0.6)
    expect(estimate).toBeLessThan(rows * 1.6)
  })

  test('is small for a filter that no row matches', async () => {
    expect(await estimateOf({ filter: JSON.stringify({ shelf: { _eq: 999 } }) })).toBeLessThan(20)
    expect(await estimateOf({ filter: JSON.stringify({ pages: { _eq: -5 } }) })).toBeLessThan(50)
  })

  test('is the one of the table without a filter', async () => {
    const estimate = await estimateOf({})
    expect(estimate).toBeGreaterThan(ROWS * 0.8)
    expect(estimate).toBeLessThan(ROWS * 1.2)
  })

  test('also follows a search', async () => {
    const estimate = await estimateOf({ search: 'sea' })
    expect(estimate).toBeLessThan(ROWS / 2)
  })

  test.each<[string, object, number]>([
    [RULED, {}, 4000],
    [RULED, { pages: { _lt: 250 } }, 1000],
    [MASKED, { pages: { _gte: 0 } }, 400],
    [RELATED, { author: { land: { _eq: 'GB' } } }, 0],
    [RELATED, { author: { land: { _eq: 'DE' } } }, 5000],
  ])('is a count for a caller with rules that concern it: %s %j', async (token, filter, rows) => {
    expect(await estimateOf({ filter: JSON.stringify(filter) }, token)).toBe(rows)
  })

  test.runIf(dialect === 'sqlite')('is a count where the database makes no estimates', async () => {
    expect(await estimateOf({ filter: JSON.stringify({ shelf: { _eq: 7 } }) })).toBe(400)
  })

  test('stands beside other figures and a place in the list', async () => {
    const filter = JSON.stringify({ shelf: { _eq: 7 } })
    const query = queryOf({ fields: 'id', limit: 1, meta: 'filter_count,estimated_count,cursor', filter, seek: 0.5 })
    const { meta } = (await service.get(`/items/books?${query}`)).body as { meta: object }
    expect(meta).toMatchObject({
      filter_count: 400,
      estimated_count: expect.any(Number),
      next_cursor: expect.any(String),
      position: { share: expect.any(Number) },
    })
  })

  test('refuses values that do not fit', async () => {
    const query = queryOf({ meta: 'estimated_count', filter: JSON.stringify({ pages: { _eq: 'x' } }) })
    const { status, body } = await service.get(`/items/books?${query}`)
    expect([status, body]).toMatchObject([400, { errors: [{ extensions: { code: 'INVALID_QUERY' } }] }])
  })
})
