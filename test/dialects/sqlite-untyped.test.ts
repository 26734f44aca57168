import { describe, expect, test } from 'vitest'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Computed columns of a view have no declared type. */
describe('columns of SQLite without a type', () => {
  const { database, service } = useWorld({
    dialect: 'sqlite',
    tables: `
      create table orders (id integer primary key, price decimal(10, 2), amount integer, code text);
      insert into orders values (1, 99.5, 10, '0100'), (2, 9.25, 4, '20'), (3, 1000, 2, '3'), (4, 500, 2, 'x'),
        (5, null, 1, null), (6, 0.1, 3, '1000');
      create view totals as select id, price * amount as total, substr(code, 1) as code,
        case when id < 4 then id * 1000 else 'n' || id end as mixed from orders;
      create table bare (id integer primary key, anything);
      insert into bare values (1, 5), (2, '5'), (3, 10), (4, 'a'), (5, x'05'), (6, 5.5), (7, null);`,
  })

  const ids = async (collection: string, query: object) =>
    (dataOf(await service.search(collection, { fields: ['id'], sort: ['id'], ...query })) as { id: number }[]).map(
      ({ id }) => id,
    )
  const asked = async (where: string) => (await database.query(`select id from ${where}`)).map(([id]) => Number(id))

  test.each([
    ['_gt', '100', 'total > 100'],
    ['_gt', 100, 'total > 100'],
    ['_gte', '995', 'total >= 995'],
    ['_lt', '37.5', 'total < 37.5'],
    ['_lte', 37, 'total <= 37'],
    ['_eq', '1000', 'total = 1000'],
    ['_neq', '1000', 'total <> 1000'],
    ['_in', ['37', 2000], 'total in (37, 2000)'],
    ['_nin', ['37', 2000], 'total not in (37, 2000)'],
    ['_between', ['30', '1000'], 'total between 30 and 1000'],
    ['_nbetween', ['30', '1000'], 'total not between 30 and 1000'],
  ])('are compared by %s %j as the database does', async (operator, operand, condition) => {
    const expected = await asked(`totals where ${condition} order by id`)
    expect(await ids('totals', { filter: { total: { [operator]: operand } } })).toEqual(expected)
  })

  test('are compared as text where they hold text', async () => {
    expect(await ids('totals', { filter: { code: { _eq: '1000' } } })).toEqual([6])
    expect(await ids('totals', { filter: { code: { _eq: '0100' } } })).toEqual([1])
    expect(await ids('totals', { filter: { code: { _in: ['20', 'x'] } } })).toEqual([2, 4])
    expect(await ids('totals', { filter: { mixed: { _eq: 'n4' } } })).toEqual([4])
    expect(await ids('totals', { filter: { mixed: { _eq: '2000' } } })).toEqual([2])
    expect(await ids('bare', { filter: { anything: { _eq: '5' } } })).toEqual([1, 2])
    expect(await ids('bare', { filter: { anything: { _contains: '5' } } })).toEqual([1, 2, 5, 6])
    expect(await ids('bare', { filter: { anything: { _null: true } } })).toEqual([7])
  })

  test.each(['total', '-total', 'code', 'mixed', '-mixed'])(
    'are sorted by %s and paged as the database does',
    async (sort) => {
      const order = sort.startsWith('-') ? `${sort.slice(1)} desc nulls first` : `${sort} nulls last`
      const expected = await asked(`totals order by ${order}, id`)
      expect(await ids('totals', { sort: [sort, 'id'] })).toEqual(expected)
      const anything = sort.startsWith('-') ? 'anything desc nulls first' : 'anything nulls last'
      const all = await asked(`bare order by ${anything}, id`)
      const found: number[] = []
      for (let cursor = ''; ;) {
        const by = sort.startsWith('-') ? '-anything' : 'anything'
        const { body } = await service.get(`/items/bare?fields=id&sort=${by}&limit=2&meta=cursor${cursor}`)
        const { data, meta } = body as { data: { id: number }[]; meta: { next_cursor: string | null } }
        found.push(...data.map(({ id }) => id))
        if (meta.next_cursor === null || found.length > all.length) break
        cursor = `&cursor=${meta.next_cursor}`
      }
      expect(found).toEqual(all)
    },
  )

  test('are summed and averaged', async () => {
    const [[sum, avg, least, most] = []] = await database.query(
      'select sum(total), avg(total), min(total), max(total) from totals',
    )
    const answer = await service.get(
      '/items/totals?aggregate[sum]=total&aggregate[avg]=total&aggregate[min]=total&aggregate[max]=total&aggregate[countDistinct]=total',
    )
    expect(dataOf(answer)).toEqual([
      {
        sum: { total: sum },
        avg: { total: avg },
        min: { total: least },
        max: { total: most },
        countDistinct: { total: '5' },
      },
    ])
    const { body } = await service.send('POST', '/graphql', {
      query: '{ totals_aggregated { sum { total } avg { total } } }',
    })
    expect(body).toEqual({
      data: { totals_aggregated: [{ sum: { total: Number(sum) }, avg: { total: Number(avg) } }] },
    })
    expect(dataOf(await service.get('/items/bare?aggregate[sum]=anything'))).toEqual([{ sum: { anything: '25.5' } }])
    const groups = dataOf(await service.get('/items/bare?groupBy[]=anything&aggregate[count]=id&sort=anything'))
    expect(groups).toHaveLength(7)
  })
})
