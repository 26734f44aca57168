import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { administer, connect } from '../lib/databases.ts'
import { codeOf, openService } from '../lib/service.ts'
import { within } from '../lib/expect-duration.ts'
import { rehearsal, stage } from './schema-stage.ts'

/** Two megabytes, so that other requests must not wait while it is read. */
const live = stage(`
  create table makers (id integer primary key, name text);
  create table small (id integer primary key, name text, maker integer, code integer);
  create table large (id integer primary key, name text, maker integer, code integer, filler text);
  insert into makers select n, 'maker ' || n from generate_series(1, 10) n;
  insert into small select n, nullif('name ' || n, 'name 5'), n, n / 2 from generate_series(1, 20) n;
  insert into large select n, nullif('name ' || n, 'name 5'), 1 + n % 10, n / 2, repeat('x', 400) from generate_series(1, 5000) n;
  analyze`)
const { ask, send, refusal, plan, value, column, query } = live

const catalogue = () =>
  value(`select md5(string_agg(x, ',' order by x)) from (
    select format('%s %s %s %s', c.relname, a.attname, a.atttypid, a.attnotnull) as x from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0
    union all select format('%s %s %s', conname, contype, convalidated) from pg_constraint where connamespace = 'public'::regnamespace
    union all select f.collection || f.field || coalesce(f.note, '') from tain.service_fields f
    union all select version::text from tain.service_version) all_of_it`)

describe('a plan', () => {
  const calls: readonly (readonly [string, string, unknown])[] = [
    ['POST', '/fields/small', { field: 'more', type: 'string', schema: { is_unique: true, is_indexed: true } }],
    ['PATCH', '/fields/small/name', { type: 'string', schema: { is_nullable: false }, meta: { note: 'x' } }],
    ['PATCH', '/fields/small', [{ field: 'name', meta: { note: 'x' } }]],
    ['DELETE', '/fields/small/name', undefined],
    ['POST', '/collections', { collection: 'fresh', schema: {}, fields: [{ field: 'a', type: 'json' }] }],
    ['DELETE', '/collections/small', undefined],
    ['POST', '/relations', { collection: 'small', field: 'maker', related_collection: 'makers' }],
  ]
  test.each(calls)('of %s %s changes nothing', async (method, path, body) => {
    const before = await catalogue()
    const { statements } = await plan(method, path, body)
    expect(statements.length > 0 || path === '/fields/small').toBe(true)
    expect(await catalogue()).toBe(before)
  })

  test('says what each statement locks, reads and writes anew', async () => {
    const body = { type: 'bigInteger', schema: { is_indexed: true, comment: 'c' } }
    expect(await plan('PATCH', '/fields/small/code', body)).toEqual({
      statements: [
        {
          sql: 'alter table "public"."small" alter column "code" type bigint',
          table: 'public.small',
          lock: 'ACCESS EXCLUSIVE',
          rewrites: true,
          scans: true,
          rows: 20,
        },
        {
          sql: 'create index "small_code_index" on "public"."small" ("code")',
          table: 'public.small',
          lock: 'SHARE',
          rewrites: false,
          scans: true,
          rows: 20,
        },
        {
          sql: `comment on column "public"."small"."code" is 'c'`,
          table: 'public.small',
          lock: 'SHARE UPDATE EXCLUSIVE',
          rewrites: false,
          scans: false,
          rows: 20,
        },
      ],
      rows: 20,
      blocks: [],
    })
  })

  const rewritten: readonly (readonly [from: string, to: object, rewrites: boolean])[] = [
    ['varchar(10)', { schema: { max_length: 20 } }, false],
    ['varchar(10)', { type: 'text' }, false],
    ['varchar(10)', { schema: { max_length: 5 } }, true],
    ['text', { type: 'string' }, true],
    ['numeric(10,2)', { schema: { numeric_precision: 12, numeric_scale: 2 } }, false],
    ['numeric(10,2)', { schema: { numeric_precision: 12, numeric_scale: 3 } }, true],
    ['timestamptz', { type: 'dateTime' }, false],
    ['timestamp', { type: 'timestamp' }, false],
    ['date', { type: 'timestamp' }, true],
    ['integer', { type: 'bigInteger' }, true],
  ]
  test.each(rewritten)('of %s to %j tells the truth about rewriting: %s', async (from, change, rewrites) => {
    await query(`create table written (id integer primary key, it ${from}); insert into written (id) values (1)`)
    const [statement] = (await plan('PATCH', '/fields/written/it', change)).statements
    expect(statement).toMatchObject({ rewrites, lock: 'ACCESS EXCLUSIVE' })
    const before = await value(`select pg_relation_filenode('written')`)
    await ask('PATCH', '/fields/written/it', change)
    expect((await value(`select pg_relation_filenode('written')`)) !== before).toBe(rewrites)
    expect((await send('DELETE', '/collections/written')).status).toBe(204)
  })

  const blocked: readonly (readonly [string, object, string, number])[] = [
    ['/fields/small/name', { schema: { is_nullable: false } }, 'CONTAINS_NULL_VALUES', 1],
    ['/fields/small/code', { schema: { is_unique: true } }, 'RECORD_NOT_UNIQUE', 9],
    ['/fields/small/name', { type: 'integer' }, 'INVALID_PAYLOAD', 19],
    ['/fields/small/name', { type: 'string', schema: { max_length: 6 } }, 'VALUE_TOO_LONG', 11],
  ]
  test.each(blocked)('counts what stands in the way of %s %j', async (path, body, code, count) => {
    const { blocks } = await plan('PATCH', path, body)
    expect(blocks).toMatchObject([{ code, count, table: 'public.small' }])
    expect((await refusal('PATCH', path, body))[1]).toBe(code)
  })

  test('counts rows that refer to nothing, and rows a new field would leave empty', async () => {
    const relation = { collection: 'small', field: 'maker', related_collection: 'makers' }
    expect((await plan('POST', '/relations', relation)).blocks).toMatchObject([
      { code: 'INVALID_FOREIGN_KEY', count: 10 },
    ])
    const field = { field: 'needed', type: 'string', schema: { is_nullable: false } }
    expect((await plan('POST', '/fields/small', field)).blocks).toMatchObject([
      { code: 'CONTAINS_NULL_VALUES', count: 20 },
    ])
    expect(await refusal('POST', '/fields/small', field)).toEqual([400, 'CONTAINS_NULL_VALUES'])
  })

  test('is for administrators, and refuses what would be refused', async () => {
    const anonymous = await send('DELETE', '/fields/small/name', undefined, { ...rehearsal, token: null })
    expect([anonymous.status, codeOf(anonymous)]).toEqual([403, 'FORBIDDEN'])
    const unknown = await send('DELETE', '/fields/small/nothing', undefined, rehearsal)
    expect([unknown.status, codeOf(unknown)]).toEqual([403, 'FORBIDDEN'])
  })
})

const leftovers = () =>
  value(`select (select count(*) from tain.service_schema_steps) || ' ' ||
    (select count(*) from pg_index where not indisvalid) || ' ' ||
    (select count(*) from pg_constraint where not convalidated)`)

describe('on a large table', () => {
  test('an index, a unique constraint, a foreign key and a required field are prepared without keeping anybody waiting', async () => {
    const prepared = async (method: string, path: string, body: unknown) =>
      (await plan(method, path, body)).statements.map(({ sql, lock, scans }) => [sql.split(' "')[0], lock, scans])
    expect(await prepared('PATCH', '/fields/large/code', { schema: { is_indexed: true } })).toEqual([
      ['create index concurrently', 'SHARE UPDATE EXCLUSIVE', true],
    ])
    expect(
      await prepared('POST', '/fields/large', { field: 'one', type: 'string', schema: { is_unique: true } }),
    ).toEqual([
      ['alter table', 'ACCESS EXCLUSIVE', false],
      ['create unique index concurrently', 'SHARE UPDATE EXCLUSIVE', true],
      ['alter table', 'ACCESS EXCLUSIVE', false],
    ])
    const relation = { collection: 'large', field: 'maker', related_collection: 'makers' }
    expect(await prepared('POST', '/relations', relation)).toEqual([
      ['create index concurrently', 'SHARE UPDATE EXCLUSIVE', true],
      ['alter table', 'SHARE ROW EXCLUSIVE', false],
      ['alter table', 'SHARE UPDATE EXCLUSIVE', true],
    ])
    expect(await prepared('PATCH', '/fields/large/maker', { schema: { is_nullable: false } })).toEqual([
      ['alter table', 'ACCESS EXCLUSIVE', false],
      ['alter table', 'SHARE UPDATE EXCLUSIVE', true],
      ['alter table', 'ACCESS EXCLUSIVE', false],
      ['alter table', 'ACCESS EXCLUSIVE', false],
    ])
  })

  test('they come out like on any other', async () => {
    const field = { field: 'one', type: 'string', schema: { is_unique: true, is_indexed: true } }
    expect(await ask('POST', '/fields/large', field)).toMatchObject({ schema: { is_unique: true, is_indexed: true } })
    expect(
      await ask('PATCH', '/fields/large/maker', { schema: { is_nullable: false, is_indexed: true } }),
    ).toMatchObject({
      schema: { is_nullable: false, is_indexed: true },
    })
    const relation = {
      collection: 'large',
      field: 'maker',
      related_collection: 'makers',
      schema: { on_delete: 'CASCADE' },
    }
    expect(await ask('POST', '/relations', relation)).toMatchObject({ schema: { on_delete: 'CASCADE' } })
    expect(await ask('PATCH', '/relations/large/maker', { schema: { on_delete: 'RESTRICT' } })).toMatchObject({
      schema: { on_delete: 'RESTRICT', on_update: 'NO ACTION' },
    })
    expect(await ask('PATCH', '/fields/large/one', { schema: { is_unique: false, is_indexed: false } })).toMatchObject({
      schema: { is_unique: false, is_indexed: false },
    })
    expect(await leftovers()).toBe('0 0 0')
    expect(await value(`select count(*) from pg_constraint where conrelid = 'large'::regclass and contype = 'c'`)).toBe(
      '0',
    )
  })

  test('what cannot be is refused and leaves nothing behind', async () => {
    await query('alter table large add column wrong text')
    const before = await catalogue()
    const relation = { collection: 'large', field: 'wrong', related_collection: 'makers' }
    expect(await refusal('POST', '/relations', relation)).toEqual([400, 'INVALID_PAYLOAD'])
    expect(await refusal('PATCH', '/fields/large/code', { schema: { is_unique: true } })).toEqual([
      400,
      'RECORD_NOT_UNIQUE',
    ])
    expect(await refusal('PATCH', '/fields/large/name', { schema: { is_nullable: false } })).toEqual([
      400,
      'CONTAINS_NULL_VALUES',
    ])
    expect(await leftovers()).toBe('0 0 0')
    expect(await catalogue()).toBe(before)
  })
})

describe('a table that is in use', () => {
  test('is waited for in short turns: readers get in between, and the change is made in the end', () =>
    within(2000, async () => {
      const holder = await connect(live.url())
      await holder.query('begin; select count(*) from small')
      const field = `patient_${randomBytes(4).toString('hex')}`
      const changed = ask('POST', '/fields/small', { field, type: 'integer' })
      let slowest = 0
      const until = Date.now() + 4000
      while (Date.now() < until) {
        const began = performance.now()
        expect((await send('GET', '/items/small?limit=1')).status).toBe(200)
        slowest = Math.max(slowest, performance.now() - began)
        await sleep(20)
      }
      await holder.query('commit')
      await holder.close()
      expect(await changed).toMatchObject({ field })
      expect((await column('small', field))?.[0]).toBe('integer')
      expect(slowest).toBeGreaterThan(300)
      return slowest
    }))

  test('for too long is refused with 503, and nothing is changed', async () => {
    const holder = await connect(live.url())
    await holder.query('begin; lock table small in access exclusive mode')
    const before = await catalogue()
    expect(await refusal('DELETE', '/collections/small')).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(await catalogue()).toBe(before)
    await holder.query('rollback')
    await holder.close()
  })
})

describe('several who change the structure', () => {
  test('at once on two replicas take turns, and all succeed', async () => {
    const second = await openService({ DATABASE_URL: live.url() })
    const names = Array.from({ length: 12 }, (_, index) => `turn_${index}`)
    const answers = await Promise.all(
      names.map((field, index) =>
        (index % 2 === 0 ? live.service() : second).send('POST', '/fields/small', { field, type: 'integer' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
    for (const replica of [live.service(), second]) {
      const { status } = await replica.get(`/items/small?fields=${names.join(',')}&limit=1`)
      expect(status).toBe(200)
    }
    await second.stop()
  })
})

describe('a role that does not own the table', () => {
  test('is told so, and nothing is changed', async () => {
    const role = `tain_test_role_${process.pid}`
    await administer(`create role ${role} login`)
    await query(`grant usage on schema public, tain to ${role}; grant all on all tables in schema public, tain to ${role};
      grant usage on all sequences in schema tain to ${role}`)
    const url = Object.assign(new URL(live.url()), { username: role }).href
    const service = await openService({ DATABASE_URL: url })
    const before = await catalogue()
    for (const [method, path, body] of [
      ['POST', '/fields/small', { field: 'x', type: 'string', meta: {} }],
      ['DELETE', '/fields/small/name', undefined],
      ['DELETE', '/collections/small', undefined],
    ] as const) {
      const answer = await service.send(method, path, body)
      expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    }
    expect(await catalogue()).toBe(before)
    await service.stop()
    await query(`drop owned by ${role}`)
    await administer(`drop role ${role}`)
  })
})
