import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { openService, until, type Service } from '../lib/service.ts'
import { createUser } from '../lib/world.ts'

const paths = ['/collections', '/collections/books', '/fields', '/fields/books', '/fields/books/title', '/relations']

describe.each(testDialects)('the structure on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  let replica: Service

  beforeAll(async () => {
    database = await createDatabase(dialect)
    await database.query('create table books (id int not null primary key, title varchar(20))')
    await database.query('create table secrets (id int not null primary key)')
    const environment = { DATABASE_URL: database.url, SCHEMA_POLL_INTERVAL: '100' }
    service = await openService(environment)
    replica = await openService(environment)
    const permissions = [{ collection: 'books', action: 'read', fields: ['*'] }]
    await createUser(service, permissions, 'token-of-a-reader')
  })

  afterAll(async () => {
    await service.stop()
    await replica.stop()
    await database.drop()
  })

  const tagOf = async (path: string, token?: string) =>
    (await service.get(path, token === undefined ? {} : { token })).headers.get('etag') ?? ''
  const versionOn = async (one: Service, path = '/items/books') => (await one.get(path)).headers.get('x-schema-version')

  test.each(paths)('%s is not sent again to a client that has it', async (path) => {
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"[\w-]+"$/u)
    const again = await service.get(path, { headers: { 'if-none-match': tag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const other = await service.get(path, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  })

  test('has another tag for a caller who sees less', async () => {
    const tag = await tagOf('/collections')
    expect(await tagOf('/collections', 'token-of-a-reader')).not.toBe(tag)
    const answer = await service.get('/collections', { token: 'token-of-a-reader', headers: { 'if-none-match': tag } })
    expect(answer.status).toBe(200)
  })

  test('has one version on all replicas, in every response to a caller with valid credentials', async () => {
    const version = await versionOn(service)
    expect(version).toMatch(/^[\w-]{12}$/u)
    for (const path of ['/items/nothing', '/items/books?fields=nothing', '/collections', '/users/me', '/server/info'])
      expect([path, await versionOn(service, path)]).toEqual([path, version])
    await until(async () => (await versionOn(replica)) === version, 10, 'the replica has the same version')
  })

  test.each([null, 'no-such-token'])('tells no version to a caller with the token %s', async (token) => {
    for (const path of [...paths, '/items/books', '/items/nothing', '/server/ping', '/server/info', '/nowhere', '/']) {
      const { headers } = await service.get(path, { token })
      expect([path, headers.get('x-schema-version')]).toEqual([path, null])
    }
  })

  test.each([
    ['the API', () => service.send('PATCH', '/fields/books/title', { meta: { note: 'On the cover' } })],
    ['another program', () => database.query('alter table books add column pages int')],
  ])('changes its version with a change by %s', async (_, change) => {
    const version = await versionOn(service)
    const tag = await tagOf('/fields/books')
    await change()
    await until(async () => (await versionOn(service)) !== version, 10, 'another version')
    expect(await tagOf('/fields/books')).not.toBe(tag)
    const changed = await versionOn(service)
    await until(async () => (await versionOn(replica)) === changed, 10, 'the replica has the same version')
  })
})
