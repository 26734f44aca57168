import { describe, expect, test } from 'vitest'
import { library } from '../testing/schema.ts'
import { bindQuery } from '../query/bind.ts'
import { parseQuery } from '../query/parse-query.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { allOf } from '../sql/sql.ts'
import { planConditions, startPlan } from './plan-filter.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }

/** The conditions of a query on the row `r`. */
function where(collection: string, wire: Record<string, unknown>): string {
  const query = bindQuery(parseQuery(wire, limits).query, collection, library, 100)
  return postgres.compile(allOf(planConditions(query, 'r', startPlan(postgres)))).text
}

const filtered = (collection: string, filter: Record<string, unknown>) => where(collection, { filter })

/** The outer join of comments to articles: no article matches, or no article is there. */
const isOuter = (filter: Record<string, unknown>) =>
  filtered('comments', { article: filter }).includes('or not exists (select 1 from "public"."articles"')

describe('a list of values', () => {
  test('that is empty contains nothing', () => {
    expect(filtered('articles', { id: { _in: [] } })).toBe('false')
    expect(filtered('articles', { id: { _nin: [] } })).toBe('true')
  })

  test('has the same statement for any length', () => {
    expect(filtered('articles', { id: { _in: [1] } })).toBe(filtered('articles', { id: { _in: [1, 2, 3] } }))
  })
})

describe('a missing row of a to-one relation is a row of nulls', () => {
  test.each([
    ['a value', { title: 'x' }, false],
    ['another value', { title: { _neq: 'x' } }, false],
    ['null', { title: { _null: true } }, true],
    ['not null', { title: { _nnull: true } }, false],
    ['empty', { title: { _empty: true } }, true],
    ['no value of an empty list', { title: { _nin: [] } }, true],
    ['a value of an empty list', { title: { _in: [] } }, false],
    ['a child', { comments: { _some: { body: 'x' } } }, false],
    ['no child', { comments: { _none: { body: 'x' } } }, true],
    ['no child of its own to-one relation', { author: { articles: { _none: { id: 1 } } } }, true],
    ['all of several', { _and: [{ title: { _null: true } }, { status: 'x' }] }, false],
    ['one of several', { _or: [{ title: { _null: true } }, { status: 'x' }] }, true],
  ])('that matches %s: %o → %s', (_, filter, expected) => {
    expect(isOuter(filter)).toBe(expected)
  })
})

describe('a to-many relation', () => {
  test('is EXISTS, never a join', () => {
    expect(filtered('articles', { comments: { body: 'x' } })).toMatch(/^exists \(select 1 from "public"."comments"/u)
    expect(filtered('articles', { comments: { _none: { body: 'x' } } })).toMatch(/^not exists \(/u)
  })

  test('names each of its tables differently', () => {
    const text = filtered('articles', { _and: [{ comments: { body: 'x' } }, { comments: { body: 'y' } }] })
    expect(text.match(/as "(t\d+)"/gu)).toEqual(['as "t1"', 'as "t2"'])
  })
})

describe('a search', () => {
  test('looks at every searchable field', () => {
    const text = where('articles', { search: 'x' })
    expect(text).toContain('"r"."title"')
    expect(text).not.toContain('unsearched')
    expect(text).not.toContain('password')
  })

  test('without searchable fields finds nothing', () => {
    const query = bindQuery(parseQuery({}, limits).query, 'log', library, 100)
    const [condition] = planConditions({ ...query, search: { term: 0, fields: [] } }, 'r', startPlan(postgres))
    expect(condition === undefined ? '' : postgres.compile(condition).text).toBe('false')
  })

  test('is combined with the filter', () => {
    expect(where('articles', { search: 'x', filter: { id: { _in: [] } } })).toMatch(/^\(false and /u)
  })
})
