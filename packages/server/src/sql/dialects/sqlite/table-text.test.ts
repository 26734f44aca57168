import { expect, test } from 'vitest'
import { generationOf, readTable } from './table-text.ts'

const text = `CREATE TABLE "odd, (name" ( -- a comment, with a comma
  id integer primary key, [a b] varchar(20) not null default 'x, (y)',
  \`c\` numeric(10, 2) generated always as (id * (1 + 2)) stored, "d""e" text check ("d""e" <> ')'),
  constraint u unique (c, "d""e"), foreign key (id) references other (id)
) STRICT`

test('columns, constraints and options of a table', () => {
  expect(readTable(text)).toEqual({
    columns: [
      { name: 'id', definition: 'integer primary key' },
      { name: 'a b', definition: "varchar(20) not null default 'x, (y)'" },
      { name: 'c', definition: 'numeric(10, 2) generated always as (id * (1 + 2)) stored' },
      { name: 'd"e', definition: `text check ("d""e" <> ')')` },
    ],
    constraints: ['constraint u unique (c, "d""e")', 'foreign key (id) references other (id)'],
    options: 'STRICT',
  })
})

test('what a column is computed of', () => {
  expect(generationOf('numeric(10, 2) generated always as (id * (1 + 2)) stored')).toBe('id * (1 + 2)')
  expect(generationOf('integer as (a)')).toBe('a')
  expect(generationOf("text default 'as (x)'")).toBeNull()
})
