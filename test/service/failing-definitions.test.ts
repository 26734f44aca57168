import { describe, expect, test } from 'vitest'
import { testDialects, type TestDialect } from '../lib/databases.ts'
import { codeOf, dataOf, type Answer } from '../lib/service.ts'
import { createUser, useWorld } from '../lib/world.ts'

/** Views and functions that fail when they are read. Every database also has the table `fine`. */
const views: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: [
    `create materialized view unready as select 1 as n with no data`,
    `create view divides as select 1 / (n - n) as n from fine`,
    `create view several as select (select n from fine) as n`,
    `create view misread as select name::int as n from fine`,
    `create function refuse(n int) returns int language plpgsql as $$ begin raise exception 'Row % is locked', n; end $$`,
    `create view refuses as select refuse(n) as n from fine`,
    `create function lost() returns int language plpgsql as $$ begin return (select n from gone); end $$`,
    `create view broken as select lost() as n`,
  ],
  mysql: [
    `create table base (n int)`,
    `create definer = 'nobody'@'nowhere' sql security definer view broken as select n from base`,
    `create view several as select (select n from fine) as n`,
    `create function refuse(n int) returns int begin signal sqlstate '45000' set message_text = 'Row 1 is locked'; return 1; end`,
    `create view refuses as select refuse(n) as n from fine`,
  ],
  sqlite: [
    `create view overflows as select abs(-9223372036854775808) as n`,
    `create view misread as select json_extract('{', '$') as n`,
    `create table base (n int)`,
    `create view broken as select n from base`,
    `drop table base`,
  ],
}

const read: Readonly<Record<TestDialect, readonly (readonly [view: string, code: string, reason: RegExp])[]>> = {
  postgres: [
    ['unready', 'UNPROCESSABLE_CONTENT', /not been populated/u],
    ['divides', 'UNPROCESSABLE_CONTENT', /division by zero/u],
    ['several', 'UNPROCESSABLE_CONTENT', /more than one row/u],
    ['misread', 'UNPROCESSABLE_CONTENT', /does not fit its type/u],
    ['refuses', 'INVALID_QUERY', /Row 1 is locked/u],
    ['broken', 'UNPROCESSABLE_CONTENT', /does not work/u],
  ],
  mysql: [
    ['broken', 'UNPROCESSABLE_CONTENT', /definer/u],
    ['several', 'UNPROCESSABLE_CONTENT', /more than one row/u],
    ['refuses', 'INVALID_QUERY', /Row 1 is locked/u],
  ],
  sqlite: [
    ['overflows', 'UNPROCESSABLE_CONTENT', /does not fit its type/u],
    ['misread', 'UNPROCESSABLE_CONTENT', /does not fit its type/u],
    ['broken', 'FORBIDDEN', /does not exist/u],
  ],
}

interface Refusal {
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}

const refusalOf = ({ body, text }: Answer): Refusal => {
  const [error] = (body as { errors?: readonly Refusal[] } | undefined)?.errors ?? []
  if (error === undefined) throw new Error(`no refusal: ${text}`)
  return error
}

describe.each(testDialects)('what fails inside the database on %s', (dialect) => {
  const { database, service } = useWorld({
    dialect,
    tables: async (database) => {
      await database.query('create table fine (n int primary key, name varchar(20))')
      await database.query(`insert into fine values (1, 'one'), (2, 'two')`)
      for (const statement of views[dialect]) await database.query(statement)
      if (dialect === 'postgres')
        await database.query(`
        create table ruled (id int primary key, n int);
        create table ruled_parts (id int, n int);
        create rule elsewhere as on insert to ruled where new.n > 10 do instead insert into ruled_parts values (new.id, new.n);
        create table watched (id int primary key, n int not null);
        create rule also as on insert to watched do also insert into ruled_parts values (new.id, new.n);
        create table kept (id int primary key);
        create rule never as on delete to kept do instead nothing;
        insert into kept values (1);
        create table spans (id int primary key, span int4range, host inet, at timestamp);
        insert into spans values (1, '[1,5)', '10.0.0.1', 'infinity');`)
    },
    environment: { DB_STATEMENT_TIMEOUT: '700' },
  })

  test.each(read[dialect])('reading %s is %s with a reason', async (view, code, reason) => {
    for (const answer of [await service.get(`/items/${view}`), await service.get(`/items/${view}?aggregate[max]=n`)]) {
      expect(refusalOf(answer).extensions['code']).toBe(code)
      expect(refusalOf(answer).extensions['reason']).toMatch(reason)
      expect(answer.text).not.toMatch(/select|gone|nobody/iu)
    }
  })

  test('the rest is served', async () => {
    expect(dataOf(await service.get('/items/fine?fields=n'))).toEqual([{ n: 1 }, { n: 2 }])
  })

  test.skipIf(dialect === 'sqlite')(
    'what a function raises about rows is for callers who may read them all',
    async () => {
      const permissions = [{ action: 'read', collection: 'refuses', fields: ['*'], permissions: { n: { _gt: 0 } } }]
      const token = await createUser(service, permissions)
      const answer = await service.get('/items/refuses', { token })
      expect(codeOf(answer)).toBe('INVALID_QUERY')
      expect(answer.text).not.toContain('locked')
    },
  )

  test('a query that takes too long is 503 and says so', async () => {
    const slow: Readonly<Record<TestDialect, string>> = {
      postgres: `create view slow as select n from fine, pg_sleep(3)`,
      mysql: `create view slow as select n from fine where sleep(3) = 0`,
      sqlite: `create view slow as with recursive c (n) as (select 1 union all select n + 1 from c where n < 40000000) select max(n) as n from c`,
    }
    await database.query(slow[dialect])
    await expect
      .poll(async () => codeOf(await service.get('/items/slow')), { timeout: 20_000 })
      .toBe('SERVICE_UNAVAILABLE')
    const { message, extensions } = refusalOf(await service.get('/items/slow'))
    expect(message).toMatch(/too slow.*filter.*index/u)
    expect(extensions['reason']).toMatch(/too slow/u)
  })

  describe.runIf(dialect === 'postgres')('rules', () => {
    test('an insert that a rule rewrites is 422 with a reason, and writes nothing', async () => {
      for (const n of [1, 11]) {
        const { extensions } = refusalOf(await service.send('POST', '/items/ruled', { id: n, n }))
        expect(extensions).toMatchObject({ code: 'UNPROCESSABLE_CONTENT', reason: expect.stringMatching(/rule/u) })
      }
      expect(await database.query('select id from ruled union select id from ruled_parts')).toEqual([])
    })

    test('a rule that only adds something does not stand in the way', async () => {
      expect(dataOf(await service.send('POST', '/items/watched', { id: 5, n: 5 }))).toEqual({ id: 5, n: 5 })
      expect(await database.query('select id from ruled_parts')).toEqual([['5']])
    })

    test('a delete that a rule replaces is 422', async () => {
      const { extensions } = refusalOf(await service.send('DELETE', '/items/kept/1'))
      expect(extensions).toMatchObject({ code: 'UNPROCESSABLE_CONTENT', reason: expect.stringMatching(/rule/u) })
    })
  })

  describe.runIf(dialect === 'postgres')('values that only the database can judge', () => {
    test.each([
      ['span', '[5,1)'],
      ['host', 'nowhere'],
      ['span', 'x'],
    ])('name their field in a filter: %s', async (field, value) => {
      for (const condition of [{ _eq: value }, { _in: [value] }]) {
        const { message, extensions } = refusalOf(await service.search('spans', { filter: { [field]: condition } }))
        expect(extensions).toMatchObject({ code: 'INVALID_QUERY', field })
        expect(message).toContain(`"${field}"`)
      }
    })

    test.each([
      ['span', '[5,1)'],
      ['host', 'nowhere'],
    ])('name their field in a payload: %s', async (field, value) => {
      for (const answer of [
        await service.send('POST', '/items/spans', { id: 9, host: '10.0.0.2', [field]: value }),
        await service.send('POST', '/items/spans', [{ id: 9 }, { id: 10, [field]: value }]),
        await service.send('PATCH', '/items/spans/1', { [field]: value }),
      ]) {
        const { message, extensions } = refusalOf(answer)
        expect(extensions).toMatchObject({ code: 'INVALID_PAYLOAD', field })
        expect(message).toContain(`"${field}"`)
      }
    })

    test('parts of infinity are refused with a reason', async () => {
      const { extensions } = refusalOf(await service.get('/items/spans?fields=year(at)'))
      expect(extensions).toMatchObject({
        code: 'UNPROCESSABLE_CONTENT',
        reason: expect.stringMatching(/infinity/u),
      })
    })
  })
})
