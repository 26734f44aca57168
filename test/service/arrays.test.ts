import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf, queryOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Element type, an array in SQL, and the same array as shown in responses. */
const cases: readonly (readonly [type: string, sql: string, shown: unknown])[] = [
  ['smallint', `'{1,NULL,-3}'`, [1, null, -3]],
  [
    'integer',
    `'{{1,2},{3,4}}'`,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['bigint', `'{9007199254740993,NULL}'`, ['9007199254740993', null]],
  [
    'bigint',
    `'{{1,2},{3,9007199254740993}}'`,
    [
      ['1', '2'],
      ['3', '9007199254740993'],
    ],
  ],
  ['numeric', `'{0.10,12345678901234567890.5,NaN}'`, ['0.10', '12345678901234567890.5', 'NaN']],
  ['numeric(6,2)', `'{1.5,NULL}'`, ['1.50', null]],
  ['real', `'{1.5,NaN}'`, [1.5, 'NaN']],
  ['double precision', `'{0.1,-2}'`, [0.1, -2]],
  ['boolean', `'{t,f,NULL}'`, [true, false, null]],
  ['text', `array['a,b', '"c"', '', 'NULL', null, '\\x', '{}']`, ['a,b', '"c"', '', 'NULL', null, '\\x', '{}']],
  ['varchar(5)', `'{ab,cd}'`, ['ab', 'cd']],
  ['uuid', `'{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'`, ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
  ['bytea', `array['\\x01ff'::bytea, null, '\\x']`, ['Af8=', null, '']],
  [
    'bytea',
    `array[['\\x01', '\\x02'], ['\\x03', null]]::bytea[]`,
    [
      ['AQ==', 'Ag=='],
      ['Aw==', null],
    ],
  ],
  ['date', `'{2024-02-29,infinity}'`, ['2024-02-29', 'infinity']],
  [
    'timestamptz',
    `'{2026-03-04 05:06:07+00,2026-03-04 05:06:07.123456+00,2026-03-04 05:06:07.5+00,-infinity,NULL}'`,
    ['2026-03-04T05:06:07.000Z', '2026-03-04T05:06:07.123456Z', '2026-03-04T05:06:07.500Z', '-infinity', null],
  ],
  [
    'timestamp',
    `'{{2026-03-04 05:06:07,2026-03-04 05:06:07.25},{NULL,infinity}}'`,
    [
      ['2026-03-04T05:06:07', '2026-03-04T05:06:07.250'],
      [null, 'infinity'],
    ],
  ],
  [
    'timestamp',
    `array[[['2026-01-01', '2026-01-02']], [['2026-01-03', '2026-01-04']]]::timestamp[]`,
    [[['2026-01-01T00:00:00', '2026-01-02T00:00:00']], [['2026-01-03T00:00:00', '2026-01-04T00:00:00']]],
  ],
  ['time', `'{05:06:07,05:06:07.5,24:00:00}'`, ['05:06:07', '05:06:07.500', '24:00:00']],
  ['interval', `'{1 day 2 hours,NULL}'`, ['P1DT2H', null]],
  ['json', `array['{"a":[1]}'::json, '[1,[2,3]]', '"x"', '5']`, [{ a: [1] }, [1, [2, 3]], 'x', 5]],
  ['jsonb', `array['{"a": 1}'::jsonb, '[]', 'true', null]`, [{ a: 1 }, [], true, null]],
  ['mood', `'{happy,calm}'`, ['happy', 'calm']],
  ['inet', `'{10.0.0.1,10.0.0.0/8}'`, ['10.0.0.1', '10.0.0.0/8']],
  ['int4range', `'{"[1,5)",empty}'`, ['[1,5)', 'empty']],
  ['point', `array['(1,2)'::point]`, ['(1,2)']],
  ['box', `array['(2,2),(1,1)'::box, '(4,4),(3,3)'::box]`, ['(2,2),(1,1)', '(4,4),(3,3)']],
  ['pair', `array[row(1, 'a b')::pair, null]`, ['(1,"a b")', null]],
  ['money', `array['1.50'::money]`, ['$1.50']],
  ['positive', `'{1,2}'`, [1, 2]],
  ['bigint', `'{}'`, []],
  ['bytea', `'{}'`, []],
  ['timestamptz', `null`, null],
]

const name = (index: number) => `a${index}`

describe.runIf(testDialects.includes('postgres'))('arrays of PostgreSQL', () => {
  const { database, service } = useWorld({
    dialect: 'postgres',
    tables: `
      create type mood as enum ('calm', 'happy');
      create type pair as (n integer, t text);
      create domain positive as integer check (value > 0);
      create table lists (id integer primary key, ${cases.map(([type], index) => `${name(index)} ${type}[]`).join(', ')});
      insert into lists values (1, ${cases.map(([, sql]) => sql).join(', ')});
      create table parents (id integer primary key, list integer references lists);
      insert into parents values (1, 1);
      create table keyed (key bigint[] primary key, label text);
      insert into keyed values ('{1,2}', 'one')`,
  })

  const shown = Object.fromEntries(cases.map(([, , value], index) => [name(index), value]))
  const stored = async (id: number) => {
    const columns = cases.map((_, index) => `${name(index)}::text`).join(', ')
    return (await database.query(`select ${columns} from lists where id = ${id}`))[0]
  }

  test('elements have the form of their type, at the top level and nested', async () => {
    expect(dataOf(await service.get('/items/lists/1'))).toEqual({ id: 1, ...shown })
    const [parent] = dataOf(await service.get('/items/parents?fields=list.*')) as { list: unknown }[]
    expect(parent?.list).toMatchObject({ id: 1, ...shown })
    const names = cases.map((_, index) => name(index)).join(' ')
    const { body } = await service.send('POST', '/graphql', {
      query: `{ lists { ${names} } parents { list { ${names} } } }`,
    })
    expect(body).toEqual({ data: { lists: [shown], parents: [{ list: shown }] } })
  })

  test('what is read is written back and equals, in a new row and in the same', async () => {
    expect(dataOf(await service.send('POST', '/items/lists', { id: 2, ...shown }))).toEqual({ id: 2, ...shown })
    expect(await stored(2)).toEqual(await stored(1))
    const before = await stored(1)
    expect(dataOf(await service.send('PATCH', '/items/lists/1', shown))).toEqual({ id: 1, ...shown })
    expect(await stored(1)).toEqual(before)
  })

  test('a revision keeps arrays as they are shown, and brings them back', async () => {
    dataOf(await service.send('POST', '/items/lists', { id: 3, ...shown }))
    const query = { filter: { collection: { _eq: 'lists' }, item: { _eq: '3' } }, fields: 'id,data' }
    const [revision] = dataOf(await service.get(`/revisions?${queryOf(query)}`)) as { id: number; data: object }[]
    expect(revision?.data).toEqual({ id: 3, ...shown })
    const emptied = Object.fromEntries(cases.map((_, index) => [name(index), null]))
    dataOf(await service.send('PATCH', '/items/lists/3', emptied))
    expect((await service.send('POST', `/utils/revert/${revision?.id}`)).status).toBe(204)
    expect(await stored(3)).toEqual(await stored(1))
  })

  test.each(['csv', 'json', 'xml', 'yaml'])('an export as %s has the same elements', async (format) => {
    const { text } = await service.get(`/items/lists?export=${format}&filter[id][_eq]=1`)
    for (const value of ['9007199254740993', 'Af8=', '2026-03-04T05:06:07.123456Z', 'P1DT2H'])
      expect(text).toContain(value)
  })

  test('a row whose key is an array is read and written by it', async () => {
    const path = `/items/keyed/${encodeURIComponent('["1","2"]')}`
    expect(dataOf(await service.get(path))).toEqual({ key: ['1', '2'], label: 'one' })
    expect(dataOf(await service.send('PATCH', path, { label: 'two' }))).toEqual({ key: ['1', '2'], label: 'two' })
    expect(dataOf(await service.get(`/items/keyed/${encodeURIComponent('{1,2}')}`))).toMatchObject({ label: 'two' })
    expect((await service.get(`/items/keyed/${encodeURIComponent('["x"]')}`)).status).toBe(403)
    expect((await service.send('DELETE', path)).status).toBe(204)
  })

  test.each([
    ['bigint', 'a2', ['x']],
    ['bytea', 'a12', ['%']],
    ['timestamptz', 'a15', ['yesterday']],
    ['uuid', 'a11', ['no']],
    ['integer, not complete', 'a1', [[1], [2, 3]]],
    ['integer, too deep', 'a1', [[[[[[[1]]]]]]]],
    ['no list', 'a1', 5],
  ])('an element that does not fit is refused by the name of its field: %s', async (_, field, value) => {
    const answer = await service.send('PATCH', '/items/lists/1', { [field]: value })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_PAYLOAD'])
    expect(answer.text).toContain(`\\"${field}\\"`)
  })
})
