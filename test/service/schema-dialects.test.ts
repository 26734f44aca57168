import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import { rehearsal, type Plan } from './schema-stage.ts'

/** Every schema change, written once: the responses are the same on every database. */
describe.each(testDialects)('changes of the structure on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: `
      create table makers (id integer primary key, name varchar(40) not null, code varchar(20) unique);
      create table goods (id integer primary key, name varchar(40), maker integer, weight varchar(40), place integer,
        price decimal(10, 3), flag boolean, made date, long_text text, doubled integer generated always as (2 * place) stored);
      create view named as select id, name from goods;
      create index goods_two on goods (weight, id);
      create table links (a int, b int, c int, d int, primary key (a, b), unique (b, a), unique (c, d));
      insert into makers values (1, 'Ada', 'A'), (2, 'Bo', 'B');
      insert into goods (id, name, maker, weight, place, price, flag, made, long_text) values
        (1, 'one', 1, '10', 1, 1.5, true, '2024-05-06', '{"a": 1}'), (2, 'two', 2, '20', 2, 2.25, false, null, null),
        (3, 'three', 1, '30', 300, 3, null, '2024-05-07', '[]')`,
  })

  const send = (method: string, path: string, body?: unknown) => service.send(method, path, body)
  const ask = async (method: string, path: string, body?: unknown) => dataOf(await send(method, path, body))
  const refusal = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body)
    return [answer.status, codeOf(answer)]
  }
  const remove = async (path: string) => expect((await send('DELETE', path)).status).toBe(204)
  const valuesOf = async (field: string) =>
    ((await ask('GET', `/items/goods?fields=${field}&sort=id`)) as Record<string, unknown>[]).map((row) => row[field])

  const defaults: readonly (readonly [type: string, given: unknown, shown: unknown, filled: unknown])[] = [
    ['integer', -4, -4, -4],
    ['bigInteger', '9007199254740993', 9007199254740992, '9007199254740993'],
    ['decimal', '1.25', 1.25, '1.25000'],
    ['float', 1.5, 1.5, 1.5],
    ['boolean', true, true, true],
    ['string', `it's "quoted" \\ $$ %`, `it's "quoted" \\ $$ %`, `it's "quoted" \\ $$ %`],
    ['text', 'now()', 'now()', 'now()'],
    ['json', { a: [1] }, { a: [1] }, { a: [1] }],
    ['csv', ['a', 'b'], 'a,b', ['a', 'b']],
    ['date', '2020-02-29', '2020-02-29', '2020-02-29'],
    ['uuid', '0a0b0c0d-0a0b-0c0d-0e0f-000102030405', '0a0b0c0d-0a0b-0c0d-0e0f-000102030405', undefined],
  ]
  test.each(defaults)('a field of the type %s with the default %j', async (type, given, shown, filled) => {
    const field = `default_${type.toLowerCase()}`
    const made = await ask('POST', '/fields/goods', { field, type, schema: { default_value: given } })
    expect(made).toMatchObject({ field, type, schema: { default_value: shown, is_nullable: true } })
    expect((await valuesOf(field))[0]).toEqual(filled ?? shown)
    await remove(`/fields/goods/${field}`)
    expect((await send('GET', `/fields/goods/${field}`)).status).toBe(403)
    expect((await send('GET', `/items/goods?fields=${field}`)).status).toBe(403)
  })

  test('rows are matched, changed and kept with the fields that there are at that moment', async () => {
    const tagOf = async () => (await send('GET', '/items/goods/2?fields=id')).headers.get('etag') ?? ''
    const change = async (name: string) => {
      const headers = { 'if-match': await tagOf() }
      expect(dataOf(await service.send('PATCH', '/items/goods/2', { name }, { headers }))).toMatchObject({ name })
      expect((await service.send('PATCH', '/items/goods/2', { name }, { headers })).status).toBe(412)
      expect(await ask('PATCH', '/items/goods/2', { name: `${name}!` })).toMatchObject({ name: `${name}!` })
      await ask('POST', '/items/goods', { id: 9, name })
      await remove('/items/goods/9')
    }
    const lastRevision = async () => {
      const query = 'filter[collection][_eq]=goods&filter[item][_eq]=2&sort=-id&limit=1'
      return ((await ask('GET', `/revisions?${query}`)) as { data: Record<string, unknown> }[])[0]?.data
    }
    await change('before')
    await ask('POST', '/fields/goods', { field: 'extra', type: 'string', schema: { default_value: 'e' } })
    await change('with')
    expect(await lastRevision()).toMatchObject({ name: 'with!', extra: 'e' })
    await ask('PATCH', '/fields/goods/extra', { type: 'text' })
    await change('longer')
    await remove('/fields/goods/extra')
    await change('without')
    expect(await lastRevision()).not.toHaveProperty('extra')
    await ask('PATCH', '/items/goods/2', { name: 'two' })
  })

  test.each(['timestamp', 'dateTime', 'date', 'time'])('a field of the type %s is filled with now', async (type) => {
    await ask('POST', '/fields/goods', { field: 'moment', type, schema: { default_value: 'now()' } })
    expect((await valuesOf('moment'))[0]).toMatch(/\d\d[-:]\d\d/u)
    await remove('/fields/goods/moment')
  })

  test('a field of uuids is filled with another one in each row', async () => {
    await ask('POST', '/fields/goods', { field: 'mark', type: 'uuid', schema: { default_value: 'gen_random_uuid()' } })
    expect(new Set(await valuesOf('mark')).size).toBe(3)
    await remove('/fields/goods/mark')
  })

  const conversions: readonly (readonly [field: string, to: string, values: readonly unknown[]])[] = [
    ['weight', 'integer', [10, 20, 30]],
    ['place', 'bigInteger', ['1', '2', '300']],
    ['place', 'string', ['1', '2', '300']],
    ['place', 'boolean', [true, true, true]],
    ['price', 'string', ['1.500', '2.250', '3.000']],
    ['price', 'integer', [2, 2, 3]],
    ['flag', 'string', ['true', 'false', null]],
    ['flag', 'integer', [1, 0, null]],
    ['made', 'dateTime', ['2024-05-06T00:00:00', null, '2024-05-07T00:00:00']],
    ['made', 'string', ['2024-05-06', null, '2024-05-07']],
    ['long_text', 'json', [{ a: 1 }, null, []]],
  ]
  test.each(conversions)('%s becomes %s', async (field, to, values) => {
    const types = { weight: 'varchar(40)', place: 'integer', price: 'decimal(10, 3)', flag: 'boolean', made: 'date' }
    const own = (types as Record<string, string>)[field] ?? 'text'
    await database.query(`create table turned (id integer primary key, it ${own});
      insert into turned select id, ${field} from goods`)
    const changed = await ask('PATCH', '/fields/turned/it', { type: to })
    expect(changed).toMatchObject({ type: to })
    const rows = (await ask('GET', '/items/turned?fields=it&sort=id')) as { it: unknown }[]
    expect(rows.map(({ it }) => it)).toEqual(values)
    await remove('/collections/turned')
  })

  const refused: readonly (readonly [field: string, change: object, code: string])[] = [
    ['long_text', { type: 'integer' }, 'INVALID_PAYLOAD'],
    ['long_text', { type: 'date' }, 'INVALID_PAYLOAD'],
    ['price', { type: 'uuid' }, 'INVALID_PAYLOAD'],
    ['weight', { schema: { max_length: 1 } }, 'VALUE_TOO_LONG'],
    ['price', { schema: { numeric_precision: 2, numeric_scale: 2 } }, 'VALUE_OUT_OF_RANGE'],
    ['made', { schema: { is_nullable: false } }, 'CONTAINS_NULL_VALUES'],
    ['maker', { schema: { is_unique: true } }, 'RECORD_NOT_UNIQUE'],
  ]
  test.each(refused)('%s by %j is refused and changes nothing', async (field, change, code) => {
    const before = await ask('GET', `/fields/goods/${field}`)
    expect(await refusal('PATCH', `/fields/goods/${field}`, change)).toEqual([400, code])
    expect(await ask('GET', `/fields/goods/${field}`)).toEqual(before)
  })

  test('a field that was told can be sent back as it is', async () => {
    for (const field of ['id', 'name', 'weight', 'price', 'flag', 'made']) {
      const told = await ask('GET', `/fields/goods/${field}`)
      expect(await ask('PATCH', `/fields/goods/${field}`, told)).toEqual(told)
    }
  })

  test('nullability, default, index, unique and length come and go', async () => {
    await ask('POST', '/fields/goods', { field: 'extra', type: 'string', schema: { default_value: `x'y` } })
    await database.query(`update goods set extra = id`)
    const steps = [
      { is_nullable: false },
      { default_value: 'later' },
      { max_length: 300 },
      { is_indexed: true },
      { is_indexed: false },
      { is_unique: true },
      { is_unique: false },
      { default_value: null },
      { is_nullable: true },
    ]
    for (const schema of steps) expect(await ask('PATCH', '/fields/goods/extra', { schema })).toMatchObject({ schema })
    expect(await ask('GET', '/fields/goods/extra')).toMatchObject({
      type: 'string',
      schema: { max_length: 300, is_nullable: true, is_unique: false, is_indexed: false, default_value: null },
    })
    expect(await valuesOf('extra')).toEqual(['1', '2', '3'])
    await remove('/fields/goods/extra')
  })

  test('a field is indexed by its key or unique constraint, which keep their index', async () => {
    expect(await ask('GET', '/fields/goods/id')).toMatchObject({ schema: { is_indexed: true } })
    const schema = { is_unique: true, is_indexed: true }
    const made = await ask('POST', '/fields/goods', { field: 'code', type: 'string', schema })
    expect(made).toMatchObject({ schema })
    expect(await ask('PATCH', '/fields/goods/code', made as object)).toEqual(made)
    for (const field of ['id', 'code'])
      expect(await refusal('PATCH', `/fields/goods/${field}`, { schema: { is_indexed: false } })).toEqual([
        422,
        'UNPROCESSABLE_CONTENT',
      ])
    // An index is asked for that the constraint had given.
    const plain = { is_unique: false, is_indexed: true }
    expect(await ask('PATCH', '/fields/goods/code', { schema: plain })).toMatchObject({ schema: plain })
    const none = { is_unique: false, is_indexed: false }
    expect(await ask('PATCH', '/fields/goods/code', { schema: none })).toMatchObject({ schema: none })
    await remove('/fields/goods/code')
  })

  test('a field is indexed where the index of a key or constraint begins with it', async () => {
    const isIndexed = async (field: string) =>
      ((await ask('GET', `/fields/links/${field}`)) as { schema: { is_indexed: boolean } }).schema.is_indexed
    expect([await isIndexed('a'), await isIndexed('b'), await isIndexed('c'), await isIndexed('d')]).toEqual([
      true,
      true,
      true,
      false,
    ])
    const b = await ask('GET', '/fields/links/b')
    expect(await ask('PATCH', '/fields/links/b', b)).toEqual(b)
  })

  test('several fields are changed together or not at all', async () => {
    const bodies = [
      { field: 'price', type: 'integer', meta: { note: 'rounded' } },
      { field: 'maker', schema: { is_unique: true } },
    ]
    expect(await refusal('PATCH', '/fields/goods', bodies)).toEqual([400, 'RECORD_NOT_UNIQUE'])
    expect(await valuesOf('price')).toEqual(['1.500', '2.250', '3.000'])
    expect(await ask('GET', '/fields/goods/price')).toMatchObject({ type: 'decimal', meta: null })
  })

  test('a relation with its foreign key comes, changes and goes', async () => {
    const made = await ask('POST', '/relations', {
      collection: 'goods',
      field: 'maker',
      related_collection: 'makers',
      schema: { on_delete: 'SET NULL' },
      meta: { one_field: 'goods' },
    })
    expect(made).toMatchObject({ schema: { on_delete: 'SET NULL', foreign_key_table: 'makers' } })
    expect(await ask('GET', '/fields/goods/maker')).toMatchObject({ schema: { is_indexed: true } })
    expect(await ask('GET', '/items/goods/1?fields=maker.name')).toEqual({ maker: { name: 'Ada' } })
    expect(await refusal('POST', '/items/goods', { id: 9, maker: 77 })).toEqual([400, 'INVALID_FOREIGN_KEY'])
    await ask('PATCH', '/relations/goods/maker', { schema: { on_delete: 'CASCADE' } })
    expect(await ask('GET', '/relations/goods/maker')).toMatchObject({ schema: { on_delete: 'CASCADE' } })
    await remove('/relations/goods/maker')
    expect(await ask('GET', '/fields/goods/maker')).toMatchObject({
      schema: { foreign_key_table: null, is_indexed: true },
    })
    await database.query('update goods set maker = 77 where id = 3')
    const again = { collection: 'goods', field: 'maker', related_collection: 'makers', schema: {} }
    expect(await refusal('POST', '/relations', again)).toEqual([400, 'INVALID_FOREIGN_KEY'])
    await database.query('update goods set maker = 1 where id = 3')
    await ask('POST', '/relations', again)
    await remove('/fields/goods/maker')
    expect((await send('GET', '/relations/goods/maker')).status).toBe(403)
    await ask('POST', '/fields/goods', { field: 'maker', type: 'integer' })
    await database.query('update goods set maker = 1')
  })

  test('what a view or a generated column needs stays', async () => {
    expect(await refusal('DELETE', '/fields/goods/name')).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await refusal('DELETE', '/fields/goods/place')).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await refusal('DELETE', '/collections/goods')).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await valuesOf('place')).toEqual([1, 2, 300])
  })

  test('a field of an index over several goes with it', async () => {
    await ask('POST', '/fields/goods', { field: 'pair', type: 'integer' })
    await database.query('create unique index goods_pair on goods (pair, made)')
    await remove('/fields/goods/pair')
    expect(await ask('GET', '/fields/goods/made')).toMatchObject({ schema: { is_unique: false } })
  })

  test('collections are made together or not at all, and go with what is kept about them', async () => {
    const first = { collection: 'first', schema: {}, meta: { note: 'one' }, fields: [{ field: 'a', type: 'json' }] }
    const second = {
      collection: 'second',
      schema: {},
      fields: [
        { field: 'key', type: 'uuid', schema: { is_primary_key: true } },
        { field: 'b', type: 'string', schema: { is_unique: true, is_nullable: false } },
      ],
    }
    const wrong = { ...second, fields: [{ field: 'b', type: 'integer', schema: { default_value: 'x' } }] }
    expect(await refusal('POST', '/collections', [first, wrong])).toEqual([400, 'INVALID_PAYLOAD'])
    expect((await send('GET', '/collections/first')).status).toBe(403)
    await ask('POST', '/collections', [first, second])
    expect(await ask('GET', '/fields/first/id')).toMatchObject({ schema: { has_auto_increment: true } })
    expect(await ask('POST', '/items/first', { a: [1, 'x'] })).toEqual({ id: 1, a: [1, 'x'] })
    await ask('POST', '/fields/second', { field: 'first', type: 'integer' })
    await ask('POST', '/relations', { collection: 'second', field: 'first', related_collection: 'first', schema: {} })
    await remove('/collections/first')
    expect(await ask('GET', '/fields/second/first')).toMatchObject({ schema: { foreign_key_table: null } })
    await remove('/collections/second')
    expect(
      ((await ask('GET', '/collections')) as { collection: string }[]).map(({ collection }) => collection),
    ).not.toEqual(expect.arrayContaining(['first']))
  })

  test('the plan says what would be done, and does nothing', async () => {
    const answer = await service.send('PATCH', '/fields/goods/made', { schema: { is_nullable: false } }, rehearsal)
    const plan = dataOf(answer) as Plan
    expect(plan.statements.length).toBeGreaterThan(0)
    expect(plan.blocks).toMatchObject([{ code: 'CONTAINS_NULL_VALUES', field: 'made', count: 1 }])
    expect(await ask('GET', '/fields/goods/made')).toMatchObject({ schema: { is_nullable: true } })
  })
})
