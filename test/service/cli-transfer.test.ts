// Items leave and enter the database by files.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { linesOf, runCommand } from '../lib/command.ts'
import { testDialects, withDatabase } from '../lib/databases.ts'

/** Every command starts the program, and several may run together. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

describe.each(testDialects)('on %s', (dialect) => {
  test('what is exported can be imported: the rows are the same', () =>
    withDatabase(async (database) => {
      await database.query('create table shelves (id integer primary key, name varchar(40))')
      await database.query(
        'create table books (id integer primary key, title varchar(80), shelf integer references shelves (id))',
      )
      await database.query(`insert into shelves values (1, 'one'), (2, 'tw"o, zwölf')`)
      for (let id = 1; id <= 250; id += 1)
        await database.query(
          `insert into books values (${id}, ${id === 7 ? 'null' : `'Title ${id}; =1+1'`}, ${(id % 2) + 1})`,
        )
      const before = await database.query('select id, title, shelf from books order by id')
      const folder = await mkdtemp(join(tmpdir(), 'tain-transfer-'))
      const environment = { DATABASE_URL: database.url }
      try {
        for (const ending of ['json', 'csv']) {
          const file = join(folder, `books.${ending}`)
          const exported = await runCommand(['export', 'books', '--out', file], { environment })
          expect(exported).toEqual({ code: 0, out: '', error: 'books: 250\n' })
          await database.query('delete from books')
          const imported = await runCommand(['import', 'books', file], { environment })
          expect([imported.code, imported.out]).toEqual([0, ''])
          expect(imported.error).toContain('250 items imported into books.')
          expect(await database.query('select id, title, shelf from books order by id')).toEqual(before)
        }
        const query = JSON.stringify({ filter: { id: { _lte: 2 } }, fields: ['id', 'shelf.name'], sort: 'id' })
        const { out, error } = await runCommand(['export', 'books', '--query', query], { environment })
        expect(JSON.parse(out)).toEqual([
          { id: 1, shelf: { name: 'tw"o, zwölf' } },
          { id: 2, shelf: { name: 'one' } },
        ])
        expect(error).toBe('books: 2\n')

        const wrong = join(folder, 'wrong.json')
        await writeFile(wrong, '[{"id": 900, "title": "fits"}, {"id": 901, "titel": "does not"}]')
        const refused = await runCommand(['import', 'books', wrong], { environment })
        expect([refused.code, linesOf(refused.error)]).toEqual([2, [expect.stringContaining('Row 2')]])
        expect(await database.query('select id from books where id >= 900')).toEqual([])
        expect(await readFile(wrong, 'utf8')).toContain('titel')
      } finally {
        await rm(folder, { recursive: true })
      }
    }, dialect))
})

test.each([
  ['export books --format pdf', 'The option "--format" has to be one of csv, csv_utf8, json, xml, yaml.'],
  ['export books --query nothing', 'The option "--query" has to be a JSON object, such as {"limit": 10}.'],
  ['import books /there/is/no/such.csv', 'The file /there/is/no/such.csv cannot be read (ENOENT).'],
])('tain %s is refused with one line', async (line, message) => {
  expect(await runCommand(line.split(' '), { environment: { DATABASE_URL: 'sqlite:./unused.db' } })).toEqual({
    code: 2,
    out: '',
    error: `${message}\n`,
  })
})
