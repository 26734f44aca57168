import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase, type TestDialect } from '../lib/databases.ts'
import { dataOf, openService, until, type Service } from '../lib/service.ts'

const SECONDS = 20

const structure = `
  create table people (id integer primary key, name varchar(40));
  create table books (id integer primary key, title varchar(40));
  create table lending (person integer not null references people (id), book integer not null references books (id),
    primary key (person, book));
  create table friends (person integer not null references people (id), friend integer not null references people (id),
    primary key (person, friend));
  create table letters (id integer primary key, title varchar(40), writer integer references people (id));
  create table orders (a integer not null, b integer not null, primary key (a, b));
  create table remarks (id integer primary key, a integer, b integer, c integer,
    constraint remarks_m foreign key (a, b) references orders (a, b));
  create table aaa_note (id integer primary key, title varchar(40), person integer references people (id));
  insert into people values (1, 'Ada'), (2, 'Ben');
  insert into books values (1, 'Logic'), (2, 'Music');
  insert into lending values (1, 1); insert into friends values (1, 2);
  insert into letters values (1, 'Dear Ben', 1);
  insert into orders values (1, 1), (1, 2); insert into remarks values (1, 1, 1, 2);
  insert into aaa_note values (1, 'ours', 1)`

/** Tables that are unrelated to the others except for a foreign key. They sort before the existing tables. */
const unrelated: Readonly<Record<TestDialect, string>> = {
  postgres: `create schema aaa;
    create table aaa.note (id integer primary key, title varchar(40), person integer references people);
    insert into aaa.note values (1, 'theirs', 1)`,
  mysql: `create table \`aaa.note\` (id integer primary key, title varchar(40), person integer references people (id));
    insert into \`aaa.note\` values (1, 'theirs', 1)`,
  sqlite: `create table "aaa.note" (id integer primary key, title varchar(40), person integer references people (id));
    insert into "aaa.note" values (1, 'theirs', 1)`,
}

const newcomers = `
  create table aaa_favourites (person integer not null references people (id), book integer not null references books (id),
    primary key (person, book));
  insert into aaa_favourites values (1, 2);
  create table aaa_letters_keys (id integer primary key, person integer references people (id));
  insert into aaa_letters_keys values (1, 1);
  create table letters_filter (id integer primary key);
  create table letters_by_id (id integer primary key)`

/** Adds columns with foreign keys to tables that already have one. */
const further: Readonly<Record<TestDialect, string>> = {
  postgres: `alter table letters add reader integer references people; update letters set reader = 2;
    alter table remarks add constraint remarks_a foreign key (a, c) references orders`,
  mysql: `alter table letters add reader integer, add constraint foreign key (reader) references people (id);
    update letters set reader = 2;
    alter table remarks add constraint remarks_a foreign key (a, c) references orders (a, b)`,
  sqlite: `alter table letters add reader integer references people (id); update letters set reader = 2`,
}

/** Inferred fields, each with a payload for a write through it. */
const inferred: readonly (readonly [
  collection: string,
  key: string,
  field: string,
  column: string,
  payload: unknown,
])[] = [
  ['people', '1', 'books', 'title', [{ id: 1, title: 'new' }]],
  ['people', '1', 'lending', 'book', [{ book: 2 }]],
  ['people', '1', 'friends_friend', 'name', [1]],
  ['people', '2', 'friends_person', 'name', [2]],
  ['people', '1', 'friends_by_person', 'friend', []],
  ['people', '1', 'letters', 'title', [{ id: 1, title: 'new' }]],
  ['people', '1', 'aaa_note', 'title', [{ id: 1, title: 'new' }]],
  ['books', '1', 'people', 'name', [2]],
  ['remarks', '1', 'orders', 'b', { a: 1, b: 2 }],
  ['orders', '1,1', 'remarks', 'c', [{ id: 1, c: 1 }]],
]

interface Crawl {
  readonly answers: Record<string, readonly [status: number, body: unknown]>
  /** Type of each field, keyed by GraphQL type name and field name. */
  readonly types: Record<string, unknown>
}

/** Every response that an inferred field can give: REST and GraphQL, reads, filters and rolled-back writes. */
async function crawl(service: Service): Promise<Crawl> {
  const answers: Crawl['answers'] = {}
  const types: Crawl['types'] = {}
  const say = async (path: string, method = 'GET', body?: unknown) => {
    const answer = await service.send(method, path, body, { headers: { prefer: 'tx=rollback' } })
    answers[`${method} ${path} ${JSON.stringify(body)}`] = [answer.status, withoutReader(answer.body)]
  }
  for (const [collection, key, field, column, payload] of inferred) {
    await say(`/items/${collection}?fields=${field}.*`)
    await say(`/items/${collection}?fields=${field}&filter[${field}][${column}][_nnull]=true`)
    await say(`/items/${collection}/${key}?fields=${field}.*`, 'PATCH', { [field]: payload })
    await say('/graphql', 'POST', { query: `{ ${collection} { ${field} { __typename ${leaf(column)} } } }` })
  }
  await say('/graphql', 'POST', { query: '{ __type(name: "letters_filter") { kind } }' })
  await say('/graphql', 'POST', { query: '{ letters_by_id(id: 1) { title } }' })
  for (const name of ['Query', 'Mutation', 'people', 'letters', 'update_people_input', 'people_filter']) {
    const type = '{ kind name ofType { name ofType { name ofType { name } } } }'
    const query = `{ type: __type(name: "${name}") { fields { name type ${type} } inputFields { name type ${type} } } }`
    const { body } = await service.send('POST', '/graphql', { query })
    const { type: found } = (body as { data: { type: Record<string, { name: string; type: unknown }[] | null> } }).data
    const { fields, inputFields } = found
    for (const field of fields ?? inputFields ?? []) types[`${name}.${field.name}`] = field.type
  }
  return { answers, types }
}

/** A column that is added later appears in `*`, so it is left out of the comparison. */
const withoutReader = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'reader' ? undefined : value)))

/** Relation columns are objects in GraphQL and need a selection, so they are left out. */
const leaf = (column: string) => (['book', 'friend'].includes(column) ? '' : column)

const isServed = (service: Service, collection: string) =>
  until(async () => (await service.get(`/items/${collection}`)).status === 200, SECONDS, `${collection} is served`)

describe.each(testDialects)('names on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  const start = (more = {}) => openService({ DATABASE_URL: database.url, SCHEMA_POLL_INTERVAL: '50', ...more })

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await database.query(structure)
    service = await start()
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  const read = async (path: string, on = service) => dataOf(await on.get(path))
  const statusOf = async (path: string) => (await service.get(path)).status

  test('an unrelated junction, table and schema change no answer', async () => {
    const before = await crawl(service)
    expect(Object.entries(before.answers).filter(([, [status]]) => status !== 200)).toEqual([])
    expect(Object.entries(before.answers).filter(([, [, body]]) => JSON.stringify(body).includes('"errors"'))).toEqual(
      [],
    )
    await database.query(newcomers)
    await database.query(unrelated[dialect])
    await database.query(further[dialect])
    await isServed(service, 'aaa.note')
    await until(async () => (await statusOf('/items/letters?fields=reader')) === 200, SECONDS, 'the column')
    const after = await crawl(service)
    expect(after.answers).toEqual(before.answers)
    expect(after.types).toMatchObject(before.types)
  })

  test('newcomers have qualified names, in REST and in GraphQL', async () => {
    const fields = 'books_via_aaa_favourites.title,letters_by_reader.id,aaa_note_by_person.title,aaa_letters_keys.id'
    expect(await read(`/items/people/1?fields=${fields}`)).toEqual({
      books_via_aaa_favourites: [{ title: 'Music' }],
      letters_by_reader: [],
      aaa_note_by_person: [{ title: 'theirs' }],
      aaa_letters_keys: [{ id: 1 }],
    })
    const query = `{ people_by_id(id: 1) { books { title } books_via_aaa_favourites { title }
      aaa_note { __typename title } aaa_note_by_person { __typename title } } letters_filter2 { id } letters_by_id2 { id } }`
    expect((await service.send('POST', '/graphql', { query })).body).toEqual({
      data: {
        people_by_id: {
          books: [{ title: 'Logic' }],
          books_via_aaa_favourites: [{ title: 'Music' }],
          aaa_note: [{ __typename: 'aaa_note', title: 'ours' }],
          aaa_note_by_person: [{ __typename: 'aaa_note2', title: 'theirs' }],
        },
        letters_filter2: [],
        letters_by_id2: [],
      },
    })
    const sdl = (await service.get('/server/specs/graphql')).text
    expect(sdl).toMatch(/`aaa\.note` in the database and in REST\."""\ntype aaa_note2 /u)
  })

  test('a restart and a second replica give the same names', async () => {
    const before = await crawl(service)
    const version = await database.query(versionOf[dialect])
    const other = await start()
    expect(await crawl(other)).toEqual(before)
    expect(
      other.lines().find(({ msg }) => msg.startsWith('collections that go by another name'))?.['changed'],
    ).toContainEqual({ collection: 'aaa.note', name: 'aaa_note2' })
    await other.stop()
    expect(await database.query(versionOf[dialect])).toEqual(version)
  })

  test('a relation that is dropped and made again has its name again', async () => {
    const lending = `create table lending (person integer not null references people (id),
      book integer not null references books (id), primary key (person, book)); insert into lending values (1, 1)`
    await database.query('drop table lending')
    await until(async () => (await statusOf('/items/people?fields=books.id')) === 403, SECONDS, 'the table is gone')
    expect(await read('/items/people/1?fields=books_via_aaa_favourites.title')).toEqual({
      books_via_aaa_favourites: [{ title: 'Music' }],
    })
    await database.query(lending)
    await isServed(service, 'lending')
    expect(await read('/items/people/1?fields=books.title')).toEqual({ books: [{ title: 'Logic' }] })
  })

  test('a column that is added has its name, the relation the qualified one until the column is gone', async () => {
    await database.query(`alter table people add letters varchar(40)`)
    await until(async () => (await statusOf('/items/people?fields=letters_by_writer')) === 200, SECONDS, 'the column')
    expect(await read('/items/people/1?fields=letters,letters_by_writer.title')).toEqual({
      letters: null,
      letters_by_writer: [{ title: 'Dear Ben' }],
    })
    await database.query('alter table people drop column letters')
    await until(async () => (await statusOf('/items/people?fields=letters.title')) === 200, SECONDS, 'the list')
    expect(await read('/items/people/1?fields=letters.title')).toEqual({ letters: [{ title: 'Dear Ben' }] })
  })

  test('replicas that see a new relation at the same time give it the same name', async () => {
    const replicas = [service, ...(await Promise.all([start(), start()]))]
    for (let round = 1; round <= 3; round += 1) {
      await database.query(`create table round_${round} (person integer not null references people (id),
        book integer not null references books (id), primary key (person, book));
        create table other_${round} (person integer not null references people (id),
        book integer not null references books (id), primary key (person, book))`)
      const names = [`books_via_round_${round}`, `books_via_other_${round}`]
      await Promise.all(replicas.map((each) => isServed(each, `other_${round}`)))
      for (const each of replicas)
        expect(await read(`/items/people/2?fields=${names.join()}`, each)).toEqual(
          Object.fromEntries(names.map((name) => [name, []])),
        )
    }
    const stored = await database.query(storedNames[dialect])
    expect(stored.length).toBe(new Set(stored.map(([name]) => name)).size)
    for (const each of replicas) expect(each.lines().filter(({ level }) => level >= 50)).toEqual([])
    await Promise.all(replicas.slice(1).map((each) => each.stop()))
  })

  test('a service without metadata gives the short name only where it is the only one', async () => {
    const other = await start({ READ_ONLY: 'true' })
    const statuses = async (fields: readonly string[]) =>
      Object.fromEntries(
        await Promise.all(
          fields.map(async (field) => [field, (await other.get(`/items/people?fields=${field}.*`)).status] as const),
        ),
      )
    expect(
      await statuses([
        'books',
        'books_via_lending',
        'letters',
        'letters_by_writer',
        'aaa_note',
        'lending',
        'friends_friend',
      ]),
    ).toEqual({
      books: 403,
      books_via_lending: 200,
      letters: 403,
      letters_by_writer: 200,
      aaa_note: 200,
      lending: 200,
      friends_friend: 200,
    })
    await other.stop()
  })
})

const prefix = { postgres: 'tain.', mysql: '', sqlite: '' } as const
const each = <T>(make: (dialect: TestDialect) => T): Record<TestDialect, T> => ({
  postgres: make('postgres'),
  mysql: make('mysql'),
  sqlite: make('sqlite'),
})
const versionOf = each((dialect) => `select version from ${prefix[dialect]}service_version`)
const storedNames = each(
  (dialect) =>
    `select ${dialect === 'mysql' ? "concat(kind, ' ', collection, ' ', subject)" : "kind || ' ' || collection || ' ' || subject"}
      from ${prefix[dialect]}service_names`,
)
