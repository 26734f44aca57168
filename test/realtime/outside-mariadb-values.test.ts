import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMariadb, type Mariadb } from '../lib/mariadb.ts'
import { until } from '../lib/service.ts'
import { startWorld, type World } from './outside-world.ts'

const date = (from: string, to: string) =>
  fc
    .date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
    .map((moment) => moment.toISOString().replace('T', ' ').replace('Z', ''))
const moment = date('1000-01-01T00:00:00Z', '9999-12-31T00:00:00Z')
const micros = (each: fc.Arbitrary<string>) =>
  fc
    .tuple(each, fc.integer({ min: 0, max: 999_999 }))
    .map(([text, fraction]) => `${text.slice(0, 19)}.${String(fraction).padStart(6, '0')}`)
const word = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\u0000', ''))
const whole = (bits: number, isUnsigned: boolean) =>
  fc
    .bigInt(
      isUnsigned
        ? { min: 0n, max: 2n ** BigInt(bits) - 1n }
        : { min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n },
    )
    .map(String)
const digits = (before: number, after: number) =>
  fc
    .tuple(
      fc.boolean(),
      fc.bigInt({ min: 0n, max: 10n ** BigInt(before) - 1n }),
      fc.bigInt({ min: 0n, max: 10n ** BigInt(after) - 1n }),
    )
    .map(
      ([isNegative, left, right]) =>
        `${isNegative ? '-' : ''}${left}${after === 0 ? '' : `.${String(right).padStart(after, '0')}`}`,
    )
const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((each) => Buffer.from(each))
const clock = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.integer({ min: 0, max: 838 }),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 999_999 }),
  )
  .map(([sign, hours, rest, fraction]) => `${sign}${hours}:${rest}:58.${String(fraction).padStart(6, '0')}`)
const geometry = (...texts: readonly string[]) => fc.constantFrom(...texts)

/** Types with values as MariaDB takes them. */
const columns: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  tinyint: whole(8, false),
  'tinyint unsigned': whole(8, true),
  'tinyint(1)': fc.constantFrom(0, 1),
  year: fc.oneof(fc.integer({ min: 1901, max: 2155 }), fc.constant(0)),
  smallint: whole(16, false),
  'smallint unsigned': whole(16, true),
  mediumint: whole(24, false),
  'mediumint unsigned': whole(24, true),
  int: whole(32, false),
  'int unsigned': whole(32, true),
  'int(8) zerofill': whole(24, true),
  bigint: whole(64, false),
  'bigint unsigned': whole(64, true),
  float: fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  'decimal(5, 0)': digits(5, 0),
  'decimal(12, 3)': digits(9, 3),
  'decimal(65, 30)': digits(35, 30),
  'decimal(9, 9)': digits(1, 9).map((text) => text.replace(/\d\./u, '0.')),
  'bit(1)': fc.constantFrom(0, 1),
  'bit(10)': fc.integer({ min: 0, max: 1023 }),
  'bit(64)': whole(64, true),
  'char(30)': fc.stringMatching(/^[a-z ü]{0,20}$/u),
  'char(255)': word,
  'varchar(40)': word,
  'varchar(400)': word,
  'varchar(40) character set latin1': fc.stringMatching(/^[a-zäöü€]{0,20}$/u),
  'varchar(40) character set ucs2': fc.stringMatching(/^[a-zäö€]{0,20}$/u),
  'varchar(40) character set utf16': word.filter((text) => text.length < 20),
  'varchar(40) collate utf8mb4_uca1400_ai_ci': word,
  'varchar(400) compressed': fc.stringMatching(/^[a-c]{0,300}$/u),
  'text compressed': fc.stringMatching(/^[a-c]{0,300}$/u),
  tinytext: word,
  text: word,
  mediumtext: word,
  longtext: fc.string({ minLength: 200, maxLength: 900 }).map((text) => text.replaceAll('\u0000', '')),
  json: fc.json(),
  'binary(4)': bytes(4),
  'binary(16)': bytes(16),
  'varbinary(20)': bytes(20),
  'varbinary(300)': bytes(40),
  blob: bytes(40),
  longblob: bytes(40),
  date: fc.oneof(
    moment.map((text) => text.slice(0, 10)),
    fc.constant('0000-00-00'),
  ),
  datetime: fc.oneof(moment, fc.constant('0000-00-00 00:00:00')),
  'datetime(1)': moment,
  'datetime(3)': moment,
  'datetime(6)': micros(moment),
  timestamp: date('1970-01-02T00:00:00Z', '2038-01-01T00:00:00Z'),
  'timestamp(4)': micros(date('1970-01-02T00:00:00Z', '2038-01-01T00:00:00Z')),
  'timestamp(6)': micros(date('1970-01-02T00:00:00Z', '2038-01-01T00:00:00Z')),
  time: clock,
  'time(2)': clock,
  'time(4)': clock,
  'time(6)': clock,
  "enum('a', 'it''s', 'ü')": fc.constantFrom('a', "it's", 'ü'),
  "enum('ä', 'b') character set latin1": fc.constantFrom('ä', 'b'),
  "set('x', 'y', 'ü')": fc.constantFrom('', 'x', 'x,y', 'y,ü'),
  uuid: fc.oneof(
    fc.uuid(),
    fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-1fff-0fff-ffffffff0000'),
  ),
  inet4: fc.ipV4(),
  inet6: fc.oneof(fc.ipV6(), fc.constantFrom('::', '::1', '::1.2.3.4', '::ffff:1.2.3.4', '1:0:0:2:0:0:3:0')),
  point: geometry('point(1 2)', 'point(0 -1.5)'),
  linestring: geometry('linestring(0 0, 1 1.25)'),
  polygon: geometry('polygon((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))'),
  multipoint: geometry('multipoint(1 2, 3 4)'),
  geometry: geometry('multipolygon(((0 0, 4 0, 4 4, 0 0)))', 'geometrycollection(point(1 2), linestring(0 0, 1 1))'),
}
const names = Object.keys(columns)
const spatial = /^(?:point|linestring|polygon|multi|geometry)/u
const places = names.map((type) => (spatial.test(type) ? 'st_geomfromtext(?)' : '?')).join(', ')

const TABLE = `create table everything (id int primary key, n int, double_n int as (n * 2) virtual,
    stored_n int as (n * 3) persistent, ${names.map((type, index) => `c${index} ${type} null`).join(', ')});
  create table named (id uuid primary key, n int); create table hexed (id binary(4) primary key, n int)`

let server: Mariadb
let world: World
beforeAll(async () => {
  server = await startMariadb()
  world = await startWorld(server.url, TABLE)
  await until(() => world.observed.some(({ kind }) => kind === 'outside-began'), 20, 'the reader begins')
})
afterAll(async () => {
  await world?.close()
  await server?.destroy()
})

const parsed = (text: string | null | undefined): unknown => (text == null ? text : JSON.parse(text))

test('values of every type are logged as a read shows them, before and after', async () => {
  const rows = fc.sample(fc.tuple(...Object.values(columns).map((each) => fc.option(each, { freq: 8 }))), 200)
  const list = names.map((_, index) => `c${index}`).join(', ')
  await world.sql(`set session sql_mode = ''`)
  for (const [id, row] of rows.entries())
    await world.sql(`insert into everything (id, n, ${list}) values (?, ?, ${places})`, [id, 0, ...row])
  const shown = ((await world.rows('everything', 'id')) as { readonly id: number }[]).toSorted(
    (one, other) => one.id - other.id,
  )
  await world.sql('update everything set n = 1')
  await world.sql('delete from everything')
  await until(() => world.log.appended.length >= 3 * rows.length, 20, 'all changes')
  const changes = (kind: string) => world.log.appended.filter((change) => change.kind === kind)
  const created = changes('create').map(({ after }) => parsed(after))
  expect(created.length).toBe(shown.length)
  for (const [index, type] of names.entries()) {
    const of = (row: unknown) => (row as Record<string, unknown>)[`c${index}`]
    expect([type, ...created.map(of)]).toEqual([type, ...shown.map(of)])
  }
  expect(created).toEqual(shown)
  const byKey = new Map(changes('update').map((change) => [change.key, change]))
  expect(shown.map((_, id) => parsed(byKey.get(String(id))?.before))).toEqual(shown)
  const changed = shown.map((row) => ({ ...(row as object), n: 1, double_n: 2, stored_n: 3 }))
  expect(shown.map((_, id) => parsed(byKey.get(String(id))?.after))).toEqual(changed)
  expect(new Set(changes('delete').map(({ before }) => before))).toEqual(
    new Set(changes('update').map(({ after }) => after)),
  )
})

test('keys are those of addresses', async () => {
  world.log.appended.splice(0)
  const id = '01234567-89ab-1def-8123-456789ab0000'
  await world.sql(`insert into named values (?, 1); insert into hexed values (x'00ff', 1)`, [id])
  await until(() => world.log.appended.length >= 2, 10, 'two changes')
  const [{ id: shown } = { id: '' }] = (await world.rows('hexed', 'id')) as { readonly id: string }[]
  expect(world.log.appended.map(({ key }) => key)).toEqual([id, shown])
})
