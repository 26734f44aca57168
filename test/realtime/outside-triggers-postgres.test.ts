// EVENTS_OUTSIDE=triggers, where PostgreSQL can do more than the others.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { administer } from '../lib/databases.ts'
import { dataOf, until } from '../lib/service.ts'
import { brief, startTriggerStage, type TriggerStage } from './trigger-stage.ts'

const role = `tain_test_${randomBytes(6).toString('hex')}`
let stage: TriggerStage
const sql = (text: string) => stage.other.query(text)
const told = () => stage.told()
const send = (method: string, path: string, body?: unknown) => stage.service().send(method, path, body)

beforeAll(async () => {
  await administer(`create role ${role}`)
  stage = await startTriggerStage('postgres', [
    `create table tags (id int primary key, name text)`,
    `create table notes (id int primary key, tag int references tags on delete cascade)`,
    `create table counts (id int primary key, n int)`,
    `create function count_tag() returns trigger language plpgsql as
      $$ begin insert into counts values (new.id, 1) on conflict (id) do update set n = counts.n + 1; return null; end $$`,
    `create trigger count_tag after insert or update on tags for each row execute function count_tag()`,
    `create table parts (id int, kind text, primary key (id, kind)) partition by list (kind)`,
    `create table parts_a partition of parts for values in ('a')`,
    `create table parts_b partition of parts for values in ('b')`,
    `create table moved (id int primary key, a int, b text)`,
    `grant select, insert, update, delete on tags, counts to ${role}`,
  ])
})
afterAll(async () => {
  await stage?.close()
  await administer(`drop role ${role}`)
})
beforeEach(() => stage.forget())

const lines = async () => (await told()).map(({ collection, item, kind }) => `${collection} ${item} ${kind}`)

describe('triggers on PostgreSQL', () => {
  test('tell what the database does along with a write of the service, and the write once', async () => {
    dataOf(await send('POST', '/items/tags', { id: 1, name: 'a' }))
    await sql('insert into notes values (7, 1), (8, 1)')
    expect((await send('DELETE', '/items/tags/1')).status).toBe(204)
    expect((await lines()).toSorted()).toEqual([
      'counts 1 create',
      'notes 7 create',
      'notes 7 delete',
      'notes 8 create',
      'notes 8 delete',
      'tags 1 create',
      'tags 1 delete',
    ])
  })

  test('tell cascades of other programs with the rows before', async () => {
    await sql(`insert into tags values (2, 'b'); insert into notes values (9, 2)`)
    await sql('delete from tags where id = 2')
    expect(brief(await told()).slice(3)).toEqual([
      ['tags', '2', 'delete', { id: 2, name: 'b' }, null],
      ['notes', '9', 'delete', { id: 9, tag: 2 }, null],
    ])
  })

  test('tell TRUNCATE as one change of all rows', async () => {
    await sql('truncate tags, notes')
    expect((await lines()).toSorted()).toEqual(['notes  truncate', 'tags  truncate'])
  })

  test('need no rights of the other program, and give it none', async () => {
    await sql(`set role ${role}`)
    await sql(`insert into tags values (3, 'c')`)
    await expect(sql('select * from tain.service_outbox')).rejects.toThrow(/permission denied/u)
    await sql('reset role')
    expect((await lines()).toSorted()).toEqual(['counts 3 create', 'tags 3 create'])
    const owners =
      await sql(`select distinct p.proowner = c.relowner, p.prosecdef, has_function_privilege('${role}', p.oid, 'execute')
      from pg_proc p, pg_class c where p.proname like 'tain_tell_%' and c.relname = 'service_outbox'`)
    expect(owners).toEqual([['t', 't', 'f']])
  })

  test('tell changes of partitions as those of the table', async () => {
    await sql(`insert into parts values (1, 'a'), (2, 'b')`)
    await sql(`delete from parts_a`)
    await sql(`update parts set kind = 'a'`)
    expect(await lines()).toEqual([
      'parts 1,a create',
      'parts 2,b create',
      'parts 1,a delete',
      'parts 2,b delete',
      'parts 2,a create',
    ])
  })

  test('let transactions change rows and tables together', async () => {
    await sql(`begin; insert into moved values (1, 1, 'x'); update moved set a = 2;
      alter table moved alter a set not null; truncate moved; commit`)
    expect(await lines()).toEqual(['moved 1 create', 'moved 1 update', 'moved  truncate'])
  })

  test('let writes pass when columns are gone, and say what they still know', async () => {
    await sql(`insert into moved values (2, 1, 'x')`)
    await sql(`alter table moved drop b; insert into moved values (3, 1)`)
    await sql(`alter table moved alter a type text; insert into moved values (4, 'a')`)
    await sql(`alter table moved rename id to key; insert into moved values (5, 'a')`)
    expect(brief(await told())).toEqual([
      ['moved', '2', 'create', null, { id: 2, a: 1, b: 'x' }],
      ['moved', '3', 'create', null, null],
      ['moved', '4', 'create', null, null],
      ['moved', '', 'truncate', null, null],
    ])
    const isKnown = async () => (await stage.printed()).includes(`'${(await stage.switched('moved')) ?? ''}'`)
    await until(isKnown, 15, 'the service knows the new form')
    expect(await stage.unfit()).toEqual([expect.stringMatching(/moved has a trigger for an older form/u)])
    await stage.install()
    await sql(`insert into moved values (6, 'a')`)
    expect(brief(await told()).at(-1)).toEqual(['moved', '6', 'create', null, { key: 6, a: 'a' }])
  })

  test('tell many rows of one write of the service once', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ id: 10_000 + index, name: 'n' }))
    const began = performance.now()
    dataOf(await send('POST', '/items/tags', rows))
    expect(performance.now() - began).toBeLessThan(10_000)
    const changes = (await told()).filter(({ collection }) => collection === 'tags')
    expect(changes).toHaveLength(1000)
    expect(new Set(changes.map(({ item }) => item)).size).toBe(1000)
    expect(changes.filter(({ write }) => write.startsWith('o'))).toEqual([])
  })
})
