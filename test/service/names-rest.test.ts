import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf, dataOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

const structure = `
  create table people (id integer primary key, name varchar(40));
  create table books (id integer primary key, title varchar(40));
  create table lending (person integer not null references people (id), book integer not null references books (id),
    primary key (person, book));
  create table letters (id integer primary key, writer integer references people (id));
  create table orders (a integer not null, b integer not null, primary key (a, b));
  create table remarks (id integer primary key, a integer, b integer, foreign key (a, b) references orders (a, b));
  insert into people values (1, 'Ada')`

interface Relation {
  readonly collection: string
  readonly field: string
  readonly related_collection: string
  readonly meta: Readonly<Record<string, unknown>> | null
}

describe.each(testDialects)('inferred fields over REST on %s', (dialect) => {
  const token = 'a-token-of-somebody-with-few-rights'
  let policy: string

  const { service } = useWorld({
    dialect,
    tables: structure,
    prepare: async () => {
      policy = (dataOf(await service.send('POST', '/policies', { name: 'few' })) as { id: string }).id
      const user = { email: 'few@example.com', token, status: 'active', policies: [{ policy }] }
      dataOf(await service.send('POST', '/users', user))
    },
  })

  const ask = async (path: string) => dataOf(await service.get(path))
  const relations = async (options = {}) => dataOf(await service.get('/relations', options)) as Relation[]
  const named = (list: readonly Relation[], collection: string) =>
    list
      .filter((relation) => relation.collection === collection)
      .map(({ field, meta }) => [field, meta?.['one_field'] ?? null, meta?.['junction_field'] ?? null])

  test('/relations names them; what is named so is stored nowhere', async () => {
    const relation = (await ask('/relations/letters/writer')) as Relation
    expect(relation).toMatchObject({ related_collection: 'people', meta: { id: null, one_field: 'letters' } })
    expect(relation.meta).toMatchObject({ many_collection: 'letters', many_field: 'writer', one_collection: 'people' })
    const all = await relations()
    expect(named(all, 'lending')).toEqual(
      expect.arrayContaining([
        ['person', 'lending', null],
        ['person', 'books', 'book'],
        ['book', 'lending', null],
        ['book', 'people', 'person'],
      ]),
    )
    expect(named(all, 'remarks')).toEqual([['orders', 'remarks', null]])
    expect(all.filter(({ meta }) => meta?.['id'] === null).every(({ meta }) => meta?.['one_field'] !== null)).toBe(true)
  })

  test.each([
    ['people', 'letters'],
    ['people', 'lending'],
    ['people', 'books'],
    ['books', 'people'],
    ['remarks', 'orders'],
    ['orders', 'remarks'],
  ])('/fields/%s/%s is an alias field that is in no list', async (collection, field) => {
    expect(await ask(`/fields/${collection}/${field}`)).toEqual({ collection, field, type: 'alias', meta: null })
    const listed = (await ask(`/fields/${collection}`)) as { field: string }[]
    expect(listed.map((each) => each.field)).not.toContain(field)
    expect(JSON.stringify(await ask('/fields'))).not.toContain(`"collection":"${collection}","field":"${field}"`)
    expect(Object.keys(((await ask(`/items/${collection}?fields=*`)) as object[])[0] ?? {})).not.toContain(field)
  })

  test('a relation that is stored without a name shows the inferred one', async () => {
    const body = { meta: { sort_field: 'id' } }
    const made = dataOf(await service.send('PATCH', '/relations/letters/writer', body)) as Relation
    expect(made.meta).toMatchObject({ id: expect.any(Number), one_field: 'letters', sort_field: 'id' })
    expect(await ask('/items/people/1?fields=letters')).toEqual({ letters: [] })
  })

  test('a caller is told only what it may follow', async () => {
    const grant = async (collection: string, fields: readonly string[]) => {
      const { id } = dataOf(
        await service.send('POST', '/permissions', { policy, collection, action: 'read', fields }),
      ) as { id: number }
      return id
    }
    const seen = async () => {
      const list = await relations({ token })
      const field = async (path: string) => {
        const answer = await service.get(`/fields/${path}`, { token })
        return answer.status === 200 ? 'alias' : codeOf(answer)
      }
      return {
        relations: list.map(
          ({ collection, field: name, meta }) => `${collection}.${name} ${String(meta?.['one_field'])}`,
        ),
        letters: await field('people/letters'),
        books: await field('people/books'),
      }
    }
    const person = await grant('people', ['*'])
    expect(await seen()).toEqual({ relations: [], letters: 'FORBIDDEN', books: 'FORBIDDEN' })
    // The child collection without its foreign key column.
    const letter = await grant('letters', ['id'])
    expect(await seen()).toEqual({ relations: [], letters: 'FORBIDDEN', books: 'FORBIDDEN' })
    dataOf(await service.send('PATCH', `/permissions/${letter}`, { fields: ['id', 'writer'] }))
    expect(await seen()).toEqual({ relations: ['letters.writer letters'], letters: 'alias', books: 'FORBIDDEN' })
    // The related collection without the junction, then the junction without one of its columns.
    await grant('books', ['*'])
    expect(await seen()).toMatchObject({ books: 'FORBIDDEN' })
    const lending = await grant('lending', ['person'])
    expect(await seen()).toMatchObject({
      relations: expect.arrayContaining(['lending.person lending']),
      books: 'FORBIDDEN',
    })
    expect((await seen()).relations).not.toContain('lending.person books')
    dataOf(await service.send('PATCH', `/permissions/${lending}`, { fields: ['person', 'book'] }))
    expect(await seen()).toMatchObject({ relations: expect.arrayContaining(['lending.person books']), books: 'alias' })
    // The field itself.
    dataOf(await service.send('PATCH', `/permissions/${person}`, { fields: ['id', 'name'] }))
    expect(await seen()).toMatchObject({ letters: 'FORBIDDEN', books: 'FORBIDDEN' })
    const names = (await relations({ token })).flatMap(({ meta }) => meta?.['one_field'] ?? [])
    expect(names).not.toContain('letters')
    expect(names).not.toContain('books')
  })
})
