import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, runService, startService, until, type Service } from '../lib/service.ts'
import { sameOnBoth } from './same-on-both.ts'

/** Behaviour specific to SQLite, including the differences that docs/dialects.md lists. */
describe('a file of SQLite', () => {
  let database: TestDatabase
  let service: Service
  let log: string

  beforeAll(async () => {
    database = await createDatabase('sqlite')
    await database.query(`
      create table owners (id integer primary key, name text not null);
      create table things (
        id integer primary key autoincrement, label varchar(5), price decimal(20, 2), wide integer, made timestamp,
        owner integer references owners (id), keeper integer references owners (id), flag boolean default 1);
      create table plain (code text not null, number integer, primary key (code)) without rowid;
      create table words (id integer primary key, word varchar(40), made timestamp);
      create table unnumbered (id int primary key, word text);
      insert into owners values (1, 'Ann');
      insert into things (label, price, wide, made) values
        ('a', 10.5, 9007199254740993, '2024-05-05T10:00:00+02:00'), ('b', 12345678901234567.89, 1, '2024-05-05 08:00:00'),
        ('c', 3, 2, 1714896000);`)
    log = `${database.name}.statements`
    service = await openService({
      DATABASE_URL: database.url,
      SCHEMA_POLL_INTERVAL: '100',
      TAIN_STATEMENT_LOG: log,
      SYSTEM_SCHEMA: 'elsewhere',
      DB_SCHEMAS: 'nowhere',
    })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  sameOnBoth(() => ({ service, database }))

  test('a single integer primary key counts up by itself, an int primary key does not', async () => {
    expect(dataOf(await service.get('/fields/words/id'))).toMatchObject({ schema: { has_auto_increment: true } })
    expect(dataOf(await service.get('/fields/unnumbered/id'))).toMatchObject({ schema: { has_auto_increment: false } })
    expect((await service.send('POST', '/items/words', { word: 'x' })).status).toBe(200)
    expect(codeOf(await service.send('POST', '/items/unnumbered', { word: 'x' }))).toBe('FAILED_VALIDATION')
  })

  test.each(['geometry', 'geometry.Point'])('there are no fields of type %s', async (type) => {
    expect(codeOf(await service.send('POST', '/fields/plain', { field: 'shape', type }))).toBe('INVALID_PAYLOAD')
  })

  test('names are the same whatever their case', async () => {
    expect(codeOf(await service.send('POST', '/fields/plain', { field: 'NUMBER', type: 'string' }))).toBe(
      'INVALID_PAYLOAD',
    )
    expect(codeOf(await service.send('POST', '/collections', { collection: 'Plain', schema: {} }))).toBe(
      'INVALID_PAYLOAD',
    )
  })

  test('moments are brought into one spelling before they are compared, so that no index helps', async () => {
    await service.get('/items/things?fields=id&filter[made][_gt]=2024-01-01T00:00:00Z')
    expect(await readFile(log, 'utf8')).toMatch(/where[^"]*tain_\w+\([^)]*made/u)
  })

  test('e-mail addresses are told apart by the case of letters beyond ASCII, and by no other', async () => {
    const status = async (email: string) => (await service.send('POST', '/users', { email })).status
    expect(await status('Élise@example.com')).toBe(200)
    expect(await status('élise@example.com')).toBe(200)
    expect(await status('ÉLISE@example.com')).toBe(400)
  })

  test('SYSTEM_SCHEMA and DB_SCHEMAS mean nothing', async () => {
    expect((await service.get('/items/owners/1')).status).toBe(200)
    expect(await database.query(`select count(*) from sqlite_schema where name = 'service_users'`)).toEqual([['1']])
  })

  test('which foreign key refused is not told for tables of 200,000 rows and more', async () => {
    await database.query(`create table many (id integer primary key, first integer references owners (id),
        second integer references owners (id));
      insert into many (id) with recursive n (x) as (select 1 union all select x + 1 from n where x < 200000) select x from n;`)
    await until(async () => (await service.get('/items/many/1')).status === 200, 10, 'the new table is served')
    const { body } = await service.send('PATCH', '/items/many/1', { second: 77 })
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'INVALID_FOREIGN_KEY' } }] })
    expect(JSON.stringify(body)).not.toContain('second')
  })

  test('decimals of other programs have the digits they are declared with, and about 15 of them in all', async () => {
    const rows = dataOf(await service.get('/items/things?fields=price&sort=id&limit=3'))
    expect(rows).toEqual([{ price: '10.50' }, { price: '12345678901234568.00' }, { price: '3.00' }])
  })

  test('whole numbers have 64 bits', async () => {
    const { text } = await service.get('/items/things?fields=wide&limit=1')
    expect(text).toBe('{"data":[{"wide":"9007199254740993"}]}')
    const made = await service.send('POST', '/items/plain', { code: 'x', number: '9223372036854775807' })
    expect(made.text).toBe('{"data":{"code":"x","number":"9223372036854775807"}}')
    const refused = await service.send('POST', '/items/plain', { code: 'y', number: '9223372036854775808' })
    expect(codeOf(refused)).toBe('VALUE_OUT_OF_RANGE')
  })

  test('a moment is the same however it is spelled', async () => {
    const filter = encodeURIComponent(JSON.stringify({ made: { _eq: '2024-05-05T08:00:00Z' } }))
    const rows = dataOf(await service.get(`/items/things?fields=made&filter=${filter}`))
    expect(rows).toEqual([0, 1, 2].map(() => ({ made: '2024-05-05T08:00:00.000Z' })))
  })

  test('the field of a foreign key that refuses is told', async () => {
    for (const field of ['owner', 'keeper']) {
      const { body } = await service.send('POST', '/items/things', { label: 'x', [field]: 77 })
      expect(body).toMatchObject({
        errors: [{ extensions: { code: 'INVALID_FOREIGN_KEY', collection: 'things', field } }],
      })
    }
  })

  test('texts are not longer than their column says, though the database would take them', async () => {
    expect(codeOf(await service.send('POST', '/items/things', { label: 'sixsix' }))).toBe('VALUE_TOO_LONG')
  })

  test('a counter goes on after keys that were given by hand, and never goes back', async () => {
    const keyOf = (answer: unknown) => (answer as { id: number }).id
    expect(keyOf(dataOf(await service.send('POST', '/items/things', { id: 500, label: 'h' })))).toBe(500)
    expect(keyOf(dataOf(await service.send('POST', '/items/things', { label: 'n' })))).toBe(501)
    expect((await service.send('DELETE', '/items/things/501')).status).toBe(204)
    expect(keyOf(dataOf(await service.send('POST', '/items/things', { label: 'm' })))).toBe(502)
  })

  test('a table that is made anew keeps its rows, indexes, triggers and counter, and what refers to it', async () => {
    await database.query(`create index things_label on things (label);
      create table log (n integer primary key, what text);
      create trigger noted after update on things begin insert into log (what) values (new.label); end;
      create table parts (id integer primary key, thing integer references things (id) on delete cascade);
      insert into parts values (1, 1);`)
    await until(async () => (await service.get('/items/parts/1')).status === 200, 5, 'the new table is served')
    const changed = await service.send('PATCH', '/fields/things/wide', { type: 'string', schema: { max_length: 40 } })
    expect(changed.status).toBe(200)
    const [names] = await database.query(
      `select group_concat(name, ' ' order by name) from sqlite_schema where tbl_name = 'things' and name not like 'sqlite%'`,
    )
    expect(names).toEqual(['noted things things_label'])
    expect(dataOf(await service.get('/items/parts/1?fields=thing.wide'))).toEqual({
      thing: { wide: '9007199254740993' },
    })
    expect(dataOf(await service.send('POST', '/items/things', { label: 'o' }))).toMatchObject({ id: 503 })
    expect(await database.query('pragma foreign_key_check')).toEqual([])
  })

  test('a foreign key whose rules change is still there, made by whomever', async () => {
    const change = async (schema: object) =>
      dataOf(await service.send('PATCH', '/relations/things/keeper', { schema })) as { schema: object | null }
    expect((await change({ on_delete: 'SET NULL', on_update: 'CASCADE' })).schema).toMatchObject({
      on_delete: 'SET NULL',
      on_update: 'CASCADE',
    })
    expect((await change({ on_delete: 'CASCADE' })).schema).toMatchObject({
      on_delete: 'CASCADE',
      on_update: 'CASCADE',
    })
    const keys = await database.query(
      `select "table", on_delete, on_update from pragma_foreign_key_list('things') where "from" = 'keeper'`,
    )
    expect(keys).toEqual([['owners', 'CASCADE', 'CASCADE']])
  })

  test('a default that is too large for a number is refused', async () => {
    const field = { field: 'huge', type: 'float', schema: { default_value: '1e400' } }
    expect((await service.send('POST', '/fields/plain', field)).status).toBe(400)
  })

  test('comments are not kept', async () => {
    const made = await service.send('POST', '/fields/plain', { field: 'note', type: 'text', schema: { comment: 'x' } })
    expect(dataOf(made)).toMatchObject({ schema: { comment: null } })
  })

  test('several processes serve one file: what one writes or changes, the other answers with', async () => {
    const other = await startService({ DATABASE_URL: database.url, SCHEMA_POLL_INTERVAL: '100' })
    try {
      // A write that waits too long for the other writer gets 503 and is retried.
      const write = async (n: number): Promise<number> => {
        const { status } = await (n % 2 === 0 ? service : other).send('POST', '/items/plain', { code: `n${n}` })
        return status === 503 ? write(n) : status
      }
      const statuses = await Promise.all(Array.from({ length: 40 }, (_, n) => write(n)))
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(dataOf(await other.get('/items/plain?aggregate[count]=*&filter[code][_starts_with]=n'))).toEqual([
        { count: '40' },
      ])
      const field = { field: 'added', type: 'integer', schema: { default_value: 7 } }
      expect((await service.send('POST', '/fields/plain', field)).status).toBe(200)
      expect(dataOf(await other.get('/items/plain/n1?fields=added'))).toEqual({ added: 7 })
    } finally {
      await other.stop()
    }
  })

  test('a slow statement keeps nobody else waiting, and is given up after its time', { timeout: 120_000 }, async () => {
    await database.query(`create view endless as with recursive n (x) as (select 1 union all select x + 1 from n where x < 3000000000)
      select count(*) as rows from n`)
    const impatient = await startService({ DATABASE_URL: database.url, DB_STATEMENT_TIMEOUT: '5000' })
    try {
      const slow = impatient.get('/items/endless').then(({ status }) => ['slow', status])
      const quick = impatient.get('/items/owners/1').then(({ status }) => ['quick', status])
      expect(await Promise.race([slow, quick])).toEqual(['quick', 200])
      expect(await slow).toEqual(['slow', 503])
      expect((await impatient.get('/items/owners/1')).status).toBe(200)
    } finally {
      await impatient.stop('SIGKILL')
    }
  })
})

test('a table of somebody else with a name of ours stops the start', async () => {
  const database = await createDatabase('sqlite')
  try {
    await database.query('create table service_users (id integer primary key)')
    const { code, output } = await runService({ DATABASE_URL: database.url })
    expect(code).toBe(1)
    expect(output).toContain('service_users')
    expect(await database.query(`select count(*) from sqlite_schema where name = 'service_version'`)).toEqual([['0']])
  } finally {
    await database.drop()
  }
})
