import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, startService, type RequestOptions, type Service } from '../lib/service.ts'

const READER = 'token-of-a-reader'

interface Start {
  readonly me: Readonly<Record<string, unknown>> | null
  readonly globals: unknown
  readonly project: Readonly<Record<string, unknown>>
  readonly version?: string
  readonly schema_version: string | null
  readonly collections: readonly (Readonly<Record<string, unknown>> & { readonly collection: string })[]
}

/** Levels of access of create, read, update, delete, share. */
const levels = (bits: unknown) => [0, 2, 4, 6, 8].map((shift) => (Number(bits) >> shift) & 3)

describe.each(testDialects)('GET /server/app on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  let reader: string

  beforeAll(async () => {
    database = await createDatabase(dialect)
    for (const statement of [
      'create table books (id int not null primary key, isbn varchar(20), title varchar(20), price int)',
      'create table parts (a int not null, b int not null, primary key (a, b))',
      'create table secrets (id int not null primary key, name varchar(20))',
      'create table people (id int not null primary key, title varchar(20), email varchar(20), first_name varchar(20), last_name varchar(20))',
      'create table deliveries (id int not null primary key, status varchar(20), note varchar(20))',
      'create view cheap as select id, title from books where price < 10',
      "insert into books values (1, 'i1', 'One', 1), (2, 'i2', 'Two', 20), (3, 'i3', 'Three', 30)",
      ...(dialect === 'postgres' ? ['analyze books'] : dialect === 'mysql' ? ['analyze table books'] : []),
    ])
      await database.query(statement)
    service = await startService({ DATABASE_URL: database.url })
    const meta = { icon: 'book', translations: [{ language: 'de-DE', translation: 'Bücher' }] }
    dataOf(await service.send('PATCH', '/collections/books', { meta }))
    const permissions = [
      { collection: 'books', action: 'read', fields: ['id', 'isbn'], permissions: {} },
      { collection: 'books', action: 'update', fields: ['title'], permissions: { price: { _lt: 10 } } },
      { collection: 'books', action: 'create', fields: ['*'], permissions: {} },
      { collection: 'parts', action: 'read', fields: ['a'], permissions: { a: { _gt: 0 } } },
    ]
    const policy = { name: 'reader', app_access: true, permissions }
    const { id } = dataOf(await service.send('POST', '/policies', policy)) as { id: string }
    const user = {
      email: 'r@example.com',
      language: 'de-DE',
      token: READER,
      password: 'long enough',
      policies: [{ policy: id }],
    }
    reader = (dataOf(await service.send('POST', '/users', user)) as { id: string }).id
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  const start = async (options: RequestOptions = {}) => dataOf(await service.get('/server/app', options)) as Start
  const collectionIn = ({ collections }: Start, name: string) =>
    collections.find(({ collection }) => collection === name)

  test('tells an administrator about every collection', async () => {
    const found = await start()
    expect(found.globals).toMatchObject({ app_access: true, admin_access: true })
    expect(found.project).toMatchObject({ project_name: 'Tain' })
    expect(found.schema_version).toBe((await service.get('/items/books')).headers.get('x-schema-version'))
    const books = collectionIn(found, 'books')
    expect(books).toMatchObject({ kind: 'table', key: ['id'], icon: 'book', display_template: '{{title}}' })
    expect(levels(books?.['access'])).toEqual([2, 2, 2, 2, 2])
    expect(books?.['estimated_rows']).toBe(dialect === 'sqlite' ? undefined : 3)
    expect(collectionIn(found, 'parts')).toMatchObject({ key: ['a', 'b'] })
    expect(collectionIn(found, 'cheap')).toMatchObject({ kind: 'view', read_only: true })
    expect(collectionIn(found, 'service_users')).toMatchObject({ system: true })
  })

  test('guesses what names a row for people: a whole name before an address, and no state that rows share', async () => {
    const found = await start()
    expect(collectionIn(found, 'people')).toMatchObject({ display_template: '{{first_name}} {{last_name}}' })
    expect(collectionIn(found, 'deliveries')).not.toHaveProperty('display_template')
  })

  test('tells a user what the user may know', async () => {
    const found = await start({ token: READER })
    expect(found.me).toMatchObject({ id: reader, language: 'de-DE' })
    expect(found.globals).toEqual({ app_access: true, admin_access: false, enforce_tfa: false })
    const books = collectionIn(found, 'books')
    expect(books).toMatchObject({ label: 'Bücher', key: ['id'], display_template: '{{isbn}}' })
    expect(levels(books?.['access'])).toEqual([2, 2, 1, 0, 0])
    const parts = collectionIn(found, 'parts')
    expect([parts?.['key'], parts?.['estimated_rows']]).toEqual([[], undefined])
    expect(found.collections.map(({ collection }) => collection)).not.toContain('secrets')
    expect(JSON.stringify(found)).not.toContain('price')
    const viewed = await start({ headers: { 'x-view-as': reader } })
    expect(viewed).toEqual(found)
  })

  test('tells nobody only the project', async () => {
    expect(await start({ token: null })).toEqual({
      me: null,
      globals: { app_access: false },
      project: (dataOf(await service.get('/server/info', { token: null })) as { project: unknown }).project,
      schema_version: null,
      collections: [],
    })
  })

  test('takes a session that has ended for none, and removes its cookie', async () => {
    const credentials = { email: 'r@example.com', password: 'long enough', mode: 'session' }
    const signedIn = await service.send('POST', '/auth/login', credentials, { token: null })
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    const asBrowser = { token: null, headers: { cookie, origin: service.url } }
    expect((await start(asBrowser)).me).toMatchObject({ id: reader })
    await service.send('POST', '/auth/logout', { mode: 'session' }, asBrowser)
    const answer = await service.get('/server/app', asBrowser)
    expect((dataOf(answer) as Start).me).toBeNull()
    expect(answer.headers.get('set-cookie')).toMatch(/=;/u)
    expect(codeOf(await service.get('/server/app', { token: 'nonsense' }))).toBe('INVALID_CREDENTIALS')
  })

  test('is not sent again to a client that has it', async () => {
    const etag = (await service.get('/server/app', { token: READER })).headers.get('etag') ?? ''
    const again = await service.get('/server/app', { token: READER, headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const other = await service.get('/server/app', { headers: { 'if-none-match': etag } })
    expect(other.status).toBe(200)
  })
})
