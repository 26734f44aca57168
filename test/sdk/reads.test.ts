// The SDK against a real service. The program compiles with the types that the SDK computes, and the values have them.
import { isTainError } from '@tain/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.end())

const items = <C extends Parameters<World['tain']['items']>[0]>(name: C) => world.tain.items<C>(name)

describe('lists', () => {
  test('without fields: everything that is not inferred, relations as keys', async () => {
    expect(await items('orders').list({ filter: { id: { _eq: 1 } } })).toEqual([
      { id: 1, customer: 1, status: 'paid', total: '24.90', placed: expect.stringContaining('2026-03-01T09:15:30') },
    ])
  })

  test('nested rows, to one and to many, with null where there is none', async () => {
    const rows = await items('orders').list({
      fields: ['id', 'customer.name', 'order_lines.quantity'],
      sort: ['customer.name', 'id'],
    })
    expect(rows.map((row) => [row.id, row.customer?.name, row.order_lines.map(({ quantity }) => quantity)])).toEqual([
      [1, 'Ada', [1, 20]],
      [2, 'Ada', [3]],
      [3, 'Linus', []],
      [4, undefined, []],
    ])
  })

  test('wildcards, one level deeper and below a relation', async () => {
    const [line] = await items('order_lines').list({ fields: ['*.*'], limit: 1 })
    expect(line?.order_id.total).toBe('24.90')
    expect(line?.order_id.customer).toBe(1)
    const [order] = await items('orders').list({ fields: ['id', 'customer.*'], limit: 1 })
    expect(order).toEqual({ id: 1, customer: { id: 1, name: 'Ada', born: '1815-12-10', details: expect.any(Object) } })
  })

  test('functions have the names that the types say', async () => {
    const rows = await items('orders').list({
      fields: ['year(placed)', 'count(order_lines)', 'customer.year(born)', 'hour(placed)'],
      limit: 1,
    })
    expect(rows).toEqual([{ placed_year: 2026, placed_hour: 9, order_lines_count: 2, customer: { born_year: 1815 } }])
    const moved = await items('orders').list({ fields: ['year(customer.born)'], filter: { id: { _in: [1, 3] } } })
    expect(moved).toEqual([{ customer: { born_year: 1815 } }, { customer: { born_year: null } }])
    const [ada] = await items('customers').list({
      fields: ['json(details, size.height)', 'json(details, languages[0])'],
    })
    expect(ada).toEqual({ details_size_height_json: 160, details_languages_0_json: 'en' })
    expect(ada?.details_languages_0_json).toBe('en')
  })

  test('aliases of fields, relations and functions', async () => {
    const rows = await items('orders').list({
      fields: ['sum', 'few.quantity', 'many.quantity', 'year'],
      alias: { sum: 'total', few: 'order_lines', many: 'order_lines', year: 'year(placed)' },
      deep: { few: { _filter: { quantity: { _in: [1, 3] } } }, many: { _filter: { quantity: { _gt: 10 } } } },
      limit: 1,
    })
    expect(rows).toEqual([{ sum: '24.90', few: [{ quantity: 1 }], many: [{ quantity: 20 }], year: 2026 }])
  })

  test('nested lists are sorted and limited', async () => {
    const rows = await items('customers').list({
      fields: ['name', 'orders.id'],
      deep: { orders: { _sort: '-placed', _limit: 1 } },
    })
    expect(rows).toEqual([
      { name: 'Ada', orders: [{ id: 2 }] },
      { name: 'Linus', orders: [{ id: 3 }] },
    ])
  })

  test('filters on relations, search, pages', async () => {
    const byCustomer = await items('orders').list({ fields: ['id'], filter: { customer: { name: { _eq: 'Linus' } } } })
    expect(byCustomer).toEqual([{ id: 3 }])
    expect(await items('tags').list({ search: 'STEEL', fields: ['name'] })).toEqual([{ name: 'steel' }])
    expect(await items('tags').list({ fields: ['id'], sort: '-id', limit: 1, page: 2 })).toEqual([{ id: 2 }])
  })

  test('a query that is too long for an address', async () => {
    const names = Array.from({ length: 800 }, (_, index) => `name-${index}`)
    const filter = { name: { _in: [...names, 'gift'] } }
    expect(await items('tags').list({ filter, fields: ['name'] })).toEqual([{ name: 'gift' }])
  })

  test('find is the first row or null', async () => {
    expect(await items('orders').find({ fields: ['id'], sort: '-id' })).toEqual({ id: 4 })
    expect(await items('orders').find({ filter: { id: { _eq: 99 } } })).toBeNull()
  })
})

describe('many-to-any', () => {
  test('keys, scoped rows, and rows of every collection', async () => {
    const keys = await items('blocks').list({ fields: ['item'] })
    expect(keys).toEqual([{ item: '1' }, { item: '1' }])
    const scoped = await items('blocks').list({ fields: ['collection', 'item:texts.content'] })
    expect(scoped).toEqual([
      { collection: 'texts', item: { content: 'Welcome.' } },
      { collection: 'pictures', item: 1 },
    ])
    const both = await items('blocks').list({ fields: ['item:texts.content', 'item:pictures.url'] })
    expect(both.map(({ item }) => item)).toEqual([{ content: 'Welcome.' }, { url: '/shop.jpg' }])
    expect(await items('blocks').list({ fields: ['item.id'] })).toEqual([{ item: { id: 1 } }, { item: { id: 1 } }])
  })
})

describe('single rows', () => {
  test('by key, by composite key, and the singleton', async () => {
    expect(await items('orders').read(3, { fields: ['id', 'customer.name'] })).toEqual({
      id: 3,
      customer: { name: 'Linus' },
    })
    expect(await items('order_lines').read([1, 2], { fields: ['quantity'] })).toEqual({ quantity: 20 })
    const { order_lines: keys } = await items('orders').read(1, { fields: ['order_lines'] })
    expect(keys).toEqual(['1,1', '1,2'])
    expect(await items('order_lines').read(keys[1] ?? '', { fields: ['quantity'] })).toEqual({ quantity: 20 })
    await expect(items('order_lines').read('1,9')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await items('site').read()).toEqual({ id: 1, motto: 'Open' })
  })

  test('by key with a query that is too long for an address', async () => {
    const deep = { order_lines: { _filter: { quantity: { _in: Array.from({ length: 3000 }, (_, index) => index) } } } }
    const query = { fields: ['id', 'order_lines.line'] as const, deep }
    expect(await items('orders').read(2, query)).toEqual({ id: 2, order_lines: [{ line: 1 }] })
    await expect(items('orders').read(99, query)).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 })
  })

  test('a key that does not exist is FORBIDDEN', async () => {
    const error: unknown = await items('orders')
      .read(99)
      .catch((reason: unknown) => reason)
    expect(isTainError(error, 'FORBIDDEN')).toBe(true)
  })
})

describe('lists as a whole', () => {
  test('meta', async () => {
    const { data, meta } = await items('orders').listWithMeta({
      fields: ['id'],
      filter: { status: { _eq: 'open' } },
      limit: 1,
      meta: ['total_count', 'filter_count', 'cursor', 'etag'],
    })
    expect(data).toEqual([{ id: 2 }])
    expect(meta).toMatchObject({ total_count: 4, filter_count: 3, prev_cursor: null })
    expect(meta.next_cursor).toEqual(expect.any(String))
    expect(meta.etags).toHaveLength(1)
  })

  test('the iterator reads all pages, and stops when it is left', async () => {
    const ids: number[] = []
    for await (const { id } of items('orders').each({ fields: ['id'], sort: '-id', limit: 3 })) ids.push(id)
    expect(ids).toEqual([4, 3, 2, 1])
    for await (const { id } of items('orders').each({ fields: ['id'], limit: 1 })) {
      ids.push(id)
      if (id === 2) break
    }
    expect(ids).toEqual([4, 3, 2, 1, 1, 2])
  })

  test('aggregates and groups', async () => {
    const rows = await items('orders').aggregate({
      aggregate: { count: '*', sum: 'total', min: ['placed'] },
      groupBy: ['status', 'year(placed)'],
      sort: ['status', 'year(placed)'],
    })
    expect(rows.map((row) => [row.status, row.placed_year, row.count, Number(row.sum.total)])).toEqual([
      ['open', 2025, '2', 100.5],
      ['open', 2026, '1', 10],
      ['paid', 2026, '1', 24.9],
    ])
    const [all] = await items('orders').aggregate({ aggregate: { count: '*', max: ['total', 'id'] } })
    expect(all).toEqual({ count: '4', max: { total: '99.50', id: 4 } })
    const byName = await items('orders').aggregate({
      aggregate: { count: ['id'] },
      groupBy: ['customer.name'],
      filter: { customer: { name: { _eq: 'Ada' } } },
    })
    expect(byName).toEqual([{ customer: { name: 'Ada' }, count: { id: '2' } }])
  })
})
