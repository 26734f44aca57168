import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { dataOf, openService, type Service } from '../lib/service.ts'

const AT = '2024-01-02T03:04:05.500Z'
const WHOLE = '2024-01-02T03:04:05.000Z'

interface World {
  readonly database: TestDatabase
  readonly service: Service
}

const column = (rows: unknown, name: string) => (rows as Readonly<Record<string, unknown>>[]).map((row) => row[name])

async function worldOf(statements: string): Promise<World> {
  const database = await createDatabase('sqlite')
  for (const statement of statements.split(';')) await database.query(statement)
  return { database, service: await openService({ DATABASE_URL: database.url }) }
}

const endOf = async ({ database, service }: World) => {
  await service.stop()
  await database.drop()
}

describe.runIf(testDialects.includes('sqlite'))('times that are numbers on SQLite', () => {
  let world: World

  beforeAll(async () => {
    world = await worldOf(`create table times (id integer primary key, a timestamp, b datetime);
      insert into times values (1, 1700000000, 1700000000), (2, 1700000000.25, null), (3, 1700000000123, null),
        (4, 1700000000123456, 1700000000123456), (5, '2023-11-14 22:13:20', null), (6, 1700000000123456789, -99999999999), (7, null, null)`)
  })

  afterAll(() => endOf(world))

  const stored = (id: number) =>
    world.database.query(`select cast(a as text), typeof(a), cast(b as text), typeof(b) from times where id = ${id}`)
  const write = async (id: number, data: object) =>
    dataOf(await world.service.send('PATCH', `/items/times/${id}`, data)) as { a: unknown; b: unknown }

  test('the size tells the unit, and numbers of no time are shown as they are stored', async () => {
    const rows = dataOf(await world.service.get('/items/times?sort=id'))
    expect(column(rows, 'a')).toEqual([
      '2023-11-14T22:13:20.000Z',
      '2023-11-14T22:13:20.250Z',
      '2023-11-14T22:13:20.123Z',
      '2023-11-14T22:13:20.123456Z',
      '2023-11-14T22:13:20.000Z',
      '1700000000123456789',
      null,
    ])
    expect(column(rows, 'b').slice(3, 6)).toEqual(['2023-11-14T22:13:20.123456', null, '-99999999999'])
  })

  test('an update without a change keeps the value', async () => {
    for (const row of dataOf(await world.service.get('/items/times?filter[id][_lt]=6')) as { id: number }[]) {
      const before = await stored(row.id)
      await write(row.id, row)
      expect(await stored(row.id)).toEqual(before)
    }
  })

  test('an update keeps the form of the value', async () => {
    expect(await write(1, { a: WHOLE, b: '2024-01-02T03:04:05' })).toMatchObject({ a: WHOLE, b: '2024-01-02T03:04:05' })
    expect(await stored(1)).toEqual([['1704164645', 'integer', '1704164645', 'integer']])
    expect(await write(1, { a: AT })).toMatchObject({ a: AT })
    expect((await stored(1))[0]?.slice(0, 2)).toEqual(['1704164645.5', 'real'])
    for (const [id, number] of [
      [3, '1704164645500'],
      [4, '1704164645500000'],
    ] as const) {
      expect(await write(id, { a: AT })).toMatchObject({ a: AT })
      expect((await stored(id))[0]?.slice(0, 2)).toEqual([number, 'integer'])
    }
    expect(await write(5, { a: AT })).toMatchObject({ a: AT })
    expect((await stored(5))[0]?.[1]).toBe('text')
    expect(await write(3, { a: null })).toMatchObject({ a: null })
  })

  test('NULL, new rows and times that the unit cannot tell get text', async () => {
    expect(await write(7, { a: AT })).toMatchObject({ a: AT })
    expect((await stored(7))[0]?.[1]).toBe('text')
    const made = dataOf(await world.service.send('POST', '/items/times', { id: 8, a: AT }))
    expect(made).toMatchObject({ a: AT })
    expect((await stored(8))[0]?.[1]).toBe('text')
    // In milliseconds it would be read as seconds.
    await world.database.query('insert into times (id, a) values (9, 1700000000123)')
    expect(await write(9, { a: '1970-01-02T00:00:00Z' })).toMatchObject({ a: '1970-01-02T00:00:00.000Z' })
  })
})

describe.runIf(testDialects.includes('sqlite'))('a store of Core Data', () => {
  let world: World

  beforeAll(async () => {
    world = await worldOf(`create table Z_PRIMARYKEY (Z_ENT integer primary key, Z_NAME varchar);
      create table Z_METADATA (Z_VERSION integer primary key, Z_UUID varchar(255));
      create table ZNOTE (Z_PK integer primary key, ZCREATED timestamp, ZTITLE varchar, ZOTHER integer references ZNOTE);
      insert into ZNOTE values (1, 726926400.5, 'first', 2), (2, 726926400, 'second', null), (3, null, 'third', null), (4, -86400, 'before', null)`)
  })

  afterAll(() => endOf(world))

  const read = async (query: string) => dataOf(await world.service.get(`/items/ZNOTE?${query}`))

  test('counts from 2001', async () => {
    expect(column(await read('sort=Z_PK'), 'ZCREATED')).toEqual([
      '2024-01-14T12:00:00.500Z',
      '2024-01-14T12:00:00.000Z',
      null,
      '2000-12-31T00:00:00.000Z',
    ])
    expect(await read('fields=ZOTHER.ZCREATED&limit=1&sort=Z_PK')).toEqual([
      { ZOTHER: { ZCREATED: '2024-01-14T12:00:00.000Z' } },
    ])
    expect(column(await read('sort=ZCREATED'), 'Z_PK')).toEqual([4, 2, 1, 3])
    expect(column(await read('filter[ZCREATED][_eq]=2024-01-14T12:00:00Z'), 'Z_PK')).toEqual([2])
    expect(column(await read('filter[year(ZCREATED)][_eq]=2000'), 'Z_PK')).toEqual([4])
    expect(await read('aggregate[min]=ZCREATED&aggregate[max]=ZCREATED')).toEqual([
      { min: { ZCREATED: '2000-12-31T00:00:00.000Z' }, max: { ZCREATED: '2024-01-14T12:00:00.500Z' } },
    ])
    expect(await read('groupBy=ZCREATED&sort=-ZCREATED&filter[ZCREATED][_nnull]=true')).toMatchObject([
      { ZCREATED: '2024-01-14T12:00:00.500Z' },
      { ZCREATED: '2024-01-14T12:00:00.000Z' },
      { ZCREATED: '2000-12-31T00:00:00.000Z' },
    ])
  })

  test('a cursor continues', async () => {
    const page = async (cursor: string) =>
      (await world.service.get(`/items/ZNOTE?sort=ZCREATED&fields=Z_PK&limit=2&meta=cursor${cursor}`)).body as {
        data: unknown
        meta: { next_cursor: string }
      }
    const first = await page('')
    const second = await page(`&cursor=${encodeURIComponent(first.meta.next_cursor)}`)
    expect([...column(first.data, 'Z_PK'), ...column(second.data, 'Z_PK')]).toEqual([4, 2, 1, 3])
  })

  test('is written in seconds since 2001, with a fraction if there is one', async () => {
    const { database, service } = world
    const stored = (id: number) =>
      database.query(`select cast(ZCREATED as text), typeof(ZCREATED) from ZNOTE where Z_PK = ${id}`)
    for (const id of [1, 2, 3]) {
      const row = dataOf(await service.send('PATCH', `/items/ZNOTE/${id}`, { ZCREATED: WHOLE }))
      expect(row).toMatchObject({ ZCREATED: WHOLE })
      expect(await stored(id)).toEqual([['725857445', 'integer']])
    }
    expect(dataOf(await service.send('PATCH', '/items/ZNOTE/1', { ZCREATED: AT }))).toMatchObject({ ZCREATED: AT })
    expect(await stored(1)).toEqual([['725857445.5', 'real']])
    const made = dataOf(await service.send('POST', '/items/ZNOTE', { Z_PK: 9, ZTITLE: 'new', ZCREATED: AT }))
    expect(made).toMatchObject({ ZCREATED: AT })
    expect(await stored(9)).toEqual([['725857445.5', 'real']])
    const nested = { ZTITLE: 'outer', ZOTHER: { ZTITLE: 'inner', ZCREATED: WHOLE } }
    expect(dataOf(await service.send('POST', '/items/ZNOTE?fields=ZOTHER.ZCREATED', nested))).toEqual({
      ZOTHER: { ZCREATED: WHOLE },
    })
    const [revision] = dataOf(
      await service.get('/revisions?filter[item][_eq]=9&filter[collection][_eq]=ZNOTE'),
    ) as object[]
    expect(revision).toMatchObject({ data: { ZCREATED: AT } })
  })

  test('a row that is sent back as it was read does not change', async () => {
    const all = 'select Z_PK, cast(ZCREATED as text) from ZNOTE order by Z_PK'
    const before = await world.database.query(all)
    for (const row of (await read('sort=Z_PK')) as { Z_PK: number }[])
      expect((await world.service.send('PATCH', `/items/ZNOTE/${row.Z_PK}`, row)).status).toBe(200)
    expect(await world.database.query(all)).toEqual(before)
  })
})
