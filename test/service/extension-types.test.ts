import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Extensions in a schema that no session has in its search path. */
const TABLES = `
  create schema "My ext";
  create extension citext schema "My ext";
  create extension ltree schema "My ext";
  create extension hstore schema "My ext";
  create domain address as "My ext".citext;
  create table customers (email "My ext".citext primary key, name text);
  create table tags (word "My ext".citext primary key);
  create table customer_tags (
    customer "My ext".citext references customers, tag "My ext".citext references tags, primary key (customer, tag));
  create table purchases (id int primary key, customer "My ext".citext references customers on delete set null, at date);
  create table letters (id int primary key, sent_to address, place "My ext".ltree, facts "My ext".hstore, bits varbit);
  insert into customers values ('Ada@Example.com', 'Ada'), ('ben@example.com', 'Ben'), ('CLEO@example.com', 'Cleo');
  insert into tags values ('New'), ('loyal');
  insert into customer_tags values ('ADA@example.com', 'NEW'), ('ada@example.com', 'LOYAL'), ('BEN@example.com', 'new');
  insert into purchases values (1, 'ada@example.COM', '2024-01-01'), (2, 'ADA@EXAMPLE.COM', '2024-01-02'),
    (3, 'BEN@example.com', '2024-01-03');
  insert into letters values (1, 'ADA@example.com', 'north.harbour', 'a=>1'), (2, 'ben@example.com', 'north', 'b=>2'),
    (3, 'Dora@example.com', 'south', 'a=>1');`

describe.runIf(testDialects.includes('postgres'))('types of extensions outside the search path', () => {
  const { database, service } = useWorld({ dialect: 'postgres', tables: TABLES })

  const read = async (path: string) => dataOf(await service.get(`/items/${path}`))
  const names = async (filter: unknown) =>
    ((await read(`customers?fields=name&sort=name&filter=${JSON.stringify(filter)}`)) as { name: string }[]).map(
      ({ name }) => name,
    )

  test.each([
    [{ _eq: 'ADA@EXAMPLE.COM' }, ['Ada']],
    [{ _neq: 'ADA@EXAMPLE.COM' }, ['Ben', 'Cleo']],
    [{ _in: ['ADA@EXAMPLE.COM', 'cleo@example.com'] }, ['Ada', 'Cleo']],
    [{ _nin: ['ADA@EXAMPLE.COM'] }, ['Ben', 'Cleo']],
    [{ _contains: 'CLEO' }, ['Cleo']],
    [{ _contains: 'cleo' }, []],
    [{ _icontains: 'cleo' }, ['Cleo']],
    [{ _nempty: true }, ['Ada', 'Ben', 'Cleo']],
  ])('a filter on citext: %j', async (condition, expected) => {
    expect(await names({ email: condition })).toEqual(expected)
  })

  test.each([
    [{ _eq: 'north' }, [2]],
    [{ _nin: ['north'] }, [1, 3]],
    [{ _gt: 'north' }, [1, 3]],
    [{ _lte: 'north.harbour' }, [1, 2]],
    [{ _between: ['north', 'north.harbour'] }, [1, 2]],
    [{ _nbetween: ['north', 'north.harbour'] }, [3]],
  ])('a filter on ltree: %j', async (condition, expected) => {
    const filter = JSON.stringify({ place: condition })
    const rows = (await read(`letters?fields=id&sort=id&filter=${filter}`)) as { id: number }[]
    expect(rows.map(({ id }) => id)).toEqual(expected)
  })

  test('relations hold as the foreign keys do, in both directions and through a junction', async () => {
    expect(await read('purchases?fields=id,customer.name&sort=id')).toEqual([
      { id: 1, customer: { name: 'Ada' } },
      { id: 2, customer: { name: 'Ada' } },
      { id: 3, customer: { name: 'Ben' } },
    ])
    expect(await read('customers/ADA@EXAMPLE.COM?fields=name,purchases.id,customer_tags.tag.word')).toMatchObject({
      name: 'Ada',
      purchases: [{ id: 1 }, { id: 2 }],
    })
    expect(await names({ purchases: { _some: { id: { _eq: 2 } } } })).toEqual(['Ada'])
    expect(await names({ purchases: { _none: { id: { _lt: 3 } } } })).toEqual(['Ben', 'Cleo'])
    expect(await names({ customer_tags: { tag: { word: { _eq: 'NEW' } } } })).toEqual(['Ada', 'Ben'])
    expect(await read('purchases?fields=id&sort=-customer.email,id')).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }])
  })

  test('composite keys of citext address their row', async () => {
    expect(await read('customer_tags/BEN@EXAMPLE.COM,NEW')).toEqual({ customer: 'BEN@example.com', tag: 'new' })
  })

  test('groups and extremes are those of the type', async () => {
    const groups = (await read('purchases?groupBy=customer&aggregate[count]=*')) as { count: string }[]
    expect(groups.map(({ count }) => count).sort()).toEqual(['1', '2'])
    expect(await read('customers?aggregate[min]=email&aggregate[max]=email')).toEqual([
      { min: { email: 'Ada@Example.com' }, max: { email: 'CLEO@example.com' } },
    ])
    expect(await read('letters?aggregate[min]=place&aggregate[max]=place')).toEqual([
      { min: { place: 'north' }, max: { place: 'south' } },
    ])
  })

  test('cursors over citext and ltree reach every row', async () => {
    for (const [sort, ids] of [
      ['sent_to', [1, 2, 3]],
      ['-place', [3, 1, 2]],
    ] as const) {
      const seen: unknown[] = []
      for (let cursor = ''; ;) {
        const answer = await service.get(`/items/letters?fields=id&sort=${sort}&limit=1&meta=cursor${cursor}`)
        seen.push(...(dataOf(answer) as { id: number }[]).map(({ id }) => id))
        const next = (answer.body as { meta: { next_cursor: string | null } }).meta.next_cursor
        if (next === null) break
        cursor = `&cursor=${next}`
      }
      expect(seen).toEqual(ids)
    }
  })

  test('a type without an order is compared by its text', async () => {
    const filter = JSON.stringify({ facts: { _eq: '"a"=>"1"' } })
    expect(await read(`letters?fields=id&sort=id&filter=${encodeURIComponent(filter)}`)).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('a function that the database does not have is no change of its schema', async () => {
    const answer = await service.get('/items/letters?aggregate[min]=bits')
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        errors: [
          expect.objectContaining({
            extensions: {
              code: 'UNPROCESSABLE_CONTENT',
              reason:
                'The database does not support this here: a function, operator or type that the statement needs is missing',
            },
          }),
        ],
      },
    ])
  })

  test('writes in depth find their rows in any case', async () => {
    const written = await service.send('PATCH', '/items/customers/BEN@EXAMPLE.COM?fields=name,purchases.id', {
      purchases: [{ id: 4, at: '2024-02-01' }],
    })
    expect(dataOf(written)).toEqual({ name: 'Ben', purchases: [{ id: 4 }] })
    expect(await database.query('select id, customer is null from purchases where id >= 3 order by id')).toEqual([
      ['3', 't'],
      ['4', 'f'],
    ])
    const linked = await service.send('PATCH', '/items/purchases/3?fields=customer.name', {
      customer: 'CLEO@EXAMPLE.COM',
    })
    expect(dataOf(linked)).toEqual({ customer: { name: 'Cleo' } })
    expect((await service.send('PATCH', '/items/purchases/3', { customer: 'nobody@example.com' })).status).toBe(400)
    const upserted = await service.send('PUT', '/items/customers?on_conflict=email', [
      { email: 'ADA@example.com', name: 'Ada L.' },
    ])
    expect(dataOf(upserted)).toMatchObject([{ name: 'Ada L.' }])
    expect((await service.send('DELETE', '/items/customer_tags/BEN@EXAMPLE.COM,NEW')).status).toBe(204)
    expect(await database.query('select count(*) from customers')).toEqual([['3']])
  })
})
