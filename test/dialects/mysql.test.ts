import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { serverOf } from '../../packages/server/src/sql/dialects/mysql/capabilities.ts'
import { connectMysql } from '../../packages/server/src/sql/dialects/mysql/connect.ts'
import { createDatabase } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'
import { sameOnBoth } from './same-on-both.ts'

/** The differences on MariaDB that docs/dialects.md lists. Schema changes have a separate test file. */
describe('MariaDB', () => {
  const { database, service } = useWorld({
    dialect: 'mysql',
    tables: `
      create table words (id int auto_increment primary key, word varchar(40), made timestamp(6) null);
      create table odd (id int primary key, small float, wide double, document json, ends timestamp null, goes datetime);
      create table circle (id int primary key, next int, foreign key (next) references circle (id));
      create table ring (id int primary key, next int, foreign key (next) references ring (id) on delete cascade);
      insert into odd (id, small, wide, document) values
        (1, 1.23456789, 1.23456789, '{"0": "member", "list": ["first"]}'), (2, 1e6, 1e6, '["first"]');
      insert into circle values (1, null), (2, 1); update circle set next = 2 where id = 1;
      insert into ring values (1, null), (2, 1); update ring set next = 2 where id = 1`,
  })

  sameOnBoth(() => ({ service, database }))

  test('a float has six digits, a double has all', async () => {
    expect((await service.get('/items/odd/1?fields=small,wide')).text).toBe(
      '{"data":{"small":1.23457,"wide":1.23456789}}',
    )
  })

  test('a number in a JSON path is a position in a list, never the name of a member', async () => {
    const rows = dataOf(await service.get('/items/odd?fields=json(document,[0])&sort=id'))
    expect(rows).toEqual([{ document_0_json: null }, { document_0_json: 'first' }])
    const filter = (path: string) =>
      encodeURIComponent(JSON.stringify({ document: { _json: { [path]: { _nnull: true } } } }))
    expect(dataOf(await service.get(`/items/odd?fields=id&filter=${filter('0')}`))).toEqual([{ id: 2 }])
  })

  test('a timestamp ends in 2038, a dateTime does not', async () => {
    const late = '2040-01-01T00:00:00'
    expect(codeOf(await service.send('PATCH', '/items/odd/1', { ends: `${late}Z` }))).toBe('INVALID_PAYLOAD')
    expect(dataOf(await service.send('PATCH', '/items/odd/1', { goes: late }))).toMatchObject({ goes: late })
  })

  test('rows that refer to each other go together only where their key says CASCADE or SET NULL', async () => {
    expect(codeOf(await service.send('DELETE', '/items/circle', [1, 2]))).toBe('INVALID_FOREIGN_KEY')
    expect((await service.send('DELETE', '/items/ring', [1, 2])).status).toBe(204)
    expect(await database.query('select (select count(*) from circle), (select count(*) from ring)')).toEqual([
      ['2', '0'],
    ])
  })
})

/** The service treats a newer server as 10.6 here and must not use features that 10.6 lacks. */
describe('MariaDB 10.6, which has no type for uuids', () => {
  test('makes them of texts, and serves those as uuids', async () => {
    const database = await createDatabase('mysql')
    const config = readConfig({ DATABASE_URL: database.url, ADMIN_TOKEN: 'old-server-token' })
    const app = await createApp(config, pino({ level: 'silent' }), {
      connect: async (options) => connectMysql(options, serverOf('10.6.16-MariaDB')),
    })
    try {
      await database.query(`create table things (id int auto_increment primary key, code varchar(40));
        insert into things (code) values ('0E37DF368BD94B2A9C11C8F1B25A0B8E')`)
      await app.start()
      const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object): Promise<unknown> => {
        const headers = { authorization: 'Bearer old-server-token' }
        const { body } = await app.server.inject({
          method,
          url,
          headers,
          ...(payload === undefined ? {} : { payload }),
        })
        return (JSON.parse(body) as { data?: unknown }).data ?? body
      }
      expect(await send('POST', '/fields/things', { field: 'mark', type: 'uuid' })).toMatchObject({ type: 'uuid' })
      expect(await send('PATCH', '/fields/things/code', { type: 'uuid' })).toMatchObject({ type: 'uuid' })
      const columns = `select column_name, column_type, collation_name from information_schema.columns
        where table_schema = database() and table_name = 'things' and column_name <> 'id' order by 1`
      expect(await database.query(columns)).toEqual([
        ['code', 'char(36)', 'ascii_bin'],
        ['mark', 'char(36)', 'ascii_bin'],
      ])
      const id = '0e37df36-8bd9-4b2a-9c11-c8f1b25a0b8e'
      expect(await send('PATCH', '/items/things/1', { mark: id.toUpperCase() })).toEqual({ id: 1, code: id, mark: id })
      expect(await send('GET', `/items/things?filter[mark][_in]=${id}&fields=id`)).toEqual([{ id: 1 }])
      expect(await send('PATCH', '/items/things/1', { mark: 'no uuid' })).toContain('INVALID_PAYLOAD')
    } finally {
      await app.close()
      await database.drop()
    }
  })
})
