import { describe, expect, test } from 'vitest'
import { testDialects } from '../lib/databases.ts'
import { useWorld } from '../lib/world.ts'

const tables = `
  create table people (id int not null primary key, name varchar(20));
  create table letters (id int not null primary key, sender int references people (id), reader int references people (id));
  insert into people values (1, 'Ada');
  insert into letters values (1, 1, 1), (2, 1, 1)`

describe.each(testDialects)('two lists of the same children on %s', (dialect) => {
  const { database, caller } = useWorld({ dialect, tables })
  const editor = caller({ people: 'read update', letters: 'read update' })
  const empty = (list: string) => editor.send('PATCH', '/items/people/1', { [list]: [] })
  const letters = async () => (await database.query('select sender, reader from letters order by id')).map(String)

  test('are emptied one at a time by a caller with permissions', async () => {
    expect((await empty('letters_by_sender')).status).toBe(200)
    expect(await letters()).toEqual([',1', ',1'])
    expect((await empty('letters_by_reader')).status).toBe(200)
    expect(await letters()).toEqual([',', ','])
  })
})
