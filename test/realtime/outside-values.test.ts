import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCluster, type Cluster } from '../lib/postgres-cluster.ts'
import { until } from '../lib/service.ts'
import { startWorld, type World } from './outside-world.ts'

const moment = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const word = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\u0000', ''))
const list = (each: fc.Arbitrary<unknown>) => fc.array(fc.option(each), { maxLength: 4 })
const json = fc.json().map((text) => text.replaceAll(String.raw`\u0000`, ''))

/** Types with values as PostgreSQL takes them. */
const columns: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  smallint: fc.integer({ min: -32_768, max: 32_767 }),
  int: fc.integer(),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  real: fc.oneof(fc.float({ noNaN: true }).map(String), fc.constantFrom('NaN', 'Infinity', '-Infinity')),
  'double precision': fc.oneof(fc.double({ noNaN: true }).map(String), fc.constantFrom('NaN', '-Infinity')),
  numeric: fc.oneof(
    fc.bigInt().map((number) => `${number}.50`),
    fc.constant('NaN'),
  ),
  'numeric(12, 3)': fc.integer({ min: -999_999, max: 999_999 }).map((number) => `${number}.125`),
  boolean: fc.boolean(),
  text: word,
  'varchar(40)': word,
  'char(30)': fc.stringMatching(/^[a-z]{0,20}$/u),
  date: fc.oneof(
    moment.map((text) => text.slice(0, 10)),
    fc.constantFrom('infinity', '0044-03-15 BC'),
  ),
  time: moment.map((text) => text.slice(11, 23)),
  'time with time zone': moment.map((text) => `${text.slice(11, 19)}+02`),
  timestamp: fc.oneof(moment, fc.constantFrom('-infinity', '2024-01-01 00:00:00.123456')),
  timestamptz: fc.oneof(moment, fc.constantFrom('infinity', '2024-06-01 00:00:00.1+05:30', '0044-03-15 00:00 BC')),
  interval: fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -9999, max: 9999 }))
    .map(([months, seconds]) => `${months} months ${seconds}.25 seconds`),
  uuid: fc.uuid(),
  json,
  jsonb: json,
  bytea: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  inet: fc.ipV4(),
  mood: fc.constantFrom('sad', 'it is ok'),
  positive: fc.integer({ min: 1, max: 1000 }),
  'int[]': list(fc.integer()),
  'text[]': list(word),
  'numeric[]': list(fc.constantFrom('1.50', '-3')),
  'timestamptz[]': list(moment),
  'bytea[]': fc.constantFrom(String.raw`{"\\x00ff"}`, '{}'),
  point: fc.constantFrom('(1,2)', '(0,-1.5)'),
  int4range: fc.constantFrom('[1,5)', 'empty', '(,3]'),
  tsvector: fc.constantFrom('a b', "'x':1"),
  whole: fc.constantFrom('(1,"a b")', '(2,c)'),
}
const names = Object.keys(columns)

const TABLE = `create type mood as enum ('sad', 'it is ok'); create domain positive as int check (value > 0);
  create type whole as (a int, b text);
  create table everything (id int primary key, n int, ${names.map((type, index) => `c${index} ${type}`).join(', ')});
  alter table everything replica identity full`

let cluster: Cluster
let world: World
beforeAll(async () => {
  cluster = await startCluster({ wal_level: 'logical', max_slot_wal_keep_size: '1GB' })
  world = await startWorld(cluster.url, TABLE)
  await until(() => world.observed.some(({ kind }) => kind === 'outside-began'), 20, 'the reader begins')
})
afterAll(async () => {
  await world?.close()
  await cluster?.destroy()
})

const parsed = (text: string | null | undefined): unknown => (text == null ? text : JSON.parse(text))

test('values of every type are logged as a read shows them, before and after', async () => {
  const rows = fc.sample(fc.tuple(...Object.values(columns).map((each) => fc.option(each, { freq: 8 }))), 200)
  for (const [id, row] of rows.entries()) {
    const places = row.map((_, index) => `$${index + 3}`).join(', ')
    await world.sql(`insert into everything values ($1, $2, ${places})`, [id, 0, ...row])
  }
  const shown = await world.rows('everything', 'id')
  await world.sql('update everything set n = 1')
  await world.sql('delete from everything')
  await until(() => world.log.appended.length >= 3 * rows.length, 20, 'all changes')
  const changes = (kind: string) => world.log.appended.filter((change) => change.kind === kind)
  expect(changes('create').map(({ after }) => parsed(after))).toEqual(shown)
  const byKey = new Map(changes('update').map((change) => [change.key, change]))
  expect(shown.map((_, id) => parsed(byKey.get(String(id))?.before))).toEqual(shown)
  const changed = shown.map((row) => ({ ...(row as object), n: 1 }))
  expect(shown.map((_, id) => parsed(byKey.get(String(id))?.after))).toEqual(changed)
  expect(new Set(changes('delete').map(({ before }) => before))).toEqual(
    new Set(changes('update').map(({ after }) => after)),
  )
})
