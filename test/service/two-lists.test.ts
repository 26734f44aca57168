import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { dataOf, startService, type Service } from '../lib/service.ts'

describe.each(testDialects)('two lists of the same children on %s', (dialect) => {
  let database: TestDatabase
  let service: Service
  const token = 'token-of-an-editor'

  beforeAll(async () => {
    database = await createDatabase(dialect)
    for (const statement of [
      `create table people (id int not null primary key, name varchar(20))`,
      `create table letters (id int not null primary key, sender int references people (id), reader int references people (id))`,
      `insert into people values (1, 'Ada')`,
      `insert into letters values (1, 1, 1), (2, 1, 1)`,
    ])
      await database.query(statement)
    service = await startService({ DATABASE_URL: database.url })
    const permissions = ['people', 'letters'].flatMap((collection) =>
      ['read', 'update'].map((action) => ({ collection, action, fields: ['*'] })),
    )
    const { id } = dataOf(await service.send('POST', '/policies', { name: 'editors', permissions })) as { id: string }
    dataOf(await service.send('POST', '/users', { email: 'e@example.com', token, policies: [{ policy: id }] }))
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  const empty = (list: string) => service.send('PATCH', '/items/people/1', { [list]: [] }, { token })
  const letters = async () => (await database.query('select sender, reader from letters order by id')).map(String)

  test('are emptied one at a time by a caller with permissions', async () => {
    expect((await empty('letters_by_sender')).status).toBe(200)
    expect(await letters()).toEqual([',1', ',1'])
    expect((await empty('letters_by_reader')).status).toBe(200)
    expect(await letters()).toEqual([',', ','])
  })
})
