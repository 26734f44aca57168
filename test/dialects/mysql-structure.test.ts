import { describe, expect, test } from 'vitest'
import { connectMysql } from '../lib/databases.ts'
import { mysqlDisagreements, mysqlStructure } from '../schema/catalogue-mysql.ts'
import { codeOf, dataOf, until } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

/** Schema changes where every statement commits by itself, see docs/schema.md. */
describe('a change of the structure of MariaDB', () => {
  const { database, service } = useWorld({
    dialect: 'mysql',
    tables: `
      create table makers (id int auto_increment primary key, name varchar(40) not null default 'no one' comment 'who''s it');
      create table goods (id int primary key, price decimal(10, 3), size varchar(20), maker int,
        made timestamp(6) not null default current_timestamp(6) on update current_timestamp(6),
        constraint positive check (price > 0), constraint of_maker foreign key (maker) references makers (id));
      create table early (id int primary key, size varchar(20), code varchar(20) unique);
      create table later (id int primary key, size varchar(20), goods int, kind int);
      insert into early values (1, '10', 'a');
      insert into makers (id, name) values (1, 'Ada');
      insert into goods (id, price, size, maker) values (1, 1.5, '10', 1), (2, 2.25, '20', null)`,
  })

  const structure = () => mysqlStructure(database.query)

  test('that fails at a later step goes back to where it began, with all values', async () => {
    const before = await structure()
    const answer = await service.send('PATCH', '/fields/goods', [
      { field: 'price', type: 'integer', meta: { note: 'whole' } },
      { field: 'maker', schema: { default_value: 1 } },
      { field: 'size', schema: { max_length: 20_000 } },
    ])
    expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await structure()).toBe(before)
  })

  test('keeps counting up, comments, defaults and what is set by an update', async () => {
    const changes: readonly (readonly [string, object])[] = [
      ['makers/id', { type: 'bigInteger' }],
      ['makers/id', { type: 'integer' }],
      ['makers/id', { type: 'bigInteger' }],
      ['makers/name', { schema: { max_length: 80 } }],
      ['makers/name', { schema: { is_nullable: true } }],
      ['goods/made', { schema: { comment: 'last' } }],
    ]
    await database.query('alter table goods drop foreign key of_maker')
    for (const [path, body] of changes) expect((await service.send('PATCH', `/fields/${path}`, body)).status).toBe(200)
    const lines = (await structure()).split('\n')
    expect(lines).toContain('makers: `id` bigint(20) NOT NULL AUTO_INCREMENT')
    expect(lines).toContain("makers: `name` varchar(80) DEFAULT 'no one' COMMENT 'who''s it'")
    expect(lines).toContain(
      "goods: `made` timestamp(6) NOT NULL DEFAULT current_timestamp(6) ON UPDATE current_timestamp(6) COMMENT 'last'",
    )
    expect(dataOf(await service.send('POST', '/items/makers', {}))).toEqual({ id: '2', name: 'no one' })
  })

  test('makes numbers of uuids and uuids of numbers, where there are none', async () => {
    await database.query('create table marks (id int primary key, mark uuid, size int, key (size))')
    for (const [field, type] of [
      ['mark', 'decimal'],
      ['size', 'uuid'],
      ['id', 'uuid'],
    ]) {
      const answer = await service.send('PATCH', `/fields/marks/${field}`, { type })
      expect(dataOf(answer)).toMatchObject({ field, type })
    }
    const before = await structure()
    const failed = await service.send('PATCH', '/fields/marks', [
      { field: 'id', type: 'integer' },
      { field: 'size', type: 'integer' },
      { field: 'mark', type: 'string', schema: { max_length: 20_000 } },
    ])
    expect([failed.status, codeOf(failed)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(await structure()).toBe(before)
    await database.query(`insert into marks values (uuid(), 5, uuid())`)
    const refused = await service.send('PATCH', '/fields/marks/size', { type: 'integer' })
    expect([refused.status, codeOf(refused)]).toEqual([400, 'INVALID_PAYLOAD'])
    await database.query('drop table marks')
  })

  test('refuses to make a text of a key that counts up', async () => {
    const answer = await service.send('PATCH', '/fields/makers/id', { type: 'string' })
    expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
  })

  test('makes one index for a key over several columns', async () => {
    await database.query(
      'create table pairs (a int, b int, primary key (a, b)); create table ends (id int primary key)',
    )
    const snapshot = dataOf(await service.get('/schema/snapshot')) as Record<string, unknown[]>
    const column = (field: string) => ({
      collection: 'ends',
      field,
      type: 'integer',
      schema: { data_type: 'int', is_nullable: true, is_indexed: field === 'x' },
      meta: null,
    })
    const key = { columns: ['x', 'y'], foreign_key_columns: ['a', 'b'], on_update: 'NO ACTION', on_delete: 'CASCADE' }
    const relation = { collection: 'ends', field: 'x', related_collection: 'pairs', schema: key, meta: null }
    const wanted = {
      ...snapshot,
      fields: [...(snapshot['fields'] ?? []), column('x'), column('y')],
      relations: [...(snapshot['relations'] ?? []), relation],
    }
    const diff = dataOf(await service.send('POST', '/schema/diff', wanted))
    expect((await service.send('POST', '/schema/apply', diff)).status).toBe(204)
    const indexes = await database.query(
      `select group_concat(column_name order by seq_in_index) from information_schema.statistics
        where table_schema = database() and table_name = 'ends' group by index_name order by 1`,
    )
    expect(indexes.flat()).toEqual(['id', 'x,y'])
    await database.query('drop table ends; drop table pairs')
  })

  test('takes back first what an earlier one has left', async () => {
    await database.query(`alter table goods change column size service_gone_x varchar(20);
      insert into service_schema_steps (kind, \`schema\`, \`table\`, name) values ('statement', database(), 'goods',
        'alter table goods change column if exists service_gone_x size varchar(20)')`)
    const answer = await service.send('PATCH', '/fields/makers/name', { meta: { note: 'whose' } })
    expect(answer.status).toBe(200)
    expect(await mysqlDisagreements(database.query)).toEqual([])
    expect(dataOf(await service.get('/items/goods/1?fields=size'))).toEqual({ size: '10' })
  })

  test('drops a field with the rules that name it', async () => {
    expect((await service.send('DELETE', '/fields/goods/price')).status).toBe(204)
    expect(await structure()).not.toMatch(/price|positive|service_gone/u)
  })

  type Field = Readonly<{ collection: string; field: string; type?: string; schema: object }>

  /** Applies one change to several tables: new values of the schema object, keyed by collection and field. */
  async function change(differing: Readonly<Record<string, object>>) {
    const { fields, ...rest } = dataOf(await service.get('/schema/snapshot')) as { readonly fields: readonly Field[] }
    const wanted = fields.map(({ type, ...field }) => {
      const schema = differing[`${field.collection}.${field.field}`]
      return schema === undefined ? { ...field, type } : { ...field, schema: { ...field.schema, ...schema } }
    })
    const diff = dataOf(await service.send('POST', '/schema/diff', { ...rest, fields: wanted }))
    return service.send('POST', '/schema/apply', diff)
  }

  test('gives up where a table is in use; others see its steps until then', { timeout: 120_000 }, async () => {
    const definition = async (name: string) => String((await database.query(`show create table ${name}`))[0]?.[1])
    const before = await definition('later')
    const other = await connectMysql(database.url)
    try {
      await other.query('begin; select count(*) from later')
      const whole = { data_type: 'int', max_length: null }
      const answer = change({ 'early.code': { is_unique: false }, 'early.size': whole, 'later.size': whole })
      await until(async () => /`size` int/u.test(await definition('early')), 10, 'a step can be seen')
      await database.query(`update early set size = 77; insert into early values (2, 20, 'a')`)
      expect([(await answer).status, codeOf(await answer)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      await other.query('rollback')
      expect(await definition('later')).toBe(before)
      // The rollback restores the values of existing rows. Rows inserted during the change stay.
      expect(await definition('early')).toContain('`size` varchar(20)')
      expect(await database.query('select id, size from early order by id')).toEqual([
        ['1', '10'],
        ['2', '20'],
      ])
      // A constraint that such rows violate cannot be restored.
      expect(await definition('early')).not.toContain('UNIQUE')
      expect(await mysqlDisagreements(database.query)).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('finds an index on every foreign key', async () => {
    const relation = { collection: 'later', field: 'goods', related_collection: 'goods', schema: {} }
    expect((await service.send('POST', '/relations', relation)).status).toBe(200)
    expect(dataOf(await service.get('/fields/later/goods'))).toMatchObject({ schema: { is_indexed: true } })
  })

  test('knows no SET DEFAULT, and nothing that counts up beside the key', async () => {
    const schema = { on_delete: 'SET DEFAULT' }
    const relation = { collection: 'later', field: 'kind', related_collection: 'goods', schema }
    const rule = await service.send('POST', '/relations', relation)
    expect([rule.status, codeOf(rule)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    const fields = [
      { field: 'id', type: 'integer', schema: { is_primary_key: true } },
      { field: 'count', type: 'integer', schema: { has_auto_increment: true } },
    ]
    const counter = await service.send('POST', '/collections', { collection: 'counted', fields, schema: {} })
    expect([counter.status, codeOf(counter)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
  })

  test('puts the first 255 characters of a text into its index', async () => {
    const field = { field: 'story', type: 'text', schema: { is_indexed: true } }
    expect((await service.send('POST', '/fields/goods', field)).status).toBe(200)
    const parts = `select sub_part from information_schema.statistics
      where table_schema = database() and table_name = 'goods' and column_name = 'story'`
    expect(await database.query(parts)).toEqual([['255']])
  })

  test.each(['ends with a blank ', 'has a \u{1F600} in it', 'x'.repeat(65)])(
    'gives no field the name "%s"',
    async (field) => {
      expect((await service.send('POST', '/fields/goods', { field, type: 'string' })).status).toBe(400)
      expect(await structure()).not.toContain(field.trim())
    },
  )
})
