import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, createDatabase, mysqlServerUrl, serverUrl, type TestDatabase } from '../lib/databases.ts'
import { dataOf, openService, type Service } from '../lib/service.ts'

const role = `tain_columns_${randomBytes(6).toString('hex')}`

/** A role with privileges on some columns of a table and full access to the service's own tables. */
const roles = {
  postgres: {
    server: serverUrl,
    create: `create role ${role} login password '${role}'`,
    grant: async ({ query }: TestDatabase) => {
      await query(`grant select (id, name), insert (id, name), update (name), delete on people to ${role}`)
      await query(`create schema tain authorization ${role}`)
    },
    drop: `drop role ${role}`,
  },
  mysql: {
    server: mysqlServerUrl,
    create: `create user ${role}@'%' identified by '${role}'`,
    grant: async ({ name, url, query }: TestDatabase) => {
      // On MariaDB the service tables share the database with the user tables, so a privilege on future tables would
      // cover all tables. A first start creates them.
      await (await openService({ DATABASE_URL: url })).stop()
      const own = await query(`select table_name from information_schema.tables
        where table_schema = '${name}' and table_name like 'service%'`)
      for (const [table] of own) await query(`grant all on ${name}.${table} to ${role}@'%'`)
      const columns = 'select (id, name), insert (id, name), update (name), delete'
      await query(`grant ${columns} on ${name}.people to ${role}@'%'`)
    },
    drop: `drop user ${role}@'%'`,
  },
} as const

describe.each(['postgres', 'mysql'] as const)('a role with rights on some columns of a table, on %s', (dialect) => {
  let database: TestDatabase
  let service: Service

  beforeAll(async () => {
    await administer(roles[dialect].create)
    database = await createDatabase(dialect)
    await database.query('create table people (id integer primary key, name varchar(40), salary integer default 7)')
    await database.query(`insert into people values (1, 'Ada', 100), (2, 'Bo', 200)`)
    await roles[dialect].grant(database)
    const url = new URL(database.url)
    url.username = role
    url.password = role
    service = await openService({ DATABASE_URL: url.href })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
    await administer(roles[dialect].drop)
  })

  async function administer(statement: string): Promise<void> {
    const connection = await connect(roles[dialect].server)
    await connection.query(statement)
    await connection.close()
  }

  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await service.send(method, path, body)
    return answer.status === 200 ? dataOf(answer) : answer.status
  }

  test('reads and writes those, and no others', async () => {
    expect(dataOf(await service.get('/items/people/1'))).toEqual({ id: 1, name: 'Ada' })
    expect(await send('PATCH', '/items/people/1', { name: 'Ada L' })).toEqual({ id: 1, name: 'Ada L' })
    expect(await send('PATCH', '/items/people', { keys: [1, 2], data: { name: 'all' } })).toEqual([
      { id: 1, name: 'all' },
      { id: 2, name: 'all' },
    ])
    expect(await send('POST', '/items/people', { id: 3, name: 'Cy' })).toEqual({ id: 3, name: 'Cy' })
    expect(await send('POST', '/items/people', [{ id: 4, name: 'Di' }])).toEqual([{ id: 4, name: 'Di' }])
    expect(await send('DELETE', '/items/people/4')).toBe(204)
    expect(await send('PATCH', '/items/people/1', { salary: 1 })).toBe(400)
    expect(await database.query('select id, name, salary from people order by id')).toEqual([
      ['1', 'all', '100'],
      ['2', 'all', '200'],
      ['3', 'Cy', '7'],
    ])
  })

  test('revisions keep what could be read', async () => {
    const query = '/revisions?filter[collection][_eq]=people&filter[item][_eq]=3&fields=data'
    expect(dataOf(await service.get(query))).toEqual([{ data: { id: 3, name: 'Cy' } }])
  })
})
