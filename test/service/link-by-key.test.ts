import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, testDialects, type TestDatabase } from '../lib/databases.ts'
import { codeOf, dataOf, startService, type Service } from '../lib/service.ts'

describe.each(testDialects)('a row that is named by its key alone on %s', (dialect) => {
  let database: TestDatabase
  let service: Service

  beforeAll(async () => {
    database = await createDatabase(dialect)
    for (const statement of [
      `create table shelves (code varchar(5) not null primary key, note varchar(20))`,
      `create table books (id int not null primary key, shelf varchar(5) references shelves (code))`,
      `insert into shelves values ('A', 'x')`,
    ])
      await database.query(statement)
    service = await startService({ DATABASE_URL: database.url })
    const caller = async (token: string, shelfActions: readonly string[]) => {
      const permissions = [
        { collection: 'books', action: 'create', fields: ['*'] },
        ...shelfActions.map((action) => ({ collection: 'shelves', action, fields: ['*'] })),
      ]
      const { id } = dataOf(await service.send('POST', '/policies', { name: token, permissions })) as { id: string }
      dataOf(await service.send('POST', '/users', { email: `${token}@example.com`, token, policies: [{ policy: id }] }))
    }
    await caller('token-of-a-reader', ['read'])
    await caller('token-of-nobody', [])
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  const create = (token: string, id: number, shelf: unknown) =>
    service.send('POST', '/items/books', { id, shelf }, { token })
  const shelfOf = async (id: number) => (await database.query(`select shelf from books where id = ${id}`))[0]?.[0]

  test('is linked by a caller who may read it and do nothing else with it', async () => {
    expect((await create('token-of-a-reader', 1, { code: 'A' })).status).toBe(204)
    expect(await shelfOf(1)).toBe('A')
  })

  test('is not made by a caller who may only read', async () => {
    expect(codeOf(await create('token-of-a-reader', 2, { code: 'B' }))).toBe('FORBIDDEN')
    expect(await shelfOf(2)).toBeUndefined()
  })

  test('is not linked by a caller who may not read it', async () => {
    expect(codeOf(await create('token-of-nobody', 3, { code: 'A' }))).toBe('FORBIDDEN')
    expect(await shelfOf(3)).toBeUndefined()
  })
})
