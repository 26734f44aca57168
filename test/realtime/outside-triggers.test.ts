// EVENTS_OUTSIDE=triggers: triggers put the writes of other programs into the outbox.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callCommand } from '../lib/command.ts'
import { connect, createDatabase, testDialects, type TestDialect } from '../lib/databases.ts'
import { dataOf, startService, until } from '../lib/service.ts'
import { brief, quote, startTriggerStage, type TriggerStage } from './trigger-stage.ts'

/** Names with every kind of quote. */
const ODD = `odd "na'me\` %`

const tables = (dialect: TestDialect): readonly string[] => {
  const q = quote[dialect]
  const text = dialect === 'mysql' ? 'varchar(200)' : 'text'
  return [
    `create table tags (id integer primary key, name ${text}, color ${text})`,
    `create table notes (id integer primary key, body ${text}, tag integer, foreign key (tag) references tags (id) on delete cascade)`,
    `create table pairs (a integer not null, b varchar(40) not null, value integer, primary key (a, b))`,
    `create table ${q(ODD)} (${q('the "k\'ey`')} integer primary key, ${q(`a 'b" c\\d`)} ${text})`,
    `create table words (word varchar(40) primary key)`,
    `create table shrinking (id integer primary key, a integer, b integer)`,
    `create table keyless (value integer)`,
    `create table large (id integer primary key, body ${dialect === 'mysql' ? 'longtext' : 'text'})`,
    `create table forms (id integer primary key, ${types[dialect].map((type, index) => `c${index} ${type}`).join(', ')})`,
  ]
}

const listed = (text: string): readonly string[] => text.split('|').map((part) => part.trim())

const types: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: listed(`smallint|bigint|real|double precision|numeric(12, 3)|boolean|char(5)|date|time|timestamp|timestamptz
    |interval|uuid|json|jsonb|bytea|inet|int[]|text[]|point|timestamptz[]|int4range`),
  mysql:
    listed(`tinyint(1)|smallint unsigned|bigint|float|double|decimal(12, 3)|char(5)|varchar(20) character set latin1|date
    |time(3)|datetime(6)|timestamp(6) null|timestamp null|year|json|varbinary(8)|enum('a', 'it''s')|set('x', 'y')|bit(3)|uuid
    |text collate utf8mb4_general_ci|point|inet6|int(5) zerofill`),
  sqlite: listed(
    `integer|bigint|real|decimal(12, 3)|numeric|boolean|varchar(5)|date|time|timestamp|datetime|json|uuid|blob`,
  ),
}

/** Values of these types, as statements have them. */
const rows: Readonly<Record<TestDialect, readonly (readonly string[])[]>> = {
  postgres: [
    listed(`1|9007199254740993|0.1|1e300|1.5|true|'ab'|'2024-02-29'|'12:30:00.5'|'2024-01-01 00:00:00.123456'
      |'2024-06-01 00:00:00.1+05:30'|'1 month 2 days 00:00:01.5'|'11111111-1111-1111-1111-111111111111'
      |'{"a": [1.0, null]}'|'{"b": 1, "a": 2}'|'\\x00ff'|'10.0.0.1'|'{1,null}'|'{"a,b",c}'|'(1,2)'
      |'{2024-01-01 00:00:00+01}'|'[1,5)'`),
    types.postgres.map(() => 'null'),
    listed(`-1|0|'NaN'|'-Infinity'|0|false|''|'infinity'|'24:00'|'-infinity'|'0044-03-15 00:00 BC'|'-1 day'|null
      |'"text"'|'[]'|''|null|'{}'|'{}'|null|'{}'|'empty'`),
  ],
  mysql: [
    listed(`1|65535|9007199254740993|0.1|1e300|1.5|'ab'|'ü'|'2024-02-29'|'12:30:00.5'|'2024-01-01 00:00:00.123456'
      |'2024-06-01 12:00:00.25'|'2024-06-01 12:00:00'|2024|'{"a": [1.0, null]}'|x'00ff'|'it''s'|'x,y'|b'101'
      |'11111111-1111-1111-1111-111111111111'|'ä "q" \\ z'|point(1, 2)|'::1'|42`),
    types.mysql.map(() => 'null'),
    listed(`0|0|-1|-0.5|0|-1|''|''|'0001-01-01'|'-20:00'|'9999-12-31 23:59:59.999999'|'1970-01-02 00:00:00.000001'
      |'2024-10-27 01:30:00'|1901|'[]'|''|'a'|''|b'0'|null|'😀'|null|'10.0.0.1'|0`),
  ],
  sqlite: [
    listed(`1|9007199254740993|0.1|1.5|12.25|1|'ä "q" \\'|'2024-02-29'|'12:30:00'|'2024-01-01 00:00:00'
      |'2024-01-01T00:00:00.120'|'{"a": [1.0, null]}'|'11111111-1111-1111-1111-111111111111'|null`),
    types.sqlite.map(() => 'null'),
    listed(`-1|0|1e20|2|-3|0|''|''|'23:59:59'|'2024-01-01T00:00:00.123Z'|'2024-01-01 00:00:00.000'|'"x"'|'x'|null`),
    listed(`0|0|3|0.125|0.5|1|7|'x'|'00:00:00'|'2024-12-31T23:59:59Z'|'2024-01-01 10:00:00'|'[]'|'A'|null`),
  ],
}

/** Other programs have settings of their own. */
const sessions: Readonly<Record<TestDialect, readonly string[]>> = {
  postgres: [
    `set timezone = 'Asia/Tokyo'; set datestyle = 'German'; set intervalstyle = 'postgres'`,
    `set bytea_output = 'escape'; set extra_float_digits = -5`,
  ],
  mysql: [`set time_zone = '+09:00', sql_mode = '', lc_time_names = 'de_DE'`],
  sqlite: ['pragma foreign_keys = on'],
}

/** What the triggers need. */
const own: Readonly<Record<TestDialect, string>> = {
  postgres: `select tgname from pg_trigger where tgname like 'tain%' union all
    select proname from pg_proc where proname like 'tain%' union all
    select relname from pg_class where relname = 'service_outbox_told'`,
  mysql: `select trigger_name from information_schema.triggers where trigger_schema = database()`,
  sqlite: `select name from sqlite_schema where type = 'trigger'`,
}

describe.each(testDialects)('writes from outside, by triggers, on %s', (dialect) => {
  let stage: TriggerStage
  const q = quote[dialect]
  const sql = (text: string) => stage.other.query(text)
  const told = () => stage.told()
  const send = (method: string, path: string, body?: unknown) => stage.service().send(method, path, body)

  beforeAll(async () => {
    stage = await startTriggerStage(dialect, tables(dialect))
    for (const statement of sessions[dialect]) await sql(statement)
  })
  afterAll(() => stage?.close())
  beforeEach(() => stage.forget())

  test('are told with the rows before and after', async () => {
    await sql(`insert into tags (id, name) values (1, 'a')`)
    await sql(`update tags set color = 'red' where id = 1`)
    await sql(`delete from tags where id = 1`)
    const changes = await told()
    expect(brief(changes)).toEqual([
      ['tags', '1', 'create', null, { id: 1, name: 'a', color: null }],
      ['tags', '1', 'update', { id: 1, name: 'a', color: null }, { id: 1, name: 'a', color: 'red' }],
      ['tags', '1', 'delete', { id: 1, name: 'a', color: 'red' }, null],
    ])
    expect(changes.every(({ write, user }) => write.startsWith('o') && user === null)).toBe(true)
  })

  test('of several rows and of several statements are told in order, and not at all when they are rolled back', async () => {
    await sql(`begin`)
    await sql(`insert into tags (id, name) values (10, 'a'), (11, 'b')`)
    await sql(`update tags set name = 'c' where id = 10`)
    await sql(`savepoint s`)
    await sql(`insert into tags (id) values (12)`)
    await sql(`rollback to s`)
    await sql(`delete from tags where id = 11`)
    await sql(`commit`)
    await sql(`begin`)
    await sql(`insert into tags (id) values (13)`)
    await sql(`rollback`)
    const changes = await told()
    expect(changes.map(({ item, kind }) => `${item} ${kind}`)).toEqual([
      '10 create',
      '11 create',
      '10 update',
      '11 delete',
    ])
    // The others do not tell a trigger which transaction it is in.
    expect(new Set(changes.map(({ write }) => write)).size).toBe(dialect === 'postgres' ? 1 : 4)
  })

  test('of a key are a row that went and a row that came', async () => {
    await sql(`insert into pairs values (1, 'a,b', 5)`)
    await sql(`update pairs set b = 'c/d' where a = 1`)
    expect(brief(await told())).toEqual([
      ['pairs', '1,a%2Cb', 'create', null, { a: 1, b: 'a,b', value: 5 }],
      ['pairs', '1,a%2Cb', 'delete', { a: 1, b: 'a,b', value: 5 }, null],
      ['pairs', '1,c%2Fd', 'create', null, { a: 1, b: 'c/d', value: 5 }],
    ])
  })

  test('have keys as addresses have them', async () => {
    await sql(`insert into words values ('a,b/c%d')`)
    expect((await send('DELETE', `/items/words/${encodeURIComponent('a,b/c%d')}`)).status).toBe(204)
    expect((await told()).map(({ item }) => item)).toEqual(['a,b/c%d', 'a,b/c%d'])
  })

  test('of tables with odd names are told', async () => {
    await sql(`insert into ${q(ODD)} values (1, 'it''s "x"')`)
    expect(brief(await told())).toEqual([[ODD, '1', 'create', null, { 'the "k\'ey`': 1, [`a 'b" c\\d`]: 'it\'s "x"' }]])
  })

  test('of the service itself are told once, with the user', async () => {
    dataOf(await send('POST', '/items/tags', { id: 20, name: 'x' }))
    dataOf(await send('POST', '/items/tags', [{ id: 21, name: 'y' }, { id: 22 }]))
    dataOf(await send('PATCH', '/items/tags/20', { name: 'z' }))
    dataOf(await send('PATCH', '/items/tags', { keys: [20, 21], data: { color: 'c' } }))
    expect((await send('DELETE', '/items/tags/20')).status).toBe(204)
    const changes = await told()
    const byItem = changes.toSorted((left, right) => left.item.localeCompare(right.item))
    expect(byItem.map(({ item, kind }) => `${item} ${kind}`)).toEqual([
      '20 create',
      '20 update',
      '20 update',
      '20 delete',
      '21 create',
      '21 update',
      '22 create',
    ])
    expect(changes.filter(({ write, user }) => write.startsWith('o') || user === null)).toEqual([])
  })

  test('have the same forms as those of the service', async () => {
    for (const [id, values] of rows[dialect].entries())
      await sql(`insert into forms values (${id}, ${values.join(', ')})`)
    const created = await told()
    for (const [id] of rows[dialect].entries()) expect((await send('DELETE', `/items/forms/${id}`)).status).toBe(204)
    const deleted = (await told()).filter(({ kind }) => kind === 'delete')
    expect(deleted.map(({ write }) => write.startsWith('o'))).toEqual(deleted.map(() => false))
    expect(created.map(({ after }) => after)).toEqual(deleted.map(({ before }) => before))
    expect(created.filter(({ after }) => after !== null)).toHaveLength(rows[dialect].length)
  })

  test('tell what the database does along with a write of the service, unless it fires no triggers for it', async () => {
    await sql(`insert into tags (id) values (35)`)
    await sql(`insert into notes values (1, 'n', 35)`)
    expect((await send('DELETE', '/items/tags/35')).status).toBe(204)
    const lines = (await told()).map(({ collection, kind }) => `${collection} ${kind}`)
    const cascade = dialect === 'mysql' ? [] : ['notes delete']
    expect(lines.toSorted()).toEqual(['notes create', ...cascade, 'tags create', 'tags delete'])
  })

  test('are told without the row where only the service knows the form of a value', async () => {
    await sql(`insert into forms (id) values (90)`)
    await sql(`update forms set ${dialect === 'sqlite' ? `c13 = x'00ff'` : 'c0 = 1'}`)
    const [, change] = await told()
    expect(change).toMatchObject({ item: '90', kind: 'update', before: { id: 90 } })
    expect(change?.after === null).toBe(dialect === 'sqlite')
  })

  test.skipIf(dialect === 'sqlite')('hold no lock that the service needs while they are not committed', async () => {
    await sql('begin')
    await sql('insert into tags (id) values (95)')
    const wait = dialect === 'mysql' ? 'set innodb_lock_wait_timeout = 1' : `set lock_timeout = '1s'`
    const another = await connect(stage.database.url)
    await another.query(wait)
    await another.query(`update ${stage.own('service_event_interest')} set since = since`)
    await another.query(`update ${stage.own('service_event_head')} set position = position`)
    await another.close()
    dataOf(await send('POST', '/items/tags', { id: 96 }))
    await sql('commit')
    expect((await told()).map(({ item }) => item).toSorted()).toEqual(['95', '96'])
  })

  test.runIf(dialect === 'mysql')('have the time of the change, whatever the time zone of the session is', async () => {
    await sql(`insert into tags (id) values (97)`)
    await told()
    const [row] = await stage.database.query(
      `select abs(timestampdiff(second, at, utc_timestamp())) < 60 from service_events where item = '97'`,
    )
    expect(row).toEqual(['1'])
  })

  test('leave out rows that are too large', async () => {
    await sql(`insert into large values (1, '${'x'.repeat(300_000)}')`)
    await sql(`update large set body = 'small'`)
    expect(brief(await told())).toEqual([
      ['large', '1', 'create', null, null],
      ['large', '1', 'update', null, { id: 1, body: 'small' }],
    ])
  })

  test('tell nothing that is secret, and no rows while the triggers are outdated', async () => {
    const secret = { field: 'color', type: 'string', meta: { special: ['conceal'] } }
    const before = await stage.switched('tags')
    dataOf(await send('PATCH', '/fields/tags/color', secret))
    await until(async () => (await stage.switched('tags')) !== before, 10, 'another trigger is expected')
    expect(await stage.unfit()).toEqual([expect.stringMatching(/tags has a trigger for an older form/u)])
    await sql(`insert into tags values (40, 'n', 'hidden')`)
    expect(brief(await told())).toEqual([['tags', '40', 'create', null, null]])
    await stage.install()
    expect(await stage.unfit()).toEqual([])
    await sql(`insert into tags values (41, 'n', 'hidden')`)
    expect(brief((await told()).slice(1))).toEqual([
      ['tags', '41', 'create', null, { id: 41, name: 'n', color: '**********' }],
    ])
  })

  test('pass when the service has removed a column, or the column stays', async () => {
    const { status } = await send('DELETE', '/fields/shrinking/b')
    expect(status).toBe(dialect === 'mysql' ? 422 : 204)
    await sql(`insert into shrinking (id, a) values (1, 2)`)
    const left = { postgres: [['shrinking', '1', 'create', null, null]], sqlite: [] }
    const whole = [['shrinking', '1', 'create', null, { id: 1, a: 2, b: null }]]
    expect(brief(await told())).toEqual(dialect === 'mysql' ? whole : left[dialect])
    await stage.install()
    dataOf(await send('PATCH', '/items/shrinking/1', { a: 3 }))
    expect((await told()).at(-1)).toMatchObject({ item: '1', kind: 'update', after: { id: 1, a: 3 } })
  })

  test('are told as long as the service says so, and the service says how it hears', async () => {
    const { realtime } = dataOf(await stage.service().get('/server/info')) as { realtime: unknown }
    expect(realtime).toEqual({ outside: 'triggers', lag: null, slot: null })
    await stage.restart({ EVENTS_OUTSIDE: 'none' })
    await until(async () => (await stage.switched('tags')) === null, 10, 'triggers are off')
    await sql(`insert into tags (id) values (50)`)
    await stage.restart()
    await until(async () => (await stage.switched('tags')) !== null, 10, 'triggers are on')
    await sql(`insert into tags (id) values (51)`)
    expect((await told()).map(({ item }) => item)).toEqual(['51'])
  })

  test('of tables that nobody listens to are not kept', async () => {
    const listen = async (collection: string, isOn: boolean) => {
      await stage.database.query(`update ${stage.own('service_event_interest')} set collection = '${collection}'`)
      await stage.database.query(`update ${stage.own('service_version')} set version = version + 1`)
      // On MariaDB, the service switches triggers off; elsewhere they look themselves.
      const isReady = async () => dialect !== 'mysql' || ((await stage.switched('tags')) !== 'off') === isOn
      await until(isReady, 10, 'the service knows')
    }
    await listen('ends', false)
    // MariaDB has crashed here, with triggers that make temporary tables.
    const many = Array.from({ length: 500 }, (_, index) => `(${1000 + index}, 'n')`).join(', ')
    await sql(`insert into tags (id, name) values ${many}`)
    await sql(`update tags set name = 'm' where id >= 1000`)
    await sql(`update tags set id = id + 1000 where id >= 1000`)
    await sql(`delete from tags where id >= 1000`)
    expect(await told()).toEqual([])
    await listen('*', true)
    await sql(`insert into tags (id) values (61)`)
    expect((await told()).map(({ item }) => item)).toEqual(['61'])
  })

  test('leave nothing when the triggers are removed', async () => {
    await stage.database.query(await stage.printed('--remove'))
    expect(await stage.database.query(own[dialect])).toEqual([])
    expect((await stage.unfit()).length).toBeGreaterThan(4)
    await stage.install()
    expect(await stage.unfit()).toEqual([])
    await stage.service().stop()
    const outcome = await callCommand(['eject', '--run', '--yes'], {
      environment: { DATABASE_URL: stage.database.url },
    })
    expect(outcome).toMatchObject({ code: 0 })
    expect(await stage.database.query(own[dialect])).toEqual([])
    await sql(`insert into tags (id) values (70)`)
  })
})

test('a database without a log that can be read points to triggers', async () => {
  const database = await createDatabase('sqlite')
  const settings = { DATABASE_URL: database.url, WEBSOCKETS_ENABLED: 'true', EVENTS_OUTSIDE: 'logical' }
  const service = await startService(settings)
  try {
    expect(service.lines()).toContainEqual(
      expect.objectContaining({
        msg: 'writes of other programs are not heard',
        reason: 'this database keeps no log that can be read; EVENTS_OUTSIDE=triggers tells them',
      }),
    )
  } finally {
    await service.stop()
    await database.drop()
  }
})
