import { beforeEach, describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const uuidType: Readonly<Record<TestDialect, string>> = { postgres: 'uuid', mysql: 'uuid', sqlite: 'uuid' }
describe.each(testDialects)('the key of an item on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: [
      `create table bins (zone varchar(5) not null, no int not null, note varchar(20), primary key (zone, no))`,
      `create table things (id int primary key, slug varchar(20) unique, note varchar(20))`,
      `create table parts (id int primary key, thing int references things (id), note varchar(20))`,
      `create table marks (id ${uuidType[dialect]} primary key, note varchar(20))`,
      `create table site (id int primary key, note varchar(20))`,
      `create table amounts (n decimal(6, 2) primary key, note varchar(20))`,
    ],
    prepare: async () => {
      dataOf(await service.send('PATCH', '/collections/site', { meta: { singleton: true } }))
    },
  })

  const UUID = '0190a5f2-8c1e-4b3a-9d7e-aabbccddeeff'

  beforeEach(async () => {
    for (const table of ['parts', 'things', 'bins', 'marks', 'amounts', 'site'])
      await database.query(`delete from ${table}`)
    for (const statement of [
      `insert into bins values ('A', 2, 'x'), ('A', 3, 'y')`,
      `insert into things values (1, 'one', 'x'), (2, 'two', 'y')`,
      `insert into marks values ('${UUID}', 'x')`,
      `insert into site values (1, 'x')`,
      `insert into amounts values (1.5, 'x')`,
    ])
      await database.query(statement)
  })

  const patch = (path: string, body: unknown) => service.send('PATCH', `/items/${path}`, body)
  const rows = async () => {
    const found: unknown[] = []
    for (const table of ['bins', 'things', 'marks', 'amounts', 'site'])
      found.push(await database.query(`select * from ${table}`))
    return found
  }

  test.each([
    ['in an address', 'things/1', { id: 3, note: 'z' }],
    ['that others have', 'things/1', { id: 2, note: 'z' }],
    ['emptied', 'things/1', { id: null, note: 'z' }],
    ['of several columns', 'bins/A,2', { no: 4 }],
    ['of several columns, to one that is taken', 'bins/A,2', { zone: 'A', no: 3, note: 'z' }],
    ['by a query', 'things', { query: { filter: { id: { _eq: 1 } } }, data: { id: 9, note: 'z' } }],
    ['of several items', 'things', { all: true, data: { id: 1, note: 'z' } }],
    ['by a list of keys', 'things', { keys: [1, 2], data: { id: 1 } }],
    ['alone', 'things/1', { id: 2 }],
    ['by another uuid', `marks/${UUID}`, { id: UUID.replace('0190', '0191'), note: 'z' }],
    ['by another number', 'amounts', { all: true, data: { n: '1.51', note: 'z' } }],
    ['of a singleton', 'site', { id: 2, note: 'z' }],
  ])('is not changed %s', async (_, path, body) => {
    const before = await rows()
    const answer = await patch(path, body)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_PAYLOAD'])
    expect(answer.text).toContain('cannot be changed')
    expect(await rows()).toEqual(before)
  })

  test.each([
    ['as a number', 'things/1', { id: 1, note: 'z' }],
    ['as a text', 'things/1', { id: '1', note: 'z' }],
    ['as part of a key', 'bins/A,2', { zone: 'A', note: 'z' }],
    ['as a whole key', 'bins/A,2', { zone: 'A', no: 2, note: 'z' }],
    ['in other letters', `marks/${UUID}`, { id: UUID.toUpperCase(), note: 'z' }],
    ['by a query', 'marks', { all: true, data: { id: UUID.toUpperCase(), note: 'z' } }],
    ['with other digits', 'amounts', { all: true, data: { n: '01.500', note: 'z' } }],
    ['of a singleton', 'site', { id: 1, note: 'z' }],
    ['in a list', 'things', [{ id: 1, note: 'z' }]],
  ])('may be sent along unchanged %s', async (_, path, body) => {
    const data = dataOf(await patch(path, body))
    expect([data].flat()).toMatchObject([{ note: 'z' }])
  })

  test('is not changed by PUT either, at an address or by another unique field', async () => {
    const before = await rows()
    for (const answer of [
      await service.send('PUT', '/items/things/1', { id: 5, note: 'z' }),
      await service.send('PUT', '/items/things?on_conflict=slug', { id: 5, slug: 'one', note: 'z' }),
    ])
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_PAYLOAD'])
    expect(await rows()).toEqual(before)
    expect(dataOf(await service.send('PUT', '/items/things/1', { id: '1', note: 'z' }))).toMatchObject({ id: 1 })
  })

  test('is not changed in GraphQL', async () => {
    const ask = (data: string): Promise<Answer> =>
      service.send('POST', '/graphql', { query: `mutation { update_things_item(id: 1, data: ${data}) { id note } }` })
    expect(codeOf(await ask('{ id: 3, note: "z" }'))).toBe('INVALID_PAYLOAD')
    expect((await ask('{ id: 1, note: "z" }')).body).toEqual({ data: { update_things_item: { id: '1', note: 'z' } } })
  })

  test('whether a row has the other key is not told', async () => {
    const ask = async (id: number) => (await patch('things/1', { id })).text
    expect(await ask(2)).toBe(await ask(77))
  })

  test('is told apart from a row that does not exist', async () => {
    expect(codeOf(await patch('things/77', { id: 78 }))).toBe('FORBIDDEN')
  })
})
