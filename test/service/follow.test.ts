import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { dataOf, startService, until, type Service } from '../lib/service.ts'

const structure = `
  create type mood as enum ('calm', 'happy');
  create table makers (id integer primary key, name text not null);
  create table goods (id integer primary key, name text, price integer, maker integer, mood mood);
  create table others (id integer primary key, code text unique);
  create view cheap as select id, name from goods where price < 10;
  insert into makers values (1, 'Ada'), (2, 'Bo');
  insert into goods select n, 'good ' || n, n, 1 + n % 2, 'calm' from generate_series(1, 20) n`

const NOTICE_SECONDS = 3

let database: TestDatabase
let service: Service

beforeAll(async () => {
  database = await createDatabase()
  await database.query(structure)
  service = await startService({ DATABASE_URL: database.url })
})

afterAll(async () => {
  await service.stop()
  await database.drop()
})

const statusOf = async (path: string) => (await service.get(path)).status
const readings = () => service.lines().filter(({ msg }) => msg === 'schema loaded').length
const fieldNames = async (collection: string) =>
  (dataOf(await service.get(`/fields/${collection}`)) as { field: string }[]).map(({ field }) => field)

async function enumValues(): Promise<readonly string[] | undefined> {
  const field = dataOf(await service.get('/fields/goods/mood')) as { schema: { enum_values?: string[] } }
  return field.schema.enum_values
}

/** Change to the database, its SQL, and a check that the service has noticed it. */
const changes: readonly (readonly [string, string, () => Promise<boolean>])[] = [
  [
    'a column that is added',
    'alter table goods add column weight integer default 7',
    async () =>
      (await fieldNames('goods')).includes('weight') && (await statusOf('/items/goods?fields=weight')) === 200,
  ],
  [
    'a column that is renamed',
    'alter table goods rename column weight to mass',
    async () => (await fieldNames('goods')).includes('mass') && (await statusOf('/items/goods?fields=weight')) === 403,
  ],
  [
    'a column that changes its type',
    'alter table goods alter column mass type text',
    async () => (dataOf(await service.get('/fields/goods/mass')) as { type: string }).type === 'text',
  ],
  [
    'a column that is dropped',
    'alter table goods drop column mass',
    async () => !(await fieldNames('goods')).includes('mass'),
  ],
  [
    'a foreign key that is added',
    'alter table goods add constraint made foreign key (maker) references makers',
    async () => (await statusOf('/items/makers?fields=goods.name')) === 200,
  ],
  [
    'a foreign key that is dropped',
    'alter table goods drop constraint made',
    async () => (await statusOf('/items/makers?fields=goods.name')) === 403,
  ],
  [
    'a table that is added',
    'create table news (id integer primary key)',
    async () => (await statusOf('/items/news')) === 200,
  ],
  ['a table that is renamed', 'alter table news rename to olds', async () => (await statusOf('/items/olds')) === 200],
  ['a table that is dropped', 'drop table olds', async () => (await statusOf('/items/olds')) === 403],
  [
    'a value that is added to an enum',
    `alter type mood add value 'grumpy'`,
    async () => (await enumValues())?.includes('grumpy') === true,
  ],
  [
    'a view that is replaced',
    'create or replace view cheap as select id, name, price from goods where price < 10',
    async () => (await fieldNames('cheap')).includes('price'),
  ],
  [
    'a comment',
    `comment on column goods.name is 'what it is called'`,
    async () =>
      (dataOf(await service.get('/fields/goods/name')) as { schema: { comment: string } }).schema.comment ===
      'what it is called',
  ],
  [
    'a schema with a table',
    'create schema more; create table more.things (id integer primary key)',
    async () => (await statusOf('/items/more.things')) === 200,
  ],
]

describe('what others do to the database is noticed within three seconds', () => {
  test.each(changes)('%s', async (_, statement, isNoticed) => {
    await database.query(statement)
    expect(await until(isNoticed, NOTICE_SECONDS, statement)).toBeLessThan(NOTICE_SECONDS * 1000)
  })
})

/** Requests that use everything the changes below remove. */
const requests = [
  '/items/goods?limit=5',
  '/items/goods/3',
  '/items/goods?fields=id,extra&limit=5',
  '/items/goods?filter[extra][_eq]=5&sort=-extra',
  '/items/goods?fields=id,price&filter[price][_gt]=3&sort=price',
  '/items/goods?filter[name][_contains]=good&search=good',
  '/items/goods?aggregate[sum]=price&groupBy=maker',
  '/items/goods?fields=name,maker.name&limit=5',
  '/items/makers?fields=name,goods.name,goods.mood&deep[goods][_sort]=-price&deep[goods][_limit]=2',
  '/items/goods?filter[mood][_eq]=calm&limit=3',
  '/items/goods?filter[maker][name][_eq]=Ada&limit=3',
  '/items/cheap?sort=name',
  '/items/others?sort=code',
  '/items/goods?export=csv&limit=5',
  '/fields/goods',
  '/relations',
]

const back = 'drop table if exists others; create table others (id integer primary key, code text unique)'

/** Thirty successive changes. Each removes something in use or restores it in a different form. */
const disturbances = [
  'alter table goods add column extra integer',
  'alter table goods add constraint made foreign key (maker) references makers',
  'alter table goods alter column extra type text using extra::text',
  'drop view cheap',
  'alter table goods alter column price type text using price::text',
  'create view cheap as select id, name from goods',
  'alter table goods drop column extra',
  'alter table goods drop constraint made',
  'alter table goods alter column price type integer using price::integer',
  'drop table others',
  'create table others (id text primary key, code integer)',
  'alter table goods rename to wares',
  'alter table wares rename to goods',
  'alter table goods rename column price to cost',
  'alter table goods rename column cost to price',
  'alter table goods alter column mood type text using mood::text',
  'drop type mood',
  `create type mood as enum ('happy', 'calm'); alter table goods alter column mood type mood using 'calm'::mood`,
  'alter table goods drop constraint goods_pkey',
  'alter table goods add primary key (id)',
  'drop view cheap; create view cheap as select name, maker from goods',
  'drop view cheap; create view cheap as select id, name, price from goods',
  'alter table makers rename column name to called',
  'alter table makers rename column called to name',
  'drop view cheap; alter table goods alter column id type bigint',
  'alter table goods alter column id type integer',
  'alter table goods drop column name cascade',
  `alter table goods add column name text default 'good'`,
  'create view cheap as select id, name from goods',
  back,
]

describe('requests under way during changes', () => {
  test('are answered or refused, never with a failure: 30 changes under load', async () => {
    expect(disturbances).toHaveLength(30)
    const over = new AbortController()
    const failures: unknown[] = []
    const seen = new Map<number, number>()
    const ask = async (offset: number) => {
      for (let turn = offset; !over.signal.aborted; turn += 1) {
        const path = requests[turn % requests.length] ?? ''
        const { status, text } = await service.get(path)
        seen.set(status, (seen.get(status) ?? 0) + 1)
        if (![200, 400, 403].includes(status)) failures.push({ path, status, text })
      }
    }
    const loops = [0, 4, 8, 12].map(ask)
    for (const statement of disturbances) {
      await database.query(statement)
      await sleep(150)
    }
    over.abort()
    await Promise.all(loops)
    expect(failures).toEqual([])
    expect(seen.get(200)).toBeGreaterThan(100)
  })

  test('the structure is right afterwards', async () => {
    await until(async () => (await statusOf('/items/others?sort=code')) === 200, NOTICE_SECONDS, 'others')
    expect((await fieldNames('goods')).sort()).toEqual(['id', 'maker', 'mood', 'name', 'price'])
    expect(dataOf(await service.get('/items/goods/3?fields=price,mood'))).toEqual({ price: 3, mood: 'calm' })
  })

  test('a dropped column is refused at the next request, without waiting for the next look', async () => {
    await database.query('alter table goods add column brief integer')
    await until(async () => (await statusOf('/items/goods?fields=brief')) === 200, NOTICE_SECONDS, 'brief')
    await database.query('alter table goods drop column brief')
    expect(await statusOf('/items/goods?fields=brief')).toBe(403)
    expect(await statusOf('/items/goods')).toBe(200)
  })
})

describe('what changes no structure', () => {
  beforeEach(async () => {
    await sleep(1200)
  })

  test('TRUNCATE, ANALYZE, VACUUM, rows and partitions cause no reading', async () => {
    const before = readings()
    await database.query('truncate others')
    await database.query('analyze goods')
    await database.query('vacuum goods')
    await database.query(`insert into others select n, n::text from generate_series(1, 100) n`)
    await database.query('create temporary table passing (id integer)')
    await sleep(2500)
    expect(readings()).toBe(before)
  })

  test('and no failure was logged in all of this', () => {
    expect(service.lines().flatMap(({ level, error, msg }) => (level >= 50 ? [{ msg, error }] : []))).toEqual([])
  })
})
