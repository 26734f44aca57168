import { MASK } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { collectionOf, columnOf, library } from '../testing/schema.ts'
import type { BoundFilter, BoundPath, BoundValue } from '../query/bound.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { sqlite } from '../sql/dialects/sqlite/index.ts'
import { column, type Sql } from '../sql/sql.ts'
import { typed } from '../schema/typed-column.ts'
import { keyParts, masked, mayBeNull, rowVersionOf, sourceOf } from './columns.ts'
import { startPlan } from './plan-filter.ts'

const textOf = (fragment: Sql) => postgres.compile(fragment).text
const articles = collectionOf(library, 'articles')
const title = columnOf(library, 'articles', 'title')
const id = columnOf(library, 'articles', 'id')

const isVisible: BoundFilter = {
  kind: 'test',
  value: { kind: 'column', field: columnOf(library, 'articles', 'status'), mask: null },
  operator: '_nnull',
  operand: null,
}

test('a masked value is null where the caller cannot see it', () => {
  const plan = startPlan(postgres)
  expect(textOf(masked(column('r', 'title'), null, 'r', plan))).toBe('"r"."title"')
  expect(textOf(masked(column('r', 'title'), isVisible, 'r', plan))).toBe(
    'case when "r"."status" is not null then "r"."title" end',
  )
})

test('the columns of a field are made once', () => {
  expect(typed(title)).toBe(typed(title))
  expect(typed(columnOf(library, 'articles', 'password')).isConcealed).toBe(true)
  expect(keyParts(articles.key, 'r').map(({ value, column: { name } }) => [textOf(value), name])).toEqual([
    ['"r"."id"', 'id'],
  ])
})

describe('documents that keep rows of other collections', () => {
  const kept = { by: 'title', documents: ['document'], secrets: new Map([['users', ['password']]]) }

  test('are read with the secrets masked', () => {
    const plan = startPlan(postgres)
    expect(textOf(sourceOf(articles, plan))).toBe('"public"."articles"')
    const { text, binds } = postgres.compile(sourceOf({ ...articles, kept }, plan))
    expect(text).toContain('case when "t1"."title" = ')
    expect(text).toContain('from "public"."articles" as "t1")')
    expect(`${text} ${JSON.stringify(binds)}`).toContain(MASK)
  })
})

describe('the row version', () => {
  const textsOf = (collection: typeof articles, dialect: typeof postgres) =>
    rowVersionOf(collection, 'r', dialect).values.map((value) => dialect.compile(value).text)

  test('is that of the database if the whole row is readable', () => {
    const own = textsOf(articles, postgres)
    expect(textsOf({ ...articles, kind: 'view' }, postgres)).not.toEqual(own)
    expect(textsOf({ ...articles, isWhollyReadable: false }, postgres)).toEqual(
      textsOf({ ...articles, kind: 'view' }, postgres),
    )
  })

  test('is a hash of all columns where the database has none', () => {
    expect(sqlite.rowVersion).toBe(null)
    expect(textsOf(articles, sqlite)).toEqual(textsOf({ ...articles, kind: 'view' }, sqlite))
  })
})

test('a value can be null unless it is a visible column of the row that is NOT NULL', () => {
  const path = (value: BoundValue, steps: BoundPath['steps'] = []): BoundPath => ({ steps, value })
  expect(mayBeNull(path({ kind: 'column', field: id, mask: null }))).toBe(false)
  expect(mayBeNull(path({ kind: 'column', field: id, mask: isVisible }))).toBe(true)
  expect(mayBeNull(path({ kind: 'column', field: title, mask: null }))).toBe(true)
  expect(mayBeNull(path({ kind: 'function', fn: 'year', field: id, path: null, mask: null }))).toBe(true)
})
