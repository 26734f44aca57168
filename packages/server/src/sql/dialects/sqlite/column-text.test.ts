import { expect, test } from 'vitest'
import { dropClause, readColumn, setDefault, setNullable, setType } from './column-text.ts'

const definition = `numeric(10, 2) constraint pos check (x > 0) not null default (1 + 2) references "o" (id) on delete set null on update set default not deferrable`

test('type and clauses are told apart', () => {
  expect(readColumn(definition)).toEqual({
    type: 'numeric(10, 2)',
    clauses: [
      { kind: 'check', text: 'constraint pos check (x > 0)' },
      { kind: 'not-null', text: 'not null' },
      { kind: 'default', text: 'default (1 + 2)' },
      { kind: 'references', text: 'references "o" (id) on delete set null on update set default not deferrable' },
    ],
  })
  expect(readColumn('integer generated always as (a + b) stored not null').clauses.map(({ kind }) => kind)).toEqual([
    'generated',
    'not-null',
  ])
  expect(readColumn('text default null unique').clauses.map(({ text }) => text)).toEqual(['default null', 'unique'])
  expect(readColumn('')).toEqual({ type: '', clauses: [] })
})

test('one part is changed, the others stay', () => {
  expect(setType("varchar(20) not null default 'x'", 'text', 'name')).toBe("text not null default 'x'")
  expect(setDefault('integer default -1 not null', '5')).toBe('integer not null default 5')
  expect(setDefault('integer default -1', null)).toBe('integer')
  expect(setNullable('text', false)).toBe('text not null')
  expect(setNullable('text not null unique', true)).toBe('text unique')
  expect(dropClause('integer references a (id) on delete cascade', 'references')).toBe('integer')
})
