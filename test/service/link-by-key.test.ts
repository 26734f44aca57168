import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { codeOf } from '../lib/service.ts'
import { useWorld, type Caller } from '../lib/world.ts'

const tables = `
  create table shelves (code varchar(5) not null primary key, note varchar(20));
  create table books (id int not null primary key, shelf varchar(5) references shelves (code));
  insert into shelves values ('A', 'x')`

describe.each(testDialects)('a row that is named by its key alone on %s', (dialect) => {
  const { database, caller } = useWorld({ dialect, tables })
  const reader = caller({ books: 'create', shelves: 'read' })
  const writer = caller({ books: 'create' })
  const create = (by: Caller, id: number, shelf: unknown) => by.send('POST', '/items/books', { id, shelf })
  const shelfOf = async (id: number) => (await database.query(`select shelf from books where id = ${id}`))[0]?.[0]

  test('is linked by a caller who may read it and do nothing else with it', async () => {
    expect((await create(reader, 1, { code: 'A' })).status).toBe(204)
    expect(await shelfOf(1)).toBe('A')
  })

  test('is not made by a caller who may only read', async () => {
    expect(codeOf(await create(reader, 2, { code: 'B' }))).toBe('FORBIDDEN')
    expect(await shelfOf(2)).toBeUndefined()
  })

  test('is not linked by a caller who may not read it', async () => {
    expect(codeOf(await create(writer, 3, { code: 'A' }))).toBe('FORBIDDEN')
    expect(await shelfOf(3)).toBeUndefined()
  })
})
