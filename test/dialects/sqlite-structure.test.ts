import { describe, expect, test } from 'vitest'
import { codeOf } from '../lib/service.ts'
import { useWorld } from '../lib/world.ts'

describe('SQLite tables that the database does not let anybody alter freely', () => {
  const { service } = useWorld({
    dialect: 'sqlite',
    tables: `create table rigid (id integer primary key, t text) strict;
      create virtual table docs using fts5 (title, body)`,
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
