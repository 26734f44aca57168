import { describe, expect, test } from 'vitest'
import type { SchemaDescription } from '@tain/contract'
import { generateTypes } from '../../packages/server/src/types/generate.ts'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Only these databases store numbers in flags. */
const dialects = testDialects.filter((dialect) => dialect !== 'postgres')

const words = {
  mysql: { flag: 'tinyint(1)', other: 'tinyint(1) unsigned' },
  sqlite: { flag: 'boolean', other: 'bool' },
}

const tables = ({ flag, other }: (typeof words)['mysql']) => `
  create table loans (id integer primary key, lost ${flag} not null default 0, open ${other}, checked ${flag} check (checked in (0, 1)),
    trusted ${flag});
  insert into loans values (1, 0, 1, 0, 0), (2, 1, 0, 1, 1), (3, 2, 200, 1, 1), (4, -1, null, null, null);
  create table notes (id integer primary key, loan integer, foreign key (loan) references loans (id));
  insert into notes values (1, 3), (2, 1)`

describe.each(dialects)('flags that hold other numbers on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: tables(words[dialect]),
    prepare: async () => {
      await service.send('PATCH', '/fields/loans/trusted', { meta: { special: 'cast-boolean' } })
    },
  })

  const lost = async (query = '') =>
    (dataOf(await service.get(`/items/loans?sort=id&fields=id,lost${query}`)) as { id: number; lost: unknown }[]).map(
      (row) => row.lost,
    )
  const graphql = (query: string) => service.send('POST', '/graphql', { query })

  test('responses show other numbers, nested and in groups', async () => {
    expect(await lost()).toEqual([false, true, 2, -1])
    expect(dataOf(await service.get('/items/notes?sort=id&fields=loan.lost,loan.open'))).toEqual([
      { loan: { lost: 2, open: 200 } },
      { loan: { lost: false, open: true } },
    ])
    expect(dataOf(await service.get('/items/loans?aggregate[count]=*&groupBy=lost&sort=lost'))).toEqual(
      [-1, false, true, 2].map((value) => expect.objectContaining({ lost: value, count: expect.anything() })),
    )
  })

  test('filters find them', async () => {
    expect(await lost('&filter[lost][_eq]=2')).toEqual([2])
    expect(await lost('&filter[lost][_neq]=true')).toEqual([false, 2, -1])
    expect(await lost('&filter[lost][_eq]=7')).toEqual([])
    for (const value of ['maybe', '1.5'])
      expect((await service.get(`/items/loans?filter[lost][_eq]=${value}`)).status).toBe(400)
    expect((await service.get('/items/loans?filter[checked][_eq]=2')).status).toBe(400)
    expect((await service.get('/items/loans?filter[lost][_gt]=1')).status).toBe(400)
  })

  test('a cursor continues behind them', async () => {
    const page = async (cursor: string) =>
      (await service.get(`/items/loans?sort=lost,id&fields=lost&limit=2&meta=cursor${cursor}`)).body as {
        data: { lost: unknown }[]
        meta: { next_cursor: string }
      }
    const first = await page('')
    const second = await page(`&cursor=${encodeURIComponent(first.meta.next_cursor)}`)
    expect([...first.data, ...second.data].map((row) => row.lost)).toEqual([-1, false, true, 2])
  })

  test('a row that is sent back as it was read does not change', async () => {
    const before = await database.query('select id, lost + 0, open + 0, checked + 0 from loans order by id')
    for (const row of dataOf(await service.get('/items/loans')) as { id: number }[])
      expect((await service.send('PATCH', `/items/loans/${row.id}`, row)).status).toBe(200)
    expect(await database.query('select id, lost + 0, open + 0, checked + 0 from loans order by id')).toEqual(before)
  })

  test('payloads take the numbers that the column holds', async () => {
    const write = async (data: object) => service.send('PATCH', '/items/loans/1', data)
    expect(dataOf(await write({ lost: 3 }))).toMatchObject({ lost: 3 })
    expect(dataOf(await write({ lost: '-128' }))).toMatchObject({ lost: -128 })
    expect(dataOf(await write({ open: 255 }))).toMatchObject({ open: 255 })
    expect((await write({ lost: 1.5 })).status).toBe(400)
    expect((await write({ checked: 2 })).status).toBe(400)
    expect((await write({ trusted: 2 })).status).toBe(400)
    expect(dataOf(await write({ lost: false, open: true }))).toMatchObject({ lost: false, open: true })
  })

  test.runIf(dialect === 'mysql')('a number outside the range of the column is refused', async () => {
    for (const data of [{ lost: 300 }, { open: -1 }])
      expect((await service.send('PATCH', '/items/loans/1', data)).body).toMatchObject({
        errors: [{ extensions: { code: 'VALUE_OUT_OF_RANGE', field: Object.keys(data)[0] } }],
      })
  })

  test('revisions and exports have the numbers', async () => {
    await service.send('PATCH', '/items/loans/3', { lost: 5 })
    const revisions = dataOf(
      await service.get('/revisions?filter[collection][_eq]=loans&filter[item][_eq]=3&sort=-id&limit=1'),
    ) as { delta: object; data: object }[]
    expect(revisions[0]?.data).toMatchObject({ lost: 5, open: 200 })
    await service.send('PATCH', '/items/loans/3', { lost: 2 })
    expect((await service.get('/items/loans?export=csv&fields=id,lost&sort=id')).text).toBe(
      'id,lost\n1,false\n2,true\n3,2\n4,-1\n',
    )
  })

  test('in GraphQL they are null, with an error that says where and what to do', async () => {
    const query = '{ loans(sort: ["id"]) { id gone: lost open trusted } notes(sort: ["id"]) { loan { lost } } }'
    const { body } = await graphql(query)
    expect(body).toMatchObject({
      data: {
        loans: [
          { id: '1', gone: false, open: true },
          { id: '2', gone: true, open: false },
          { id: '3', gone: null, open: null, trusted: true },
          { id: '4', gone: null, open: null },
        ],
        notes: [{ loan: { lost: null } }, { loan: { lost: false } }],
      },
      errors: [
        { path: ['loans', 2, 'gone'], extensions: { code: 'VALUE_OUT_OF_RANGE', field: 'lost' } },
        { path: ['loans', 2, 'open'], extensions: { code: 'VALUE_OUT_OF_RANGE', field: 'open' } },
        { path: ['loans', 3, 'gone'], extensions: { code: 'VALUE_OUT_OF_RANGE', field: 'lost' } },
        { path: ['notes', 0, 'loan', 'lost'], extensions: { code: 'VALUE_OUT_OF_RANGE', field: 'lost' } },
      ],
    })
    expect(JSON.stringify(body)).toContain('PATCH /fields/loans/lost')
    expect((await graphql(query)).body).toEqual(body)
    expect((await graphql('{ loans(filter: { lost: { _eq: true } }) { id lost } }')).body).toEqual({
      data: { loans: [{ id: '2', lost: true }] },
    })
    expect(
      (await graphql('mutation { update_loans_item(id: 3, data: { checked: true }) { lost checked } }')).body,
    ).toMatchObject({
      data: { update_loans_item: { lost: null, checked: true } },
      errors: [{ path: ['update_loans_item', 'lost'] }],
    })
  })

  test('OpenAPI and generated types tell which flags hold numbers', async () => {
    const { components } = (await service.get('/server/specs/oas')).body as {
      components: { schemas: Record<string, { properties: Record<string, unknown> }> }
    }
    const { lost: both, checked, trusted } = components.schemas['ItemsLoans']?.properties ?? {}
    expect(both).toEqual({ oneOf: [{ type: 'boolean' }, { type: 'integer' }] })
    expect([checked, trusted]).toEqual([{ type: ['boolean', 'null'] }, { type: ['boolean', 'null'] }])
    const types = generateTypes((await service.get('/server/specs/schema')).body as SchemaDescription, 'a test')
    for (const line of [
      'lost: boolean | number\n',
      'checked: boolean | null\n',
      'lost?: FlagConditions<boolean | number>',
    ])
      expect(types).toContain(line)
  })

  test('as integers they are numbers everywhere', async () => {
    expect((await service.send('PATCH', '/fields/loans/lost', { type: 'integer' })).status).toBe(200)
    expect(await lost()).toEqual([0, 1, 2, -1])
    expect((await graphql('{ loans(sort: ["id"]) { lost } }')).body).toEqual({
      data: { loans: [0, 1, 2, -1].map((value) => ({ lost: value })) },
    })
  })

  test('fields made through the API hold nothing else, until their type changes', async () => {
    const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
    const fields = [id, { field: 'done', type: 'boolean', schema: {} }]
    await service.send('POST', '/collections', { collection: 'tasks', schema: {}, fields })
    await service.send('POST', '/fields/tasks', { field: 'seen', type: 'boolean', schema: { default_value: false } })
    await service.send('POST', '/fields/tasks', { field: 'rank', type: 'integer', schema: {} })
    await service.send('PATCH', '/fields/tasks/rank', { type: 'boolean' })
    for (const field of ['done', 'seen', 'rank']) {
      await expect(database.query(`insert into tasks (${field}) values (2)`)).rejects.toThrow(/constraint/iu)
      await database.query(`insert into tasks (${field}) values (1)`)
    }
    await service.send('PATCH', '/fields/tasks/rank', { type: 'integer' })
    await database.query('insert into tasks (rank) values (7)')
  })
})

describe.runIf(testDialects.includes('mysql'))('tinyint(1) that is no flag', () => {
  const { service } = useWorld({
    dialect: 'mysql',
    tables: `
      create table kinds (id tinyint(1) primary key, word varchar(20));
      insert into kinds values (0, 'create'), (2, 'delete');
      create table audits (id int primary key, kind tinyint(1), mode tinyint(1) unsigned not null default 8, plain tinyint(1) default 1,
        bits bit(1), foreign key (kind) references kinds (id));
      insert into audits values (1, 2, 7, 0, 1)`,
  })

  test('keys, foreign keys and columns with another default are integers', async () => {
    expect(dataOf(await service.get('/items/audits/1?fields=*,kind.id'))).toEqual({
      id: 1,
      kind: { id: 2 },
      mode: 7,
      plain: false,
      bits: true,
    })
    expect(dataOf(await service.get('/items/kinds/2?fields=word'))).toEqual({ word: 'delete' })
  })
})
