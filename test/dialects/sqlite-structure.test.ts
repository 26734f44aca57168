import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../lib/databases.ts'
import { codeOf, startService, type Service } from '../lib/service.ts'

describe('SQLite tables that the database does not let anybody alter freely', () => {
  let database: TestDatabase
  let service: Service

  beforeAll(async () => {
    database = await createDatabase('sqlite')
    await database.query(`create table rigid (id integer primary key, t text) strict;
      create virtual table docs using fts5 (title, body)`)
    service = await startService({ DATABASE_URL: database.url })
  })

  afterAll(async () => {
    await service.stop()
    await database.drop()
  })

  const add = (table: string, type: string) =>
    service.send('POST', `/fields/${table}`, { field: 'extra', type, schema: {} })

  test('a field of a type that a STRICT table cannot have is refused with the reason', async () => {
    const answer = await add('rigid', 'string')
    expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(answer.text).toContain('STRICT')
  })

  test('a STRICT table takes a field of a type that it has', async () => {
    expect((await add('rigid', 'text')).status).toBe(200)
    expect((await service.send('DELETE', '/fields/rigid/extra')).status).toBe(204)
  })

  test('a field of a virtual table is refused with the reason', async () => {
    const answer = await add('docs', 'string')
    expect([answer.status, codeOf(answer)]).toEqual([422, 'UNPROCESSABLE_CONTENT'])
    expect(answer.text).toContain('virtual')
  })
})
