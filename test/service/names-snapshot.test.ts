import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callCommand } from '../lib/command.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, until, type Service } from '../lib/service.ts'

const SECONDS = 20

const sides = `
  create table people (id integer primary key, name varchar(40));
  create table books (id integer primary key, title varchar(40));
  insert into people values (1, 'Ada'); insert into books values (1, 'Logic'), (2, 'Music')`

const junction = (name: string, book: number) => `
  create table ${name} (person integer not null references people (id), book integer not null references books (id),
    primary key (person, book)); insert into ${name} values (1, ${book})`

interface Names {
  readonly names?: readonly { kind: string; collection: string; name: string; relation: string }[]
}

interface Place {
  readonly database: TestDatabase
  readonly service: Service
}

describe.each(testDialects)('names in snapshots on %s', (dialect) => {
  let here: Place
  let there: Place
  let empty: Place

  const place = async (statements: readonly string[], more: Record<string, string> = {}): Promise<Place> => {
    const database = await createDatabase(dialect)
    for (const statement of statements) await database.query(statement)
    const settings = { DATABASE_URL: database.url, SCHEMA_POLL_INTERVAL: '50', ...more }
    return { database, service: await openService(settings) }
  }

  const add = async ({ database, service }: Place, name: string, book: number) => {
    await database.query(junction(name, book))
    await until(async () => (await service.get(`/items/${name}`)).status === 200, SECONDS, `${name} is served`)
  }

  beforeAll(async () => {
    ;[here, there, empty] = await Promise.all([
      place([sides, junction('lending', 1)]),
      place([sides, junction('buying', 2)]),
      // Slow enough that the service sees and names the tables while they are being created.
      place([], { TAIN_FAILPOINTS: 'schema.after-put:delay:40' }),
    ])
    await add(here, 'buying', 2)
    await add(there, 'lending', 1)
  })

  afterAll(async () => {
    for (const { service, database } of [here, there, empty]) {
      await service.stop()
      await database.drop()
    }
  })

  const snapshot = async ({ service }: Place, query = '') =>
    dataOf(await service.get(`/schema/snapshot${query}`)) as Names & Record<string, unknown>
  const booksOf = async ({ service }: Place, field: string) => {
    const answer = await service.get(`/items/people/1?fields=${field}.title`)
    return answer.status === 200 ? dataOf(answer) : codeOf(answer)
  }

  test('a snapshot carries the names, and the diff shows where they differ', async () => {
    const file = await snapshot(here)
    expect(file.names).toContainEqual(expect.objectContaining({ collection: 'people', name: 'books' }))
    expect(file.names).toContainEqual(expect.objectContaining({ kind: 'type', collection: 'people', name: 'people' }))
    expect((await here.service.send('POST', '/schema/diff?mode=mirror', file)).status).toBe(204)
    const { diff } = dataOf(await there.service.send('POST', '/schema/diff', file)) as {
      diff: Record<string, unknown[]>
    }
    expect(Object.entries(diff).flatMap(([section, list]) => (list.length > 0 ? [section] : []))).toEqual(['names'])
    expect(diff['names']).toContainEqual(
      expect.objectContaining({
        collection: 'people',
        diff: [{ kind: 'E', path: ['name'], lhs: 'books_via_lending', rhs: 'books' }],
      }),
    )
  })

  test('a snapshot without names is taken as before, and one of some collections has their names alone', async () => {
    const { names, ...older } = await snapshot(here)
    expect(names).toBeDefined()
    expect((await there.service.send('POST', '/schema/diff', older)).status).toBe(204)
    const some = await snapshot(here, '?includeCollections=books')
    expect(new Set(some.names?.map(({ collection }) => collection))).toEqual(new Set(['books']))
  })

  test('names that cannot be are refused', async () => {
    const file = await snapshot(here)
    const [first] = file.names ?? []
    const post = async (names: unknown) => codeOf(await there.service.send('POST', '/schema/diff', { ...file, names }))
    expect(await post([first, { ...first, relation: 'another' }])).toBe('INVALID_PAYLOAD')
    expect(await post([{ ...first, kind: 'verb' }])).toBe('INVALID_PAYLOAD')
    expect(await post([{ ...first, kind: 'type', relation: '', name: 'no name' }])).toBe('INVALID_PAYLOAD')
  })

  test('applying gives the names of the file, also to what is made by it', async () => {
    const file = await snapshot(here)
    for (const target of [there, empty]) {
      const change = dataOf(await target.service.send('POST', '/schema/diff', file))
      expect((await target.service.send('POST', '/schema/apply', change)).status).toBe(204)
      expect((await snapshot(target)).names).toEqual(file.names)
      expect((await target.service.send('POST', '/schema/diff?mode=mirror', file)).status).toBe(204)
    }
    expect(await booksOf(there, 'books')).toEqual({ books: [{ title: 'Logic' }] })
    expect(await booksOf(there, 'books_via_buying')).toEqual({ books_via_buying: [{ title: 'Music' }] })
    expect(await booksOf(there, 'books_via_lending')).toBe('FORBIDDEN')
  })

  test('the name of the file wins over one that is in use here', async () => {
    const file = await snapshot(here)
    const names = file.names?.map((name) => (name.name === 'books' ? { ...name, name: 'books_via_aaa_reading' } : name))
    const change = dataOf(await there.service.send('POST', '/schema/diff', { ...file, names }))
    await add(there, 'aaa_reading', 2)
    expect(await booksOf(there, 'books_via_aaa_reading')).toEqual({ books_via_aaa_reading: [{ title: 'Music' }] })
    expect(codeOf(await there.service.send('POST', '/schema/apply', change))).toBe('INVALID_PAYLOAD')
    const again = dataOf(await there.service.send('POST', '/schema/diff', { ...file, names }))
    expect((await there.service.send('POST', '/schema/apply', again)).status).toBe(204)
    expect(await booksOf(there, 'books_via_aaa_reading')).toEqual({ books_via_aaa_reading: [{ title: 'Logic' }] })
    expect(await booksOf(there, 'books')).toEqual({ books: [{ title: 'Music' }] })
  })

  test('tain schema names prune gives up the names of what no longer exists', async () => {
    await here.database.query('drop table lending')
    const isGone = async () => (await here.service.get('/items/lending')).status === 403
    await until(isGone, SECONDS, 'the table is gone')
    const listed = await tain(here, 'names', 'prune', '--dry-run')
    expect(listed.code).toBe(0)
    expect(listed.out).toContain('field people.books ["through","lending"')
    expect(listed.out).toContain('type lending of lending')
    expect(listed.out).not.toContain('buying')
    expect((await tain(here, 'names', 'prune', '--dry-run')).out).toBe(listed.out)
    expect(await tain(here, 'names', 'prune')).toMatchObject({ code: 0, out: listed.out })
    expect(await tain(here, 'names', 'prune')).toMatchObject({ code: 0, out: '' })
    await add(here, 'gifts', 1)
    expect(await booksOf(here, 'books')).toEqual({ books: [{ title: 'Logic' }] })
    expect(await booksOf(here, 'books_via_buying')).toEqual({ books_via_buying: [{ title: 'Music' }] })
    expect((await tain(here, 'names')).code).toBe(2)
  })
})

const tain = ({ database }: Place, ...args: readonly string[]) =>
  callCommand(['schema', ...args], { environment: { DATABASE_URL: database.url } })
