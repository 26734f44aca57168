import type { SchemaDescription } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { generateTypes } from '../../packages/server/src/types/generate.ts'
import { testDialects } from '../lib/databases.ts'
import { dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const VISIT = '13344473600123457'
const EVEN = '13344473600123458'
const LEAST = '-9223372036854775808'

describe.runIf(testDialects.includes('sqlite'))('whole numbers beyond 2^53 on SQLite', () => {
  const { database, service } = useWorld({
    dialect: 'sqlite',
    tables: `
      create table visits (id integer primary key, host text, lapses integer, real_too integer);
      insert into visits values (1, 'small', 3000000000, 1.5), (9007199254740991, 'last', -9007199254740991, null),
        (9007199254740992, 'first', ${LEAST}, null), (${VISIT}, 'odd', 9223372036854775807, null), (${EVEN}, 'even', null, null);
      create table links (id integer primary key, visit integer references visits);
      insert into links values (1, ${VISIT}), (2, ${EVEN}), (3, null);
      create table pairs (a integer, b integer, note text, primary key (a, b));
      insert into pairs values (${VISIT}, 1, 'pair')`,
  })

  const column = (rows: unknown, name: string) => (rows as Readonly<Record<string, unknown>>[]).map((row) => row[name])
  const raw = (method: string, path: string, body: string) =>
    service.send(method, path, body, { headers: { 'content-type': 'application/json' } })
  const graphql = async (query: string, variables: object = {}) =>
    (await service.send('POST', '/graphql', { query, variables })).body

  test('beyond they are text, within they are numbers', async () => {
    const rows = dataOf(await service.get('/items/visits?sort=id'))
    expect(column(rows, 'id')).toEqual([1, 9007199254740991, '9007199254740992', VISIT, EVEN])
    expect(column(rows, 'lapses')).toEqual([3000000000, -9007199254740991, LEAST, '9223372036854775807', null])
    expect(column(rows, 'real_too')).toEqual([1.5, null, null, null, null])
    expect(dataOf(await service.get('/items/links?sort=id&fields=visit.id,visit.lapses&limit=1'))).toEqual([
      { visit: { id: VISIT, lapses: '9223372036854775807' } },
    ])
    expect(dataOf(await service.get(`/items/pairs/${VISIT},1`))).toEqual({ a: VISIT, b: 1, note: 'pair' })
  })

  test('keys, filters and payloads take text and bare numbers', async () => {
    for (const id of [VISIT, EVEN]) {
      const host = id === VISIT ? 'odd' : 'even'
      expect(dataOf(await service.get(`/items/visits/${id}?fields=host`))).toEqual({ host })
      for (const spelled of [id, `"${id}"`]) {
        const filter = `{"id":{"_eq":${spelled}}}`
        for (const method of ['SEARCH', 'QUERY'])
          expect(column(dataOf(await raw(method, '/items/visits', `{"query":{"filter":${filter}}}`)), 'host')).toEqual([
            host,
          ])
        const url = `/items/visits?filter=${encodeURIComponent(filter)}`
        expect(column(dataOf(await service.get(url)), 'host')).toEqual([host])
        const listed = `{"query":{"filter":{"id":{"_in":[1,${spelled}]}},"sort":["id"]}}`
        expect(column(dataOf(await raw('SEARCH', '/items/visits', listed)), 'host')).toEqual(['small', host])
        const update = `{"keys":[${spelled}],"data":{"lapses":${spelled}}}`
        expect(column(dataOf(await raw('PATCH', '/items/visits', update)), 'lapses')).toEqual([id])
      }
    }
    expect(await database.query(`select cast(lapses as text) as n from visits where id = ${EVEN}`)).toEqual([[EVEN]])
    expect(
      (await service.send('PATCH', `/items/visits/${EVEN}`, { lapses: '9223372036854775808' })).body,
    ).toMatchObject({
      errors: [{ extensions: { code: 'VALUE_OUT_OF_RANGE' } }],
    })
    await service.send('PATCH', `/items/visits/${VISIT}`, { lapses: '9223372036854775807' })
    await service.send('PATCH', `/items/visits/${EVEN}`, { lapses: null })
  })

  test('a row that is sent back as it was read does not change', async () => {
    const before = await database.query('select id, cast(visit as text) as visit from links order by id')
    for (const row of dataOf(await service.get('/items/links')) as { id: number }[])
      expect((await service.send('PATCH', `/items/links/${row.id}`, row)).status).toBe(200)
    expect(await database.query('select id, cast(visit as text) as visit from links order by id')).toEqual(before)
  })

  test('groups, extremes, cursors, revisions and exports have the same form', async () => {
    expect(
      column(dataOf(await service.get('/items/links?groupBy=visit&aggregate[count]=*&sort=visit')), 'visit'),
    ).toEqual([VISIT, EVEN, null])
    expect(dataOf(await service.get('/items/visits?aggregate[min]=lapses,id&aggregate[max]=lapses'))).toEqual([
      { min: { lapses: LEAST, id: 1 }, max: { lapses: '9223372036854775807' } },
    ])
    const page = async (cursor: string) =>
      (await service.get(`/items/visits?sort=-id&fields=id&limit=1&meta=cursor${cursor}`)).body as {
        data: unknown
        meta: { next_cursor: string }
      }
    const first = await page('')
    const second = await page(`&cursor=${encodeURIComponent(first.meta.next_cursor)}`)
    expect([first.data, second.data]).toEqual([[{ id: EVEN }], [{ id: VISIT }]])
    await service.send('PATCH', '/items/links/3', { visit: EVEN })
    const [revision] = dataOf(
      await service.get('/revisions?filter[collection][_eq]=links&sort=-id&limit=1'),
    ) as object[]
    expect(revision).toMatchObject({ item: '3', delta: { visit: EVEN } })
    await service.send('PATCH', '/items/links/3', { visit: null })
    expect((await service.get('/items/links?export=csv&sort=id&fields=visit&limit=2')).text).toBe(
      `visit\n${VISIT}\n${EVEN}\n`,
    )
    expect((await service.get('/items/links?export=json&sort=id&fields=visit&limit=1')).body).toEqual([
      { visit: VISIT },
    ])
  })

  test('GraphQL has a type of its own for them', async () => {
    const types = await graphql('{ __type(name: "visits") { fields { name type { name } } } }')
    expect(types).toMatchObject({
      data: { __type: { fields: expect.arrayContaining([{ name: 'lapses', type: { name: 'GraphQLInteger' } }]) } },
    })
    const hosts = async (query: string, variables?: object) =>
      column(((await graphql(query, variables)) as { data: { visits: unknown } }).data.visits, 'host')
    const where = (operand: string) => `{ visits(filter: { lapses: { _eq: ${operand} } }) { host } }`
    expect(await hosts(where('3000000000'))).toEqual(['small'])
    expect(await hosts(where('9223372036854775807'))).toEqual(['odd'])
    expect(await hosts(where('"9223372036854775807"'))).toEqual(['odd'])
    expect(await hosts(`query ($n: GraphQLInteger!) ${where('$n')}`, { n: LEAST })).toEqual(['first'])
    expect(await hosts(`query ($n: Int!) ${where('$n')}`, { n: 3000000000 })).toEqual(['small'])
    const several = '{ visits(filter: { lapses: { _in: $n } }) { host } }'
    expect(await hosts(`query ($n: [Int]) ${several}`, { n: [3000000000] })).toEqual(['small'])
    expect(await graphql(`query ($n: String) ${where('$n')}`, { n: '1' })).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }],
    })
    expect(
      await graphql('mutation ($n: Int!) { update_visits_item(id: "1", data: { lapses: $n }) { id lapses } }', {
        n: 5,
      }),
    ).toEqual({ data: { update_visits_item: { id: '1', lapses: 5 } } })
    expect(await graphql('{ visits_aggregated { min { lapses } max { lapses } } }')).toEqual({
      data: { visits_aggregated: [{ min: { lapses: LEAST }, max: { lapses: '9223372036854775807' } }] },
    })
    await service.send('PATCH', '/items/visits/1', { lapses: 3000000000 })
  })

  test('OpenAPI says both forms; generated types stay numbers', async () => {
    const { components } = (await service.get('/server/specs/oas')).body as {
      components: { schemas: Record<string, { properties: Record<string, { anyOf?: unknown[] }> }> }
    }
    expect(JSON.stringify(components.schemas['ItemsVisits']?.properties['lapses'])).toContain(
      '"oneOf":[{"type":"integer"},{"type":"string"',
    )
    const types = generateTypes((await service.get('/server/specs/schema')).body as SchemaDescription, 'a test')
    expect(types).toContain('lapses: number | null\n')
  })
})

describe.each(testDialects)('a document with variables of the type Int on %s', (dialect) => {
  const { service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query(
        `create table counts (id int primary key, n ${dialect === 'mysql' ? 'int unsigned' : 'bigint'}, m integer)`,
      )
      await database.query('insert into counts values (1, 5, 5), (2, 4294967295, 6)')
    },
  })

  test('works', async () => {
    const query = 'query ($m: Int) { counts(filter: { m: { _gte: $m } }, sort: ["id"]) { m } }'
    expect((await service.send('POST', '/graphql', { query, variables: { m: 6 } })).body).toEqual({
      data: { counts: [{ m: 6 }] },
    })
  })

  test.runIf(dialect === 'mysql')('int unsigned has all its values', async () => {
    expect((await service.send('POST', '/graphql', { query: '{ counts(sort: ["id"]) { n m } }' })).body).toEqual({
      data: {
        counts: [
          { n: 5, m: 5 },
          { n: 4294967295, m: 6 },
        ],
      },
    })
    const query = '{ __type(name: "counts") { fields { name type { name } } } }'
    expect((await service.send('POST', '/graphql', { query })).body).toMatchObject({
      data: {
        __type: {
          fields: expect.arrayContaining([
            { name: 'n', type: { name: 'GraphQLInteger' } },
            { name: 'm', type: { name: 'Int' } },
          ]),
        },
      },
    })
  })
})
