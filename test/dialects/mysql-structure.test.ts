import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMysql, createDatabase, type TestDatabase } from '../databases.ts'
import { mysqlDisagreements, mysqlStructure } from '../schema/catalogue-mysql.ts'
import { codeOf, dataOf, startService, type Service } from '../service.ts'

/** Changes of the structure where every statement commits by itself, see docs/schema.md. */
describe('a change of the structure of MariaDB', () => {
  let database: TestDatabase
  let service: Service

  beforeAll(async () => {
    database = await createDatabase('mysql')
    await database.query(`
      create table makers (id int auto_increment primary key, name varchar(40) not null default 'no one' comment 'who''s it');
      create table goods (id int primary key, price decimal(10, 3), size varchar(20), maker int,
        made timestamp(6) not null default current_timestamp(6) on update current_timestamp(6),
        constraint positive check (price > 0), constraint of_maker foreign key (maker) references makers (id));
      insert into makers (id, name) values (1, 'Ada');
      insert into goods (id, price, size, maker) values (1, 1.5, '10', 1), (2, 2.25, '20', null)`)
    service = await startService({ DATABASE_URL: database.url })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
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

  test('takes back first what an earlier one has left', async () => {
    await database.query(`alter table goods change column size service_gone_x varchar(20);
      insert into service_schema_steps (kind, \`schema\`, \`table\`, name) values ('statement', database(), 'goods',
        'alter table goods change column if exists service_gone_x size varchar(20)')`)
    const answer = await service.send('PATCH', '/fields/makers/name', { meta: { note: 'whose' } })
    expect(answer.status).toBe(200)
    expect(await mysqlDisagreements(database.query)).toEqual([])
    expect(dataOf(await service.get('/items/goods/1?fields=size'))).toEqual({ size: '10' })
  })

  test('gives up where the table is in use, and changes nothing', { timeout: 120_000 }, async () => {
    const other = await connectMysql(database.url)
    try {
      await other.query('begin; select count(*) from goods')
      const before = await structure()
      const answer = await service.send('POST', '/fields/goods', { field: 'more', type: 'string' })
      expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      await other.query('rollback')
      expect(await structure()).toBe(before)
    } finally {
      await other.close()
    }
  })

  test('drops a field with the rules that name it', async () => {
    expect((await service.send('DELETE', '/fields/goods/price')).status).toBe(204)
    expect(await structure()).not.toMatch(/price|positive|service_gone/u)
  })
})
