import { expect, test } from 'vitest'
import { dataOf, until } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const { database, service } = useWorld({
  dialect: 'postgres',
  tables: `
    create table cities (id int primary key, name text);
    create table capitals (state text) inherits (cities);
    create table places (id int primary key, cities_note text);
    insert into cities values (1, 'Aachen'), (2, 'Bonn'), (3, 'Celle'), (4, 'Emden');
    insert into capitals values (2, 'Berlin', 'BE'), (3, 'Bern', 'CH'), (3, 'Bern again', 'CH'), (5, 'Fulda', 'HE');`,
})

const all = ['Aachen', 'Berlin', 'Bern', 'Bern again', 'Bonn', 'Celle', 'Emden', 'Fulda']
const stored = () => database.query('select tableoid::regclass::text as place, id, name from cities order by 1, 2, 3')

test.each(['id', '-id', 'name'])('cursors sorted by %s reach every row', async (sort) => {
  const names: string[] = []
  let cursor: string | null = ''
  while (cursor !== null && names.length <= all.length) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await service.get(`/items/cities?limit=1&sort=${sort}&meta=cursor${after}`)
    const { data, meta } = body as { data: { name: string }[]; meta: { next_cursor: string | null } }
    names.push(...data.map(({ name }) => name))
    cursor = meta.next_cursor
  }
  expect(names.toSorted()).toEqual(all)
})

test.each([
  ['GET', '/items/cities/2', undefined],
  ['PATCH', '/items/cities/2', { name: 'Other' }],
  [
    'PATCH',
    '/items/cities',
    [
      { id: 1, name: 'Other' },
      { id: 3, name: 'Other' },
    ],
  ],
  ['PUT', '/items/cities/3', { name: 'Other' }],
  ['DELETE', '/items/cities/2', undefined],
  ['DELETE', '/items/cities', [1, 2]],
] as const)('%s %s is refused, and nothing changes', async (method, url, payload) => {
  const before = await stored()
  const answer = await service.send(method, url, payload)
  expect(answer.status).toBe(422)
  expect(JSON.stringify(answer.body)).toContain('Several rows of \\"cities\\" have this key')
  expect(await stored()).toEqual(before)
})

test('a key that one row has is read, changed and deleted, wherever the row is', async () => {
  expect(dataOf(await service.get('/items/cities/5?fields=name'))).toEqual({ name: 'Fulda' })
  expect(dataOf(await service.send('PATCH', '/items/cities/5?fields=name', { name: 'Kassel' }))).toEqual({
    name: 'Kassel',
  })
  expect((await service.send('DELETE', '/items/cities/5')).status).toBe(204)
  expect(await stored()).toHaveLength(all.length - 1)
})

test('a table that another one begins to inherit from is known as such', async () => {
  await database.query(`insert into places values (1, 'own'); create table sights (id int not null, cities_note text);
    insert into sights values (1, 'child'); alter table sights inherit places`)
  await until(async () => (await service.get('/items/places/1')).status !== 200, 10, 'the key is shared')
  expect((await service.get('/items/places/1')).status).toBe(422)
})
