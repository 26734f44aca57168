import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROW_LOG, startMariadb, type Mariadb } from '../lib/mariadb.ts'
import { until } from '../lib/service.ts'
import { connectTo, startWorld, type World } from './outside-world.ts'

let server: Mariadb
let world: World

const TABLES = `
  create table tags (id int auto_increment primary key, name longtext, color text);
  create table notes (id int primary key, body text, tag int, foreign key (tag) references tags (id) on delete cascade);
  create table pairs (a int, b varchar(20), value int, primary key (a, b));
  create table keyless (value int);
  create table old (id int primary key, value int) engine = aria transactional = 0;
  create table parts (id int primary key, value int) partition by range (id)
    (partition low values less than (10), partition high values less than maxvalue);
`

beforeAll(async () => {
  server = await startMariadb([...ROW_LOG, '--log-bin-compress', '--log-bin-compress-min-len=10'])
  world = await startWorld(server.url, TABLES)
  await until(() => world.observed.some(({ kind }) => kind === 'outside-began'), 10, 'the reader begins')
})
afterAll(async () => {
  await world?.close()
  await server?.destroy()
})
beforeEach(() => void world.log.appended.splice(0))

const appended = async (count: number, seconds = 5) => {
  await until(() => world.log.appended.length >= count, seconds, `${count} changes`)
  return world.log.appended.map(({ collection, key, kind, before, after }) => [
    collection,
    key,
    kind,
    before === null ? null : (JSON.parse(before) as unknown),
    after === null ? null : (JSON.parse(after) as unknown),
  ])
}
const inShort = async (count: number) => (await appended(count)).map((change) => change.slice(0, 3).join(' '))

describe('writes from outside, by the binary log of MariaDB', () => {
  test('are appended with the rows before and after', async () => {
    await world.sql(`insert into tags (id, name) values (1, 'a')`)
    await world.sql(`update tags set color = 'red' where id = 1`)
    await world.sql(`delete from tags where id = 1`)
    expect(await appended(3)).toEqual([
      ['tags', '1', 'create', null, { id: 1, name: 'a', color: null }],
      ['tags', '1', 'update', { id: 1, name: 'a', color: null }, { id: 1, name: 'a', color: 'red' }],
      ['tags', '1', 'delete', { id: 1, name: 'a', color: 'red' }, null],
    ])
  })

  test('by cascades are not in the log of the server', async () => {
    await world.sql(`insert into tags (id, name) values (2, 'b'); insert into notes values (1, 'x', 2)`)
    await world.sql(`delete from tags where id = 2`)
    await world.sql(`insert into tags (id) values (3)`)
    expect(await inShort(4)).toEqual(['tags 2 create', 'notes 1 create', 'tags 2 delete', 'tags 3 create'])
  })

  test('by triggers are told', async () => {
    await world.sql(`create trigger follow after insert on tags for each row
      insert into pairs values (new.id, 'trigger', 0)`)
    await world.sql(`insert into tags (id) values (5)`)
    expect(await inShort(2)).toEqual(['tags 5 create', 'pairs 5,trigger create'])
    await world.sql(`drop trigger follow`)
  })

  test('are not told when the service itself has told them, unlike what was written along', async () => {
    await world.sql(`insert into tags (id, name) values (7, 'c')`)
    await appended(1)
    world.log.appended.splice(0)
    await world.sql(`begin; delete from tags where id = 7; insert into pairs values (7, 'along', 1);
      insert into service_outbox (\`write\`, collection, item, kind) values ('1', 'tags', '7', 'delete'); commit`)
    await world.sql(`insert into tags (id, name) values (8, 'after')`)
    expect(await inShort(2)).toEqual(['pairs 7,along create', 'tags 8 create'])
  })

  test('are not told when they are rolled back, also in part', async () => {
    await world.sql(`begin; insert into tags (id) values (10); rollback`)
    await world.sql(`begin; insert into tags (id) values (11); savepoint s; insert into tags (id) values (12);
      rollback to s; insert into tags (id) values (13); commit`)
    expect((await appended(2)).map(([, key]) => key)).toEqual(['11', '13'])
  })

  test('of one transaction have the same name', async () => {
    await world.sql(`begin; insert into tags (id) values (20); insert into pairs values (1, 'a,b', 5); commit`)
    await world.sql(`insert into tags (id) values (21)`)
    expect((await appended(3)).map(([collection, key]) => [collection, key])).toEqual([
      ['tags', '20'],
      ['pairs', '1,a%2Cb'],
      ['tags', '21'],
    ])
    const [first, second, third] = world.log.appended.map(({ write }) => write)
    expect([first === second, first === third]).toEqual([true, false])
  })

  test('of a key are a row that went and a row that came', async () => {
    await world.sql(`insert into tags (id, name) values (30, 'k')`)
    await world.sql(`update tags set id = 31 where id = 30`)
    expect((await appended(3)).slice(1)).toEqual([
      ['tags', '30', 'delete', { id: 30, name: 'k', color: null }, null],
      ['tags', '31', 'create', null, { id: 31, name: 'k', color: null }],
    ])
  })

  test('that empty tables, or parts of them, are one change', async () => {
    await world.sql(`insert into parts values (1, 1), (11, 1)`)
    await world.sql('/* why */ truncate table `parts`')
    await world.sql(`alter table test.parts truncate partition low`)
    await world.sql(`create database other; create table other.parts (id int primary key); truncate other.parts`)
    await world.sql(`insert into parts values (2, 2); drop database other`)
    expect(await inShort(5)).toEqual([
      'parts 1 create',
      'parts 11 create',
      'parts  truncate',
      'parts  truncate',
      'parts 2 create',
    ])
  })

  test('of tables without transactions are told', async () => {
    await world.sql(`insert into old values (1, 1), (2, 2); update old set value = 3 where id = 2`)
    expect(await inShort(3)).toEqual(['old 1 create', 'old 2 create', 'old 2 update'])
  })

  test('of tables without a key are not heard', async () => {
    await world.sql(`insert into keyless values (1); update keyless set value = 2; insert into tags (id) values (40)`)
    expect(await inShort(1)).toEqual(['tags 40 create'])
  })

  test('in two phases are told when they are committed', async () => {
    await world.sql(`xa start 'one'; insert into tags (id) values (50); xa end 'one'; xa prepare 'one'`)
    const other = await connectTo(server.url)
    await other.sql(`insert into tags (id) values (51)`)
    await appended(1)
    await world.sql(`xa commit 'one'`)
    await world.sql(`xa start 'two', 'b', 7; insert into tags (id) values (52); xa end 'two', 'b', 7;
      xa prepare 'two', 'b', 7; xa rollback 'two', 'b', 7`)
    await other.sql(`insert into tags (id) values (53)`)
    await other.end()
    expect(await inShort(3)).toEqual(['tags 51 create', 'tags 50 create', 'tags 53 create'])
  })

  test('with a smaller row image are told with what the row has now', async () => {
    await world.sql(`insert into tags values (60, 'n', 'c'); set session binlog_row_image = 'MINIMAL'`)
    await world.sql(`update tags set color = 'd' where id = 60; delete from tags where id = 60`)
    await world.sql(`set session binlog_row_image = 'FULL'`)
    const changes = await appended(3)
    expect(changes.map((change) => change.slice(0, 4))).toEqual([
      ['tags', '60', 'create', null],
      ['tags', '60', 'update', null],
      ['tags', '60', 'delete', null],
    ])
  })

  test('of a new table, and of new columns, are heard', async () => {
    await world.sql(`create table fresh (id int primary key); insert into fresh values (1)`)
    await appended(1)
    await world.sql(`alter table fresh add label text default 'd'; update fresh set label = 'e'`)
    await world.sql(`update fresh set label = '7'; alter table fresh modify label int, modify id bigint;
      update fresh set label = 8`)
    await appended(4)
    await world.sql(`rename table fresh to stale; insert into stale values (9, 9)`)
    const changes = await appended(5)
    expect(changes.map((change) => change.slice(1, 3))).toEqual([
      ['1', 'create'],
      ['1', 'update'],
      ['1', 'update'],
      ['1', 'update'],
      ['9', 'create'],
    ])
    expect(changes[3]?.[4]).toEqual({ id: '1', label: 8 })
    expect(changes[4]?.[0]).toBe('stale')
  })

  test('are settled within a moment', async () => {
    await world.sql(`insert into tags (id) values (70)`)
    const began = performance.now()
    await world.outside.settle()
    expect(world.log.appended.map(({ key }) => key)).toEqual(['70'])
    // Nothing has changed since: only the beat is there to be waited for.
    await world.outside.settle()
    expect(performance.now() - began).toBeLessThan(2000)
  })

  test('of many rows in one transaction are told in order', async () => {
    await world.sql(`insert into tags (id, name) select seq, repeat('x', 500) from seq_1001_to_41000`)
    await until(() => world.log.appended.length >= 40_000, 60, 'all rows')
    expect(world.log.appended.map(({ key }) => key)).toEqual(
      Array.from({ length: 40_000 }, (_, index) => String(index + 1001)),
    )
  }, 90_000)

  test('of rows that do not fit into one packet are told; the largest ones without their values', async () => {
    await world.sql(`insert into tags (id, name) select seq, repeat('x', 30000) from seq_50001_to_50600`)
    await world.sql(`insert into tags values (60001, repeat('y', 12000000), 'a'), (60002, 'z', 'a')`)
    const changes = await appended(602, 40)
    expect(changes[599]?.[4]).toEqual({ id: 50_600, name: 'x'.repeat(30_000), color: null })
    expect(changes.slice(600)).toEqual([
      ['tags', '60001', 'create', null, null],
      ['tags', '60002', 'create', null, { id: 60_002, name: 'z', color: 'a' }],
    ])
  })

  test('that are logged as statements begin a new epoch', async () => {
    await world.sql(`set session binlog_format = 'STATEMENT'; insert into tags (id) values (80)`)
    await world.sql(`set session binlog_format = 'ROW'`)
    await until(() => world.log.epochs.length > 0, 10, 'a new epoch')
    await until(() => world.observed.filter(({ kind }) => kind === 'outside-began').length > 1, 10, 'the next reader')
    world.log.appended.splice(0)
    await world.sql(`insert into tags (id) values (81)`)
    expect(await inShort(1)).toEqual(['tags 81 create'])
  })
})
