import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp, type App } from '../../packages/server/src/app.ts'
import type { Change } from '../../packages/server/src/changes/change.ts'
import type { ChangeConsumer } from '../../packages/server/src/changes/sink.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'

const TOKEN = 'changes-test-token'
const ADMINISTRATOR = { email: 'admin@example.com', password: 'a long enough password' }

/** Every change of a row reaches the consumers inside its transaction, whatever made it. */
describe.each(testDialects)('changes on %s', (dialect) => {
  let database: TestDatabase
  let app: App
  let seen: Change[] = []
  let refusal: Error | null = null

  const consumer: ChangeConsumer = {
    wants: ({ name }) => (name === 'unwatched' ? null : { before: true, after: true }),
    consume: async (changes) => {
      if (refusal !== null) throw refusal
      seen.push(...changes)
    },
    inStatement: () => null,
  }

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await database.query(`
      create table authors (id integer primary key, name varchar(20));
      create table posts (id integer primary key, title varchar(20), author integer references authors (id));
      create table unwatched (id integer primary key, name varchar(20));
      insert into authors values (1, 'Ada'), (2, 'Bo');
      insert into posts values (1, 'one', 1), (2, 'two', 1);`)
    const config = readConfig({
      DATABASE_URL: database.url,
      ADMIN_TOKEN: TOKEN,
      SECRET: 'changes-test-secret-changes-test-secret',
      ADMIN_EMAIL: ADMINISTRATOR.email,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      SHUTDOWN_DELAY: '0',
    })
    app = await createApp(config, pino({ level: 'silent' }), { changeConsumers: [consumer] })
    await app.start()
    await send('POST', '/fields/authors', { field: 'posts', type: 'alias', meta: { special: ['o2m'] }, schema: null })
    await send('PATCH', '/relations/posts/author', { meta: { one_field: 'posts' } })
  })

  beforeEach(() => {
    seen = []
    refusal = null
  })

  afterAll(async () => {
    await app.close()
    await database.drop()
  })

  async function send(method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) {
    const answer = await app.server.inject({
      method: method as 'POST',
      url,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })
    return { status: answer.statusCode, data: answer.body === '' ? null : answer.json<{ data: unknown }>().data }
  }

  const short = () => seen.map(({ action, collection, key, position }) => [position, action, collection.name, key[0]])
  const activity = async () =>
    (await database.query(`select action, collection, item from ${systemTable('service_activity')} order by id`)).length
  const systemTable = (name: string) => (dialect === 'postgres' ? `tain.${name}` : name)

  test('a create, with the row after it', async () => {
    await send('POST', '/items/authors', { id: 10, name: 'Cy' })
    expect(short()).toEqual([[0, 'create', 'authors', '10']])
    expect(JSON.parse(seen[0]?.after ?? '')).toEqual({ id: 10, name: 'Cy' })
  })

  test('the rows of a nested write, in the order they are written', async () => {
    await send('PATCH', '/items/authors/2', {
      name: 'Bob',
      posts: { create: [{ id: 20, title: 'new' }], update: [], delete: [] },
    })
    expect(short()).toEqual([
      [0, 'update', 'authors', '2'],
      [1, 'create', 'posts', '20'],
    ])
    expect(JSON.parse(seen[0]?.delta ?? '')).toEqual({ name: 'Bob' })
  })

  test('rows that leave a list, updated without their parent', async () => {
    await send('PATCH', '/items/authors/1', { posts: { create: [], update: [], delete: [2] } })
    expect(short()).toEqual([[0, 'update', 'posts', '2']])
    expect(JSON.parse(seen[0]?.after ?? '')).toMatchObject({ id: 2, author: null })
  })

  test('deleted rows, with the row before', async () => {
    await send('DELETE', '/items/posts/2')
    expect(short()).toEqual([[0, 'delete', 'posts', '2']])
    expect(JSON.parse(seen[0]?.before ?? '')).toEqual({ id: 2, title: 'two', author: null })
  })

  test('the rows of an import', async () => {
    const body = [
      '--b',
      'content-disposition: form-data; name="file"; filename="a.json"',
      'content-type: application/json',
      '',
      '[{"id":30,"name":"x"},{"id":31,"name":"y"}]',
      '--b--',
      '',
    ].join('\r\n')
    const { status } = await send('POST', '/utils/import/authors', body, {
      'content-type': 'multipart/form-data; boundary=b',
    })
    expect(status).toBe(200)
    expect(short()).toEqual([
      [0, 'create', 'authors', '30'],
      [1, 'create', 'authors', '31'],
    ])
  })

  test('a revert', async () => {
    await send('PATCH', '/items/authors/1', { name: 'changed' })
    const revisions = await send('GET', '/revisions?filter[collection]=authors&filter[item]=1&sort=-id&fields=id')
    const [{ id }] = revisions.data as [{ id: number }]
    seen = []
    expect((await send('POST', `/utils/revert/${id}`)).status).toBe(204)
    expect(short()).toEqual([[0, 'update', 'authors', '1']])
  })

  test('logins and logouts, with the user who made them', async () => {
    const { data } = await send('POST', '/auth/login', ADMINISTRATOR, { authorization: '' })
    const { refresh_token: token } = data as { refresh_token: string }
    await send('POST', '/auth/logout', { refresh_token: token, mode: 'json' }, { authorization: '' })
    const [login] = seen
    expect(short()).toEqual([
      [0, 'login', 'service_users', login?.actor],
      [0, 'logout', 'service_users', login?.actor],
    ])
  })

  test('a deleted role, and the users whom that suspends', async () => {
    const role = await send('POST', '/roles', { name: 'leaving' })
    const { id } = role.data as { id: string }
    const user = await send('POST', '/users', { role: id })
    const { id: key } = user.data as { id: string }
    seen = []
    await send('DELETE', `/roles/${id}`)
    expect(short()).toEqual([
      [0, 'delete', 'service_roles', id],
      [1, 'update', 'service_users', key],
    ])
  })

  test('a consumer that fails undoes the write', async () => {
    refusal = new Error('the disk is full')
    expect((await send('POST', '/items/authors', { id: 40, name: 'never' })).status).toBe(500)
    expect((await send('GET', '/items/authors/40')).status).toBe(403)
  })

  test('a collection that no other consumer wants is recorded in the activity alone', async () => {
    const before = await activity()
    await send('POST', '/items/unwatched', { id: 1, name: 'x' })
    expect(seen).toEqual([])
    expect(await activity()).toBe(before + 1)
  })
})
