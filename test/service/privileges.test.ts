import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer, createDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, runService, until, type Service } from '../lib/service.ts'

const role = `tain_role_${randomBytes(6).toString('hex')}`
const other = `${role}_other`

const structure = `
  create table open (id integer primary key, name text, secret text, partner integer);
  create table closed (id integer primary key, name text);
  create table written (id integer primary key, name text);
  create table mixed (id integer primary key, shown text, hidden text, closed integer references closed);
  insert into open values (1, 'one', 's', null);
  insert into closed values (1, 'c');
  insert into mixed values (1, 'seen', 'unseen', 1);
  create schema apart; create table apart.things (id integer primary key);
  grant select on open to ${role};
  grant select, insert, update, delete on written to ${role};
  grant select (id, shown, closed) on mixed to ${role}`

let database: TestDatabase
/** The same database, as the restricted role. */
let restrictedUrl: string

beforeAll(async () => {
  for (const name of [role, other]) await administer(`create role ${name} login password '${name}'`)
  database = await createDatabase()
  await database.query(structure)
  restrictedUrl = urlAs(role)
})

afterAll(async () => {
  await database.drop()
  for (const name of [role, other]) await administer(`drop role ${name}`)
})

function urlAs(name: string): string {
  const url = new URL(database.url)
  url.username = name
  url.password = name
  return url.href
}

const schemaExists = async () => (await database.query(`select to_regnamespace('tain') is not null`))[0]?.[0] === 't'

interface CollectionObject {
  readonly collection: string
  readonly schema: { readonly is_read_only: boolean }
}

/** All collections except the service's own. */
const usersCollections = async (service: Service) =>
  (dataOf(await service.get('/collections')) as CollectionObject[]).filter(
    ({ collection }) => !collection.startsWith('service_'),
  )

describe('a role that may not create the schema of the service', () => {
  test('ends the start with code 1 and the exact GRANT', async () => {
    const { code, output } = await runService({ DATABASE_URL: restrictedUrl })
    expect(code).toBe(1)
    expect(output).toContain(`GRANT CREATE ON DATABASE ${database.name} TO ${role};`)
    expect(output).not.toMatch(/\bat .*\.ts:\d+/u)
    expect(await schemaExists()).toBe(false)
  })

  test('serves with READ_ONLY=true, without metadata and without the schema', async () => {
    const service = await openService({ DATABASE_URL: restrictedUrl, READ_ONLY: 'true' })
    expect(dataOf(await service.get('/items/open/1?fields=id,name'))).toEqual({ id: 1, name: 'one' })
    expect((await service.get('/items/open?export=csv&fields=id')).text).toBe('id\n1\n')
    const collections = dataOf(await service.get('/collections')) as CollectionObject[]
    expect(collections.map(({ schema }) => schema.is_read_only)).toEqual([true, true, true])
    for (const [method, path, body] of metadataWrites) {
      const answer = await service.send(method, path, body)
      expect([method, path, answer.status, codeOf(answer)]).toEqual([method, path, 422, 'UNPROCESSABLE_CONTENT'])
    }
    expect((await service.send('PATCH', '/collections/open', { meta: {} }, { token: null })).status).toBe(403)
    expect(await schemaExists()).toBe(false)
    expect(await service.stop()).toBe(0)
  })

  test('starts after that GRANT was run', async () => {
    const { output } = await runService({ DATABASE_URL: restrictedUrl })
    await database.query(/GRANT [^;]+;/u.exec(output)?.[0] ?? 'no grant')
    const service = await openService({ DATABASE_URL: restrictedUrl })
    expect(dataOf(await service.get('/items/open/1?fields=name'))).toEqual({ name: 'one' })
    expect(await schemaExists()).toBe(true)
    expect(await service.stop()).toBe(0)
  })
})

const metadataWrites = [
  ['POST', '/fields/open', { field: 'more', type: 'alias' }],
  ['PATCH', '/fields/open/name', { meta: { note: 'x' } }],
  ['DELETE', '/fields/open/name', undefined],
  ['PATCH', '/collections/open', { meta: { singleton: true } }],
  ['POST', '/relations', { collection: 'open', field: 'partner', related_collection: 'open' }],
] as const

describe('another role than the one the tables of the service belong to', () => {
  test('is told the exact GRANTs, and starts after they were run', async () => {
    await (await openService({ DATABASE_URL: restrictedUrl })).stop()
    const { code, output } = await runService({ DATABASE_URL: urlAs(other) })
    expect(code).toBe(1)
    const grants = output.match(/GRANT [^;]+;/gu) ?? []
    expect(grants).not.toEqual([])
    expect(output).not.toMatch(/\bat .*\.ts:\d+/u)
    await database.query(grants.join(''))
    const service = await openService({ DATABASE_URL: urlAs(other) })
    expect((await service.get('/server/ready', { token: null })).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })
})

describe('a schema that was made for the service but may not be filled', () => {
  test('ends the start with the GRANT on that schema', async () => {
    await database.query('create schema "Own Tables"')
    const environment = { DATABASE_URL: urlAs(other), SYSTEM_SCHEMA: 'Own Tables' }
    const { code, output } = await runService(environment)
    expect(code).toBe(1)
    expect(output).toContain(`GRANT USAGE, CREATE ON SCHEMA "Own Tables" TO ${other};`)
    await database.query(/GRANT [^;]+;/u.exec(output)?.[0] ?? 'no grant')
    const service = await openService(environment)
    expect(await service.stop()).toBe(0)
    await database.query('drop schema "Own Tables" cascade')
  })
})

describe('what the role may and may not do', () => {
  let service: Service

  beforeAll(async () => {
    service = await openService({ DATABASE_URL: restrictedUrl, SCHEMA_POLL_INTERVAL: '200' })
  })

  afterAll(async () => {
    await service.stop()
  })

  test('a table without SELECT is no collection', async () => {
    const names = (await usersCollections(service)).map(({ collection }) => collection)
    expect(names).toEqual(['mixed', 'open', 'written'])
    expect((await service.get('/items/closed')).status).toBe(403)
    expect((await service.get('/collections/closed')).status).toBe(403)
    expect((await service.get('/fields/closed')).status).toBe(403)
  })

  test('a column without SELECT is no field', async () => {
    const fields = (dataOf(await service.get('/fields/mixed')) as { field: string }[]).map(({ field }) => field)
    expect(fields).toEqual(['id', 'shown', 'closed'])
    expect(dataOf(await service.get('/items/mixed'))).toEqual([{ id: 1, shown: 'seen', closed: 1 }])
    expect((await service.get('/items/mixed?fields=hidden')).status).toBe(403)
    expect((await service.get('/items/mixed?filter[hidden][_eq]=unseen')).status).toBe(403)
    expect(dataOf(await service.get('/items/mixed?search=unseen'))).toEqual([])
  })

  test('a foreign key to a table that is no collection leads nowhere', async () => {
    expect((await service.get('/items/mixed?fields=closed.name')).status).toBe(403)
    expect(dataOf(await service.get('/relations/mixed'))).toEqual([])
  })

  test('an item keeps its ETag although the role may not read the whole row', async () => {
    const answer = await service.get('/items/mixed/1')
    expect(dataOf(answer)).toEqual({ id: 1, shown: 'seen', closed: 1 })
    expect(answer.headers.get('etag')).toMatch(/^".+"$/u)
  })

  test('both are in the log with their reason', async () => {
    const told = () =>
      service
        .lines()
        .filter(({ msg }) => msg === 'not served')
        .map(({ schema, table, column, reason }) => [schema, table, column, reason])
    await until(() => told().length >= 2, 2, 'two lines')
    expect(told()).toEqual([
      ['public', 'closed', null, 'the database role may not SELECT from this table'],
      ['public', 'mixed', 'hidden', 'the database role may not SELECT this column'],
    ])
  })

  test('a table that may not be written says so', async () => {
    const collections = await usersCollections(service)
    expect(collections.map(({ collection, schema }) => [collection, schema.is_read_only])).toEqual([
      ['mixed', true],
      ['open', true],
      ['written', false],
    ])
  })

  test('what is granted or revoked later is followed', async () => {
    const status = async (path: string) => (await service.get(path)).status
    await database.query(`grant select on closed to ${role}; grant usage on schema apart to ${role};
      grant select on apart.things to ${role}; revoke select on open from ${role}`)
    await until(async () => (await status('/items/closed')) === 200, 3, 'granted')
    await until(async () => (await status('/items/apart.things')) === 200, 3, 'granted in another schema')
    await until(async () => (await status('/items/open')) === 403, 3, 'revoked')
    expect(dataOf(await service.get('/items/mixed?fields=closed.name'))).toEqual([{ closed: { name: 'c' } }])
  })
})

describe('settings that cannot be used', () => {
  test('are all told at once', async () => {
    const { code, output } = await runService({
      DATABASE_URL: undefined,
      PORT: 'abc',
      SECRET: 'short',
      LOG_LEVEL: 'loud',
      READ_ONLY: 'perhaps',
      QUERY_LIMIT_MAX: '-7',
      MAX_PAYLOAD_SIZE: 'big',
      DB_POOL_MAX: '0',
      CORS_ORIGIN: '*',
      CORS_CREDENTIALS: 'true',
    })
    expect(code).toBe(1)
    const told = output.split('\n').map((line) => /^ {2}([A-Z_]+) /u.exec(line)?.[1])
    expect(told.filter((name) => name !== undefined).sort()).toEqual(
      'CORS_CREDENTIALS DATABASE_URL DB_POOL_MAX LOG_LEVEL MAX_PAYLOAD_SIZE PORT QUERY_LIMIT_MAX READ_ONLY SECRET'.split(
        ' ',
      ),
    )
    expect(output).not.toMatch(/\bat .*\.ts:\d+/u)
  })

  test('never show the secret or the password of the database', async () => {
    const url = 'oracle://user:pass-canary@127.0.0.1/x'
    const { code, output } = await runService({ DATABASE_URL: url, SECRET: 'short-canary' })
    expect(code).toBe(1)
    expect(output).toMatch(/DATABASE_URL .*\n? .*SECRET /su)
    expect(output).not.toContain('canary')
  })

  test('a port that is taken ends the start with a message', async () => {
    const first = await openService({ DATABASE_URL: restrictedUrl })
    const { code, output } = await runService({ DATABASE_URL: restrictedUrl, PORT: new URL(first.url).port })
    expect(code).toBe(1)
    expect(output).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken by another program\. .*tain start --port \d+$/mu)
    expect(output).not.toMatch(/\bat .*\.ts:\d+/u)
    await first.stop()
  })
})
