// A schema change that the database refuses leaves nothing behind that could prevent the next start.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMysql, administer, createDatabase, mysqlServerUrl, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, openService, type Answer, type Service } from '../lib/service.ts'

const role = `tain_role_${randomBytes(6).toString('hex')}`

const urlAs = (database: TestDatabase): string => {
  const url = new URL(database.url)
  url.username = role
  url.password = role
  return url.href
}

const messageOf = ({ body }: Answer): string =>
  (body as { errors: { message: string }[] }).errors.map(({ message }) => message).join()

interface Place {
  readonly create: () => Promise<TestDatabase>
  readonly remove: (database: TestDatabase) => Promise<void>
  /** Lets the role serve the tables without altering them. */
  readonly grants: (database: TestDatabase) => string
  readonly mayAlter: (database: TestDatabase) => string
  /** An unfinished change of `foreign_owned`, as left behind by a crash. */
  readonly unfinished: string
  readonly steps: string
}

async function onMysql(statement: string): Promise<void> {
  const { query, close } = await connectMysql(mysqlServerUrl)
  await query(statement).finally(close)
}

const places: Readonly<Record<'postgres' | 'mysql', Place>> = {
  postgres: {
    async create() {
      await administer(`create role ${role} login password '${role}'`)
      const database = await createDatabase('postgres')
      // Large enough that the service prepares the change ahead of its transaction.
      await database.query(`create table foreign_owned (id integer primary key, n integer, filler text);
        insert into foreign_owned select i, i, repeat('x', 1000) from generate_series(1, 2000) as i;
        analyze foreign_owned`)
      return database
    },
    async remove(database) {
      await database.drop()
      await administer(`drop role ${role}`)
    },
    grants: () => `grant usage on schema tain to ${role};
      grant select, insert, update, delete on all tables in schema tain to ${role};
      grant usage on all sequences in schema tain to ${role};
      grant select, insert, update, delete on foreign_owned to ${role}`,
    mayAlter: () => `alter table foreign_owned owner to ${role}`,
    unfinished: `alter table foreign_owned add constraint half check (n is not null) not valid;
      insert into tain.service_schema_steps (kind, "schema", "table", name)
      values ('constraint', 'public', 'foreign_owned', 'half')`,
    steps: 'select count(*) from tain.service_schema_steps',
  },
  mysql: {
    async create() {
      await onMysql(`create user '${role}'@'%' identified by '${role}'`)
      const database = await createDatabase('mysql')
      await database.query(`create table foreign_owned (id int primary key, n int);
        insert into foreign_owned values (1, 1)`)
      return database
    },
    async remove(database) {
      await database.drop()
      await onMysql(`drop user '${role}'@'%'`)
    },
    grants: ({ name }) => `grant select, insert, update, delete on ${name}.* to '${role}'@'%'`,
    mayAlter: ({ name }) => `grant all on ${name}.* to '${role}'@'%'`,
    unfinished: `alter table foreign_owned add column half int;
      insert into service_schema_steps (kind, \`schema\`, \`table\`, name)
      values ('statement', '', 'foreign_owned', 'alter table foreign_owned drop column if exists half')`,
    steps: 'select count(*) from service_schema_steps',
  },
}

describe.each(Object.entries(places))('on %s', (_, place) => {
  let database: TestDatabase
  let service: Service

  const restart = async (url: string): Promise<void> => {
    await service?.stop()
    service = await openService({ DATABASE_URL: url })
  }
  const steps = async () => Number((await database.query(place.steps))[0]?.[0])
  const serves = async () => expect(dataOf(await service.get('/items/foreign_owned/1?fields=n'))).toEqual({ n: 1 })

  beforeAll(async () => {
    database = await place.create()
    await restart(database.url)
    await database.query(place.grants(database))
    await restart(urlAs(database))
  })

  afterAll(async () => {
    await service?.stop()
    await place.remove(database)
  })

  test('a change that the role may not make is refused before anything is written down', async () => {
    const calls = [
      ['POST', '/fields/foreign_owned', { field: 'x', type: 'string', schema: {} }],
      ['PATCH', '/fields/foreign_owned/n', { schema: { is_nullable: false } }],
    ] as const
    for (const [method, path, body] of calls) {
      const answer = await service.send(method, path, body)
      expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
      expect(messageOf(answer)).toContain('may not change this table')
      const plan = await service.send(method, path, body, { headers: { prefer: 'tx=rollback' } })
      expect(dataOf(plan)).toMatchObject({ blocks: [{ code: 'UNPROCESSABLE_CONTENT' }] })
    }
    expect(await steps()).toBe(0)
    await restart(urlAs(database))
    await serves()
  })

  test('an undo that fails is reported, the service serves, and schema changes say why they are refused', async () => {
    await database.query(place.unfinished)
    await restart(urlAs(database))
    await serves()
    expect(service.lines().filter(({ msg }) => msg.includes('cannot be undone'))).toHaveLength(1)
    const answer = await service.send('POST', '/fields/foreign_owned', { field: 'x', type: 'string', schema: {} })
    expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(messageOf(answer)).toMatch(/An earlier schema change .*"foreign_owned".* may not change this table/u)
    expect(await steps()).toBe(1)
  })

  test('once the undo is possible, the next start makes it and the schema can be changed again', async () => {
    await database.query(place.mayAlter(database))
    await restart(urlAs(database))
    expect(await steps()).toBe(0)
    const made = await service.send('POST', '/fields/foreign_owned', { field: 'x', type: 'string', schema: {} })
    expect(made.status).toBe(200)
    expect(await steps()).toBe(0)
  })
})

test('a change of a system-versioned table of MariaDB is refused with the reason, and the next start succeeds', async () => {
  const database = await createDatabase('mysql')
  await database.query('create table versioned (id int primary key, n int) with system versioning')
  const first = await openService({ DATABASE_URL: database.url })
  const answer = await first.send('POST', '/fields/versioned', { field: 'x', type: 'string', schema: {} })
  await first.stop()
  expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
  expect(messageOf(answer)).toContain('system-versioned')
  const second = await openService({ DATABASE_URL: database.url })
  const made = await second.send('POST', '/collections', {
    collection: 'made',
    schema: {},
    fields: [{ field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }],
  })
  await second.stop()
  await database.drop()
  expect(made.status).toBe(200)
})
