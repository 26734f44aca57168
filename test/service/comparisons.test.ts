import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const shared = `create table sizes (id int primary key, f double precision, big bigint, d decimal(30, 2), t varchar(40));
  insert into sizes values (1, 1.5e308, 9007199254740993, 100000000000000000000.01, 'a'), (2, 1e20, 1, 1, 'b'), (3, 0.1, 2, 2, 'c')`

describe.each(testDialects)('comparing large numbers, on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query(shared)
      if (dialect === 'postgres')
        await database.query(`create extension hstore; create table settings (id int primary key, h hstore);
        insert into settings values (1, 'a=>1'), (2, 'b=>2'), (3, 'c=>3'), (4, null)`)
    },
  })

  const ids = async (filter: object) => {
    const rows = dataOf(await service.search('sizes', { fields: ['id'], filter })) as { id: number }[]
    return rows.map(({ id }) => id)
  }

  test('a float is found by the number that is shown', async () => {
    const rows = dataOf(await service.get('/items/sizes?fields=f')) as { f: number }[]
    expect(await ids({ f: { _eq: rows[0]?.f } })).toEqual([1])
    expect(await ids({ f: { _in: rows.map(({ f }) => f) } })).toEqual([1, 2, 3])
    expect(await ids({ f: { _gte: 1e20 } })).toEqual([1, 2])
  })

  test('a number beyond 2^53 keeps its digits, as a number and as text', async () => {
    const headers = { 'content-type': 'application/json' }
    const found = async (filter: string) => {
      const body = `{"query": {"fields": ["id"], "filter": ${filter}}}`
      return dataOf(await service.send('SEARCH', '/items/sizes', body, { headers }))
    }
    expect(await found('{"big": {"_eq": 9007199254740993}}')).toEqual([{ id: 1 }])
    expect(await found('{"big": {"_eq": 9007199254740992}}')).toEqual([])
    expect(await found('{"big": {"_in": [1, 9007199254740993]}}')).toEqual([{ id: 1 }, { id: 2 }])
    expect(await found('{"d": {"_eq": 100000000000000000000.01}}')).toEqual([{ id: 1 }])
  })

  test('a whole number as text keeps its digits', async () => {
    expect(await ids({ big: { _eq: '9007199254740993' } })).toEqual([1])
    expect(await ids({ big: { _eq: '9007199254740992' } })).toEqual([])
  })

  if (dialect !== 'postgres') return

  // The operator class of hstore has no operator called <.
  test('hstore is compared and sorted by its text', async () => {
    const filter = { h: { _gt: '"a"=>"1"' } }
    expect(dataOf(await service.search('settings', { fields: ['id'], filter }))).toEqual([{ id: 2 }, { id: 3 }])
    const query = { fields: ['id'], sort: ['-h'], limit: 2, meta: ['cursor'] }
    const first = await service.search('settings', query)
    expect(dataOf(first)).toEqual([{ id: 4 }, { id: 3 }])
    const cursor = (first.body as { meta: { next_cursor: string } }).meta.next_cursor
    expect(dataOf(await service.search('settings', { ...query, cursor }))).toEqual([{ id: 2 }, { id: 1 }])
  })
})
