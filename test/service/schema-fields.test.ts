import { describe, expect, test } from 'vitest'
import { stage } from './schema-stage.ts'

const { ask, send, refusal, value, column, query } = stage(`
  create type mood as enum ('calm', 'happy');
  create table makers (id integer primary key, name text not null, code text unique);
  create table goods (id integer primary key, name text, maker integer, weight text, counted bigint
    generated always as identity, doubled integer generated always as (2 * id) stored, mood mood);
  create view named as select id, name from goods;
  create index goods_two on goods (weight, id);
  insert into makers values (1, 'Ada', 'A');
  insert into goods select n, 'good ' || n, 1, n::text from generate_series(1, 20) n`)

describe('a default', () => {
  const defaults: readonly (readonly [type: string, value: unknown, stored: RegExp, shown: unknown])[] = [
    ['integer', -4, /^'-4'::integer$/u, -4],
    ['bigInteger', '9007199254740993', /9007199254740993/u, 9007199254740992],
    ['decimal', '1.25', /1\.25/u, 1.25],
    ['boolean', true, /^true$/u, true],
    ['string', `it's "quoted" \\ $$ %`, /it''s "quoted" \\ \$\$ %/u, `it's "quoted" \\ $$ %`],
    ['text', 'now()', /^'now\(\)'::text$/u, 'now()'],
    ['json', { a: [1] }, /^'\{"a":\[1\]\}'::json$/u, { a: [1] }],
    ['csv', ['a', 'b'], /^'a,b'::text$/u, 'a,b'],
    ['date', '2020-02-29', /2020-02-29/u, '2020-02-29'],
    ['timestamp', 'CURRENT_TIMESTAMP', /^CURRENT_TIMESTAMP$/u, 'CURRENT_TIMESTAMP'],
    ['uuid', 'gen_random_uuid()', /^gen_random_uuid\(\)$/u, 'gen_random_uuid()'],
    ['binary', 'AQID', /\\x010203/u, '\\x010203'],
  ]
  test.each(defaults)('of the type %s: %j', async (type, given, stored, shown) => {
    const field = `default_${type.toLowerCase()}`
    const made = await ask('POST', '/fields/goods', { field, type, schema: { default_value: given } })
    expect((await column('goods', field))?.[2]).toMatch(stored)
    expect(made).toMatchObject({ type, schema: { default_value: shown } })
    expect((await send('DELETE', `/fields/goods/${field}`)).status).toBe(204)
  })

  const wrong: readonly (readonly [type: string, value: unknown])[] = [
    ['integer', 'random()'],
    ['integer', '1); drop table makers; --'],
    ['integer', '99999999999'],
    ['boolean', 'now()'],
    ['uuid', 'pg_sleep(10)'],
    ['timestamp', `now() - interval '1 day'`],
    ['string', 'zero \0 byte'],
    ['string', 'half \ud800 a pair'],
    ['hash', 'plain'],
  ]
  test.each(wrong)('that is no value of the type %s is refused: %j', async (type, given) => {
    const answer = await send('POST', '/fields/goods', { field: 'bad', type, schema: { default_value: given } })
    expect(answer.status).toBe(400)
    expect(await column('goods', 'bad')).toBeUndefined()
  })

  test('longer than the field is refused, and nothing is made', async () => {
    const body = { field: 'bad', type: 'string', schema: { max_length: 3, default_value: 'abcd' } }
    expect(await refusal('POST', '/fields/goods', body)).toEqual([400, 'VALUE_TOO_LONG'])
    expect(await column('goods', 'bad')).toBeUndefined()
  })
})

describe('a name', () => {
  const names = [
    '',
    ' outer',
    'a.b',
    'a,b',
    'a:b',
    'a(b)',
    'a"b',
    'a/b',
    'a\0b',
    'a\nb',
    '*',
    '$FOLLOW',
    'xmin',
    '_and',
    '_some',
    '_eq',
    'ä'.repeat(32),
  ]
  test.each(names)('that would mean something else is refused: %j', async (field) => {
    expect(await refusal('POST', '/fields/goods', { field, type: 'string' })).toEqual([400, 'INVALID_PAYLOAD'])
  })

  test.each(['Größe', 'with blank', 'two-parts', 'select', '字段', '2nd', '_own'])(
    'that only looks odd is a name: %s',
    async (field) => {
      const path = `/fields/goods/${encodeURIComponent(field)}`
      expect(await ask('POST', '/fields/goods', { field, type: 'integer' })).toMatchObject({ field, type: 'integer' })
      expect((await send('DELETE', path)).status).toBe(204)
    },
  )
})

describe('changing the type', () => {
  const conversions: readonly (readonly [from: string, given: string, to: string, stored: string, type: string])[] = [
    ['varchar(20)', `'12'`, 'integer', '12', 'integer'],
    ['integer', '1', 'boolean', 'true', 'boolean'],
    ['boolean', 'true', 'bigInteger', '1', 'bigint'],
    ['timestamptz', `'2024-05-06T07:08:09Z'`, 'date', '2024-05-06', 'date'],
    ['date', `'2024-05-06'`, 'dateTime', '2024-05-06 00:00:00', 'timestamp without time zone'],
    ['timestamp', `'2024-05-06 07:08:09'`, 'time', '07:08:09', 'time without time zone'],
    ['text', `'{"a": 1}'`, 'json', '{"a": 1}', 'json'],
    ['jsonb', `'{"a": 1}'`, 'text', '{"a": 1}', 'text'],
    ['text', `'0a0b0c0d-0a0b-0c0d-0e0f-000102030405'`, 'uuid', '0a0b0c0d-0a0b-0c0d-0e0f-000102030405', 'uuid'],
    ['numeric(10,3)', '1.5', 'string', '1.500', 'character varying'],
    ['double precision', '2.25', 'decimal', '2.25000', 'numeric'],
    ['integer[]', `'{1,2}'`, 'text', '{1,2}', 'text'],
    ['mood', `'calm'`, 'text', 'calm', 'text'],
    ['text', `'a,b'`, 'csv', 'a,b', 'text'],
  ]
  test.each(conversions)('from %s with %s to %s', async (from, given, to, stored, type) => {
    await query(`create table turned (id integer primary key, it ${from}); insert into turned values (1, ${given})`)
    expect(await ask('PATCH', '/fields/turned/it', { type: to })).toMatchObject({ type: to })
    expect(await value('select it::text from turned')).toBe(stored)
    expect((await column('turned', 'it'))?.[0]).toBe(type)
    expect((await send('DELETE', '/collections/turned')).status).toBe(204)
  })

  const refused: readonly (readonly [from: string, given: string, change: object, code: string])[] = [
    ['text', `'abc'`, { type: 'integer' }, 'INVALID_PAYLOAD'],
    ['text', `'3000000000'`, { type: 'integer' }, 'INVALID_PAYLOAD'],
    ['text', `'no date'`, { type: 'date' }, 'INVALID_PAYLOAD'],
    ['bigint', '3000000000', { type: 'integer' }, 'VALUE_OUT_OF_RANGE'],
    ['text', `'too long'`, { type: 'string', schema: { max_length: 3 } }, 'VALUE_TOO_LONG'],
    ['varchar(20)', `'too long'`, { schema: { max_length: 3 } }, 'VALUE_TOO_LONG'],
    ['numeric(10,2)', '12345', { schema: { numeric_precision: 4, numeric_scale: 2 } }, 'VALUE_OUT_OF_RANGE'],
    ['date', `'2024-05-06'`, { type: 'uuid' }, 'INVALID_PAYLOAD'],
    ['text', 'null', { schema: { is_nullable: false } }, 'CONTAINS_NULL_VALUES'],
  ]
  test.each(refused)('from %s with %s by %j is refused and changes nothing', async (from, given, change, code) => {
    await query(`create table turned (id integer primary key, it ${from}); insert into turned values (1, ${given})`)
    const before = await column('turned', 'it')
    expect(await refusal('PATCH', '/fields/turned/it', change)).toEqual([400, code])
    expect(await column('turned', 'it')).toEqual(before)
    expect((await send('DELETE', '/collections/turned')).status).toBe(204)
  })

  test('carries a plain default over, and asks for one where it does not fit', async () => {
    await ask('POST', '/fields/goods', { field: 'turning', type: 'string', schema: { default_value: '12' } })
    expect(await ask('PATCH', '/fields/goods/turning', { type: 'integer' })).toMatchObject({
      schema: { default_value: 12 },
    })
    await ask('PATCH', '/fields/goods/turning', { type: 'string', schema: { default_value: 'twelve' } })
    await query('update goods set turning = null')
    expect(await refusal('PATCH', '/fields/goods/turning', { type: 'integer' })).toEqual([400, 'INVALID_PAYLOAD'])
    const changed = await ask('PATCH', '/fields/goods/turning', { type: 'integer', schema: { default_value: null } })
    expect(changed).toMatchObject({ type: 'integer', schema: { default_value: null } })
  })

  test('takes flags away that would hide the new type', async () => {
    const made = await ask('POST', '/fields/goods', { field: 'flagged', type: 'csv', meta: { special: ['conceal'] } })
    expect(made).toMatchObject({ type: 'csv', meta: { special: 'conceal,cast-csv' } })
    const changed = await ask('PATCH', '/fields/goods/flagged', { type: 'json', schema: {} })
    expect(changed).toMatchObject({ type: 'json', meta: { special: 'conceal,cast-json' } })
  })
})

describe('a field that was told', () => {
  test.each(['name', 'weight', 'counted', 'doubled', 'mood', 'id'])('can be sent back as it is: %s', async (field) => {
    const told = await ask('GET', `/fields/goods/${field}`)
    expect(await ask('PATCH', `/fields/goods/${field}`, told)).toEqual(told)
  })

  const fixed: readonly (readonly [field: string, schema: object, answer: readonly [number, string]])[] = [
    ['name', { data_type: 'jsonb' }, [400, 'INVALID_PAYLOAD']],
    ['name', { table: 'makers' }, [400, 'INVALID_PAYLOAD']],
    ['name', { is_primary_key: true }, [400, 'INVALID_PAYLOAD']],
    ['name', { nothing: 1 }, [400, 'INVALID_PAYLOAD']],
    ['id', { is_nullable: true }, [400, 'INVALID_PAYLOAD']],
    ['id', { is_unique: false }, [422, 'UNPROCESSABLE_CONTENT']],
    ['weight', { is_indexed: false }, [422, 'UNPROCESSABLE_CONTENT']],
    ['counted', { default_value: 1 }, [422, 'UNPROCESSABLE_CONTENT']],
    ['doubled', { default_value: 1 }, [422, 'UNPROCESSABLE_CONTENT']],
    ['mood', { max_length: 5 }, [400, 'INVALID_PAYLOAD']],
    ['name', { generation_expression: 'id + 1' }, [400, 'INVALID_PAYLOAD']],
  ]
  test.each(fixed)('cannot be changed in what is not ours to change: %s %j', async (field, schema, answer) => {
    expect(await refusal('PATCH', `/fields/goods/${field}`, { schema })).toEqual(answer)
  })

  test('a column that a view shows keeps its type and stays', async () => {
    expect(await refusal('PATCH', '/fields/goods/name', { type: 'json' })).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await refusal('DELETE', '/fields/goods/name')).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await refusal('DELETE', '/collections/goods')).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await refusal('POST', '/fields/named', { field: 'x', type: 'string' })).toEqual([
      422,
      'UNPROCESSABLE_CONTENT',
    ])
  })

  test('comment and index come and go', async () => {
    await ask('POST', '/fields/goods', { field: 'extra', type: 'string', schema: { comment: `what's "this"` } })
    expect((await column('goods', 'extra'))?.[4]).toBe(`what's "this"`)
    for (const schema of [{ is_indexed: true }, { is_indexed: false }, { comment: null }, { is_nullable: false }]) {
      await query(`update goods set extra = id::text`)
      expect(await ask('PATCH', '/fields/goods/extra', { schema })).toMatchObject({ schema })
    }
  })
})

describe('several fields at once', () => {
  test('are changed together or not at all', async () => {
    const bodies = [
      { field: 'weight', meta: { note: 'heavy' }, schema: { default_value: '0' } },
      { field: 'maker', schema: { is_unique: true } },
    ]
    expect(await refusal('PATCH', '/fields/goods', bodies)).toEqual([400, 'RECORD_NOT_UNIQUE'])
    expect(await ask('GET', '/fields/goods/weight')).toMatchObject({ meta: null, schema: { default_value: null } })
    const changed = await ask('PATCH', '/fields/goods', bodies.slice(0, 1))
    expect(changed).toMatchObject([{ field: 'weight', meta: { note: 'heavy' }, schema: { default_value: '0' } }])
    expect((await send('PATCH', '/fields/goods', [])).status).toBe(204)
  })

  test('collections of a list are made together or not at all', async () => {
    const first = { collection: 'first', schema: {}, fields: [{ field: 'a', type: 'string' }] }
    const second = {
      collection: 'second',
      schema: {},
      fields: [{ field: 'b', type: 'integer', schema: { default_value: 'x' } }],
    }
    expect(await refusal('POST', '/collections', [first, second])).toEqual([400, 'INVALID_PAYLOAD'])
    expect(await refusal('POST', '/collections', [first, first])).toEqual([400, 'INVALID_PAYLOAD'])
    expect(await value(`select to_regclass('first')`)).toBeNull()
    const made = await ask('POST', '/collections', [first, { ...first, collection: 'second' }])
    expect(made).toMatchObject([{ collection: 'first' }, { collection: 'second' }])
  })
})
