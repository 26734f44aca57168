import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, queryOf } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

type Parameters = Readonly<Record<string, unknown>>

interface Page {
  readonly meta: {
    readonly position: { readonly share: number; readonly row: number | null }
    readonly next_cursor: string | null
    readonly prev_cursor: string | null
  }
  readonly data: readonly { readonly id: number }[]
}

const keys = ({ data }: Page) => data.map(({ id }) => id)

const ROWS = 12_500
const OWN = 'token-of-an-owner'
const FEW = 'token-of-an-owner-of-few'

/** n from 0, and a text that sorts unlike n. */
const numbers: Readonly<Record<TestDialect, { readonly from: string; readonly code: string }>> = {
  postgres: { from: `generate_series(0, ${ROWS - 1}) s(n)`, code: `md5(n::text)` },
  mysql: { from: `(select seq as n from seq_0_to_${ROWS - 1}) s`, code: 'md5(n)' },
  sqlite: {
    from: `(with recursive s(n) as (select 0 union all select n + 1 from s where n < ${ROWS - 1}) select n from s)`,
    code: `printf('%08x', (n * 2654435761) & 4294967295)`,
  },
}

const uuidType: Readonly<Record<TestDialect, string>> = { postgres: 'uuid', mysql: 'uuid', sqlite: 'uuid' }
const uuidOf: Readonly<Record<TestDialect, string>> = {
  postgres: 'md5(n::text)::uuid',
  mysql: `insert(insert(insert(insert(concat(left(md5(n), 12), '4', substr(md5(n), 14, 3), '8', substr(md5(n), 18)), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-')`,
  sqlite: `printf('%08x', (n * 2654435761) & 4294967295) || '-0000-4000-8000-000000000000'`,
}

describe.each(testDialects)('seek on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      const { from, code } = numbers[dialect]
      for (const statement of [
        'create table shelves (id int not null primary key, place int not null)',
        'insert into shelves values (0, 30), (1, 20), (2, 10)',
        'create table books (id int not null primary key, pages int, shelf int not null references shelves (id))',
        `insert into books values ${Array.from({ length: 200 }, (_, n) => `(${n}, ${n % 3 === 0 ? 'null' : n % 50}, ${n % 3})`).join(', ')}`,
        'create table empty_books (id int not null primary key)',
        // Rows of owner 1, which the others do not see, come first in every order but the one by code.
        `create table events (id int not null primary key, worth bigint not null, code varchar(40) not null,
        kind varchar(10) not null, seen int, day date not null, owner int not null)`,
        `insert into events select n, case when n < 8000 then n else n * 10000000000 end, ${code},
        case when n % 10 = 0 then 'rare' else 'usual' end, case when n % 4 = 0 then null else n end,
        case when n < 5000 then '2020-01-01' else '2021-06-30' end${dialect === 'postgres' ? '::date' : ''},
        case when n >= 12470 then 2 when n >= 2000 then 0 else 1 end from ${from}`,
        // The same rows of owner 0, and others in other places.
        `create table other_events (id int not null primary key, worth bigint not null, code varchar(40) not null,
        kind varchar(10) not null, seen int, day date not null, owner int not null)`,
        `insert into other_events select n + 1000000, n * 90, 'zz', 'usual', null, '2030-01-01'${dialect === 'postgres' ? '::date' : ''}, 9 from ${from} where n % 4 = 0`,
        'insert into other_events select * from events where owner = 0',
        'create table pairs (tenant int not null, id int not null, primary key (tenant, id))',
        `insert into pairs select n % 3, n from ${from}`,
        `create table texts (name varchar(40) not null primary key, id int not null)`,
        `insert into texts select ${dialect === 'mysql' ? `concat('sku-', ${code})` : `'sku-' || ${code}`}, n from ${from}`,
        `create table marks (mark ${uuidType[dialect]} not null primary key, id int not null)`,
        `insert into marks select ${uuidOf[dialect]}, n from ${from}`,
        'create table loose (id int not null)',
        `insert into loose select n from ${from}`,
        'create view few_events as select id from events where id < 100',
      ])
        await database.query(statement)
      await database.query(dialect === 'mysql' ? 'analyze table events' : 'analyze')
    },
    prepare: async () => {
      for (const [token, owner] of [
        [OWN, 0],
        [FEW, 2],
      ] as const) {
        const permissions = ['events', 'other_events', 'books'].map((collection) => ({
          collection,
          action: 'read',
          fields: ['*'],
          permissions: collection === 'books' ? { shelf: { _eq: 1 } } : { owner: { _eq: owner } },
        }))
        await createUser(service, permissions, token)
      }
    },
  })

  const ask = (collection: string, parameters: Parameters, token?: string) =>
    service.get(`/items/${collection}?${queryOf(parameters)}`, token === undefined ? {} : { token })
  const pageOf = async (collection: string, parameters: Parameters, token?: string): Promise<Page> => {
    const answer = await ask(collection, { fields: 'id', ...parameters }, token)
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, answer.text.slice(0, 300)])
    return answer.body as Page
  }
  const allOf = async (collection: string, parameters: Parameters, token?: string) =>
    keys(await pageOf(collection, { ...parameters, limit: -1 }, token))

  describe('among few rows', () => {
    test.each<[Parameters, string?]>([
      [{ sort: 'id' }],
      [{ sort: '-id' }],
      [{ sort: 'pages' }],
      [{ sort: '-pages,-id' }],
      [{ sort: 'shelf.place,-pages' }],
      [{ sort: 'pages', filter: JSON.stringify({ shelf: { _neq: 2 } }) }],
      [{ sort: '-pages' }, OWN],
    ])('is exact: %j %s', async (list, token) => {
      const all = await allOf('books', list, token)
      for (const share of [0.1, 0.5, 0.63]) {
        const page = await pageOf('books', { ...list, limit: 7, seek: share }, token)
        const row = Math.floor(share * all.length)
        expect(page.meta.position).toEqual({ share: row / all.length, row })
        expect(keys(page)).toEqual(all.slice(row, row + 7))
      }
    })

    test('pages lead on in both directions', async () => {
      const sort = 'pages'
      const all = await allOf('books', { sort })
      const { meta } = await pageOf('books', { sort, limit: 5, seek: 0.5, meta: 'cursor' })
      expect(keys(await pageOf('books', { sort, limit: 5, cursor: meta.next_cursor }))).toEqual(all.slice(105, 110))
      expect(keys(await pageOf('books', { sort, limit: 5, cursor: meta.prev_cursor }))).toEqual(all.slice(95, 100))
    })

    test('0 is the first page, 1 the last one', async () => {
      const list = { sort: '-pages', limit: 5, meta: 'cursor' }
      const all = await allOf('books', list)
      const first = await pageOf('books', { ...list, seek: 0 })
      expect([keys(first), first.meta.prev_cursor, first.meta.position]).toEqual([
        all.slice(0, 5),
        null,
        { share: 0, row: 0 },
      ])
      for (const seek of [1, 0.999]) {
        const last = await pageOf('books', { ...list, seek })
        expect([keys(last), last.meta.next_cursor]).toEqual([all.slice(195), null])
        expect(last.meta.position).toEqual({ share: 0.975, row: 195 })
        expect(keys(await pageOf('books', { ...list, cursor: last.meta.prev_cursor }))).toEqual(all.slice(190, 195))
      }
    })

    test('a page without limit has all rows from there on', async () => {
      const all = await allOf('books', { sort: 'id' })
      expect(keys(await pageOf('books', { sort: 'id', limit: -1, seek: 0.9 }))).toEqual(all.slice(180))
      expect(keys(await pageOf('books', { sort: 'id', limit: -1, seek: 1 }))).toEqual([199])
    })

    test('an empty list has an empty page', async () => {
      const page = await pageOf('empty_books', { seek: 0.5, meta: 'cursor' })
      expect(page).toEqual({ meta: { position: { share: 0, row: 0 }, next_cursor: null, prev_cursor: null }, data: [] })
    })

    test('works in SEARCH, in GraphQL and in a view', async () => {
      const query = { fields: ['id'], sort: ['id'], limit: 2, seek: 0.25 }
      const found = (await service.search('books', query)).body as Page
      expect([keys(found), found.meta.position.row]).toEqual([[50, 51], 50])
      const document = '{ books(sort: ["id"], limit: 2, seek: 0.25) { id } }'
      const { body } = await service.send('POST', '/graphql', { query: document })
      expect(body).toEqual({ data: { books: [{ id: '50' }, { id: '51' }] } })
      expect(keys(await pageOf('few_events', { sort: 'id', limit: 2, seek: 0.25 }))).toEqual([25, 26])
    })

    test.each<Parameters>([
      { seek: '1.1' },
      { seek: '-0.1' },
      { seek: 'half' },
      { seek: '' },
      { seek: 0.5, offset: 3 },
      { seek: 0.5, page: 2 },
      { seek: 0.5, cursor: 'x' },
      { seek: 0.5, export: 'csv' },
      { seek: 0.5, aggregate: { count: '*' } },
    ])('refuses %j', async (parameters) => {
      expect(codeOf(await ask('books', parameters))).toBe('INVALID_QUERY')
    })

    test('refuses the same in GraphQL', async () => {
      for (const given of ['seek: 1.5', 'seek: 0.5, offset: 3']) {
        const { body } = await service.send('POST', '/graphql', { query: `{ books(${given}) { id } }` })
        expect((body as { errors: readonly { extensions: { code: string } }[] }).errors[0]?.extensions.code).toBe(
          'INVALID_QUERY',
        )
      }
    })

    test('is no argument of nested lists', async () => {
      expect(codeOf(await ask('shelves', { fields: 'books.id', deep: { books: { _seek: 0.5 } } }))).toBe(
        'INVALID_QUERY',
      )
    })
  })

  describe('among many rows', () => {
    test.each<[string, Parameters, string?]>([
      ['events', { sort: 'id' }],
      ['events', { sort: '-id' }],
      ['events', { sort: 'worth' }],
      ['events', { sort: '-worth' }],
      ['events', { sort: 'code' }],
      ['events', { sort: 'kind' }],
      ['events', { sort: '-kind,-worth' }],
      ['events', { sort: 'seen' }],
      ['events', { sort: '-seen' }],
      ['events', { sort: 'day' }],
      ['events', { sort: 'year(day),code' }],
      ['events', { sort: 'worth', filter: JSON.stringify({ kind: { _eq: 'rare' } }) }],
      ['events', { sort: 'code', filter: JSON.stringify({ id: { _gte: 4000 } }) }],
      ['events', { sort: 'worth', search: 'usual' }],
      ['events', { sort: 'worth' }, OWN],
      ['events', { sort: 'code' }, OWN],
      ['events', { sort: '-day' }, OWN],
      ['pairs', { sort: 'tenant' }],
      ['pairs', { sort: '-id' }],
      ['texts', { sort: 'name' }],
      ['texts', { sort: 'id' }],
      ['marks', { sort: 'mark' }],
      ['marks', { sort: 'id' }],
    ])('lands near the share: %s %j %s', async (collection, list, token) => {
      const all = await allOf(collection, list, token)
      for (const share of [0.08, 0.5, 0.63, 0.95]) {
        const page = await pageOf(collection, { ...list, limit: 3, seek: share }, token)
        const row = all.indexOf(keys(page)[0] ?? -1)
        expect(keys(page)).toEqual(all.slice(row, row + 3))
        const { position } = page.meta
        const isExact = position.row !== null
        expect(Math.abs(position.share - row / all.length)).toBeLessThan(isExact ? 1e-9 : 0.06)
        expect(Math.abs(position.share - share)).toBeLessThan(0.06)
      }
    })

    test('pages lead on in both directions', async () => {
      const list = { sort: '-worth', limit: 4, meta: 'cursor' }
      const all = await allOf('events', list)
      const page = await pageOf('events', { ...list, seek: 0.4 })
      const row = all.indexOf(keys(page)[0] ?? -1)
      const next = await pageOf('events', { ...list, cursor: page.meta.next_cursor })
      const before = await pageOf('events', { ...list, cursor: page.meta.prev_cursor })
      expect([...keys(before), ...keys(page), ...keys(next)]).toEqual(all.slice(row - 4, row + 8))
    })

    test.each(['worth', '-seen', 'code'])('near the end is the last page: sort=%s', async (sort) => {
      const list = { sort, limit: 50, meta: 'cursor' }
      const all = await allOf('events', list)
      for (const seek of [1, 0.99999]) {
        const page = await pageOf('events', { ...list, seek })
        expect([keys(page), page.meta.next_cursor]).toEqual([all.slice(-50), null])
        expect(page.meta.position.share).toBeCloseTo(1 - 50 / ROWS, 3)
      }
    })

    test('the position of a caller who sees few rows is exact', async () => {
      const all = await allOf('events', { sort: 'worth' }, FEW)
      const page = await pageOf('events', { sort: 'worth', limit: 2, seek: 0.5 }, FEW)
      expect([keys(page), page.meta.position]).toEqual([all.slice(15, 17), { share: 0.5, row: 15 }])
    })

    test('rows that a caller does not see change no byte of a response', async () => {
      for (const sort of ['worth', '-code', 'day,-seen'])
        for (const share of [0.2, 0.77]) {
          const list = { sort, limit: 5, seek: share, meta: 'cursor', fields: '*' }
          const [one, other] = [await ask('events', list, OWN), await ask('other_events', list, OWN)]
          const { next_cursor: _next, prev_cursor: _prev, ...meta } = (one.body as Page).meta
          expect((other.body as Page).data).toEqual((one.body as Page).data)
          expect((other.body as Page).meta).toMatchObject(meta)
        }
    })

    test('a table without a key is not sought', async () => {
      const answer = await ask('loose', { sort: 'id', seek: 0.5, filter: JSON.stringify({ id: { _gte: 9 } }) })
      expect([codeOf(answer), answer.text]).toEqual(['INVALID_QUERY', expect.stringContaining('use \\"offset\\"')])
    })
  })
})
