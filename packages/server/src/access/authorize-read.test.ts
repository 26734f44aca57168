import { ServiceError } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { columnOf, library } from '../../../../test/schema-fixture.ts'
import { planRead } from '../engine/plan-read.ts'
import { bindQuery } from '../query/bind.ts'
import type { BoundFilter, BoundQuery, BoundSelection } from '../query/bound.ts'
import { parseQuery } from '../query/parse-query.ts'
import { noCollection, noField } from '../query/resolve.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { administrator, anonymous, type Actor, type ReadGrant } from './actor.ts'
import { authorizeRead } from './authorize-read.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }

const bind = (collection: string, wire: Record<string, unknown>): BoundQuery =>
  bindQuery(parseQuery(wire, limits).query, collection, library, 100)

const isNotNull = (collection: string, field: string): BoundFilter => ({
  kind: 'test',
  value: { kind: 'column', field: columnOf(library, collection, field) },
  operator: '_nnull',
  operand: null,
})

const options = {
  by: 'query' as const,
  wantsRowVersion: false,
  wantsKeys: false,
  meta: [],
  cursor: null,
  version: null,
}

type Grants = Readonly<Record<string, ReadGrant>>

/** Somebody who may read what is listed and nothing else. */
const reader = (grants: Grants): Actor => ({
  ...anonymous,
  grantKey: 'reader',
  readGrant: ({ name }) => (Object.hasOwn(grants, name) ? (grants[name] ?? null) : null),
})
const fields = (...names: readonly string[]): ReadGrant => ({ rows: null, fields: new Set(names) })
const all: ReadGrant = { rows: null, fields: 'all' }
const rowsOf = (collection: string, field: string): ReadGrant => ({ rows: isNotNull(collection, field), fields: 'all' })

function refusalOf(collection: string, wire: Record<string, unknown>, actor: Actor) {
  const bound = bind(collection, wire)
  try {
    authorizeRead(bound, actor)
  } catch (error) {
    if (error instanceof ServiceError) return error.toWire()
    throw error
  }
  return null
}

function child({ select }: BoundQuery, as: string): Extract<BoundSelection, { query: BoundQuery }> {
  const found = select.find((selection) => selection.as === as)
  if (found === undefined || !('query' in found)) throw new Error(`"${as}" is not nested`)
  return found
}

describe('a column that may not be read', () => {
  const actor = reader({
    articles: fields('id', 'title', 'author', 'published'),
    authors: fields('id', 'name', 'articles'),
    comments: fields('id', 'article', 'likes'),
  })
  const views = noField('views', 'articles').toWire()

  test.each([
    ['fields', { fields: 'views' }],
    ['an alias', { fields: 'x', alias: { x: 'views' } }],
    ['filter', { fields: 'id', filter: { views: 1 } }],
    ['filter for null', { fields: 'id', filter: { views: { _null: true } } }],
    ['filter with an empty list', { fields: 'id', filter: { views: { _nin: [] } } }],
    ['filter without conditions', { fields: 'id', filter: { views: {} } }],
    ['filter inside _or', { fields: 'id', filter: { _or: [{ id: 1 }, { views: 1 }] } }],
    ['sort', { fields: 'id', sort: '-views' }],
    ['aggregate', { aggregate: { sum: 'views' } }],
    ['groupBy', { groupBy: 'views', aggregate: { count: '*' } }],
  ])('is refused in %s, in the words for one that does not exist', (_, wire) => {
    expect(refusalOf('articles', wire, actor)).toEqual(views)
  })

  test.each([
    ['a function', 'articles', { fields: 'json(document,a)' }],
    ['a function in a filter', 'comments', { fields: 'id', filter: { 'year(created)': 1 } }],
    ['a function in sort', 'comments', { fields: 'id', sort: 'year(created)' }],
    ['a function in groupBy', 'comments', { groupBy: 'year(created)' }],
    ['_json', 'articles', { fields: 'id', filter: { document: { _json: { a: 1 } } } }],
    ['a path', 'comments', { fields: 'article.views' }],
    ['a filter over a relation', 'comments', { fields: 'id', filter: { article: { views: 1 } } }],
    ['a filter over two', 'comments', { fields: 'id', filter: { article: { author: { secret: 'x' } } } }],
    ['a to-many filter', 'articles', { fields: 'id', filter: { comments: { _none: { body: 'x' } } } }],
    ['$FOLLOW', 'articles', { fields: 'id', filter: { '$FOLLOW(comments,article)': { body: 'x' } } }],
    ['a sort over a relation', 'comments', { fields: 'id', sort: 'article.views' }],
    ['a sort over a to-many relation', 'articles', { fields: 'id', sort: 'comments.body' }],
    ['a group over a relation', 'comments', { groupBy: 'article.views' }],
    ['deep filter', 'articles', { fields: 'comments.id', deep: { comments: { _filter: { body: 'x' } } } }],
    ['deep sort', 'articles', { fields: 'comments.id', deep: { comments: { _sort: 'body' } } }],
    ['deep aggregate', 'articles', { fields: 'comments', deep: { comments: { _aggregate: { min: 'created' } } } }],
    ['deep on keys', 'articles', { fields: 'comments', deep: { comments: { _filter: { body: 'x' } } } }],
  ])('is refused in %s', (_, collection, wire) => {
    expect(refusalOf(collection, wire, actor)?.extensions.code).toBe('FORBIDDEN')
  })

  test('what is allowed stays allowed beside it', () => {
    const wire = {
      fields: 'title,author.name,comments.likes,year(published)',
      filter: { author: { name: 'x' } },
      sort: 'title',
    }
    expect(refusalOf('articles', wire, actor)).toBeNull()
  })

  test('search does not look into it', () => {
    const query = authorizeRead(bind('articles', { fields: 'id', search: 'x' }), actor)
    expect(query.search?.fields.map(({ name }) => name)).toEqual(['id', 'title', 'author'])
  })

  test('a relation needs the columns it goes over', () => {
    const blind = reader({ articles: fields('id', 'title'), authors: all, comments: fields('id', 'body') })
    for (const wire of [
      { fields: 'author.name' },
      { fields: 'comments.body' },
      { fields: 'count(comments)' },
      { fields: 'id', filter: { author: { name: 'x' } } },
      { fields: 'id', filter: { comments: { _nnull: true } } },
      { fields: 'id', filter: { 'count(comments)': 1 } },
      { fields: 'id', sort: 'author.name' },
      { fields: 'id', filter: { '$FOLLOW(comments,article)': { id: 1 } } },
    ])
      expect(refusalOf('articles', wire, blind)?.extensions.code).toBe('FORBIDDEN')
  })

  test('a junction and a many-to-any column are looked at too', () => {
    const students = { students: all, courses: all, enrollments: fields('student') }
    expect(refusalOf('students', { fields: 'courses.title' }, reader(students))?.extensions.code).toBe('FORBIDDEN')
    const blocks = { blocks: fields('id', 'item'), heroes: all, texts: all }
    expect(refusalOf('blocks', { fields: 'item:heroes.headline' }, reader(blocks))?.extensions.code).toBe('FORBIDDEN')
    expect(
      refusalOf('heroes', { filter: { '$FOLLOW(blocks,item,collection)': { id: 1 } } }, reader(blocks)),
    ).not.toBeNull()
  })
})

describe('a collection that may not be read', () => {
  const actor = reader({ articles: all, comments: all })

  test('is refused in the words for one that does not exist', () => {
    expect(refusalOf('authors', {}, actor)).toEqual(noCollection('authors').toWire())
    expect(refusalOf('articles', {}, anonymous)).toEqual(noCollection('articles').toWire())
  })

  test.each([
    { fields: 'author.name' },
    { fields: 'id', filter: { author: { name: 'x' } } },
    { fields: 'id', sort: 'author.name' },
    { groupBy: 'author.name' },
  ])('is refused behind a relation too: %j', (wire) => {
    expect(refusalOf('articles', wire, actor)?.extensions.code).toBe('FORBIDDEN')
  })

  test('its keys that stand in a readable column are readable', () => {
    expect(refusalOf('articles', { fields: 'author' }, actor)).toBeNull()
  })

  test('a branch of many-to-any is refused like any other', () => {
    const blocks = reader({ blocks: all, heroes: all })
    expect(refusalOf('blocks', { fields: 'item:heroes.headline' }, blocks)).toBeNull()
    expect(refusalOf('blocks', { fields: 'item.*' }, blocks)).toEqual(noCollection('texts', 'item').toWire())
  })
})

describe('row rules', () => {
  const rules = {
    articles: rowsOf('articles', 'published'),
    authors: rowsOf('authors', 'born'),
    comments: rowsOf('comments', 'created'),
    blocks: rowsOf('blocks', 'sort'),
    heroes: rowsOf('heroes', 'headline'),
    texts: all,
    students: all,
    courses: rowsOf('courses', 'title'),
    enrollments: all,
  }
  const actor = reader(rules)
  const authorized = (collection: string, wire: Record<string, unknown>) => authorizeRead(bind(collection, wire), actor)

  test('are part of the filter, alone or beside the caller’s', () => {
    const rule = rules.articles.rows
    expect(authorized('articles', { fields: 'id' })).toMatchObject({ filter: rule, rowRule: rule })
    expect(authorized('articles', { fields: 'id', filter: { title: 'x' } }).filter).toMatchObject({
      kind: 'and',
      parts: [{ kind: 'test', operator: '_eq' }, rule],
    })
  })

  test('hold for every nested node', () => {
    const query = authorized('articles', { fields: 'author.name,comments.body,more', alias: { more: 'comments' } })
    expect(child(query, 'author').query.filter).toEqual(rules.authors.rows)
    expect(child(query, 'comments').query.filter).toEqual(rules.comments.rows)
    expect(child(query, 'more').query.filter).toEqual(rules.comments.rows)
    expect(child(authorized('students', { fields: 'courses.id' }), 'courses').query.filter).toEqual(rules.courses.rows)
    const [item] = authorized('blocks', { fields: 'item.*' }).select
    expect(item?.kind === 'any' && item.branches.map(({ query: { filter } }) => filter)).toEqual([
      rules.heroes.rows,
      null,
    ])
  })

  test('hold for aggregates, nested and not', () => {
    expect(authorized('articles', { aggregate: { count: '*' } }).filter).toEqual(rules.articles.rows)
    const nested = authorized('articles', { fields: 'comments', deep: { comments: { _aggregate: { count: '*' } } } })
    expect(child(nested, 'comments').query.filter).toEqual(rules.comments.rows)
  })

  test.each([
    ['to-one', { author: { name: 'x' } }, rules.authors.rows],
    ['_some', { comments: { _some: { body: 'x' } } }, rules.comments.rows],
    ['_none', { comments: { _none: { body: 'x' } } }, rules.comments.rows],
    ['a key', { comments: { _eq: 1 } }, rules.comments.rows],
    ['whether there is any', { comments: { _nnull: true } }, rules.comments.rows],
    ['$FOLLOW', { '$FOLLOW(comments,article)': { body: 'x' } }, rules.comments.rows],
  ])('hold inside conditions on related rows: %s', (_, filter, rule) => {
    const bound = authorized('articles', { fields: 'id', filter }).filter
    const [condition] = bound?.kind === 'and' ? bound.parts : []
    expect(condition !== undefined && 'filter' in condition && JSON.stringify(condition.filter)).toContain(
      JSON.stringify(rule),
    )
  })

  test('hold inside conditions on many-to-any items', () => {
    const bound = authorized('blocks', { fields: 'id', filter: { 'item:heroes': { id: 1 } } }).filter
    expect(bound).toMatchObject({
      parts: [{ kind: 'any', filter: { kind: 'and', parts: [{}, rules.heroes.rows] } }, {}],
    })
  })
})

describe('still to come with access rules', () => {
  const actor = reader({ articles: all, comments: rowsOf('comments', 'created'), authors: rowsOf('authors', 'born') })
  const textOf = (wire: Record<string, unknown>) =>
    postgres.compile(planRead(authorizeRead(bind('articles', wire), actor), options, postgres).statement).text

  test.fails.each([
    ['a count', { fields: 'count(comments)' }, '"created" is not null'],
    ['a count in a filter', { fields: 'id', filter: { 'count(comments)': 1 } }, '"created" is not null'],
    ['sort', { fields: 'id', sort: 'author.name' }, '"born" is not null'],
    ['groupBy', { groupBy: 'author.name', aggregate: { count: '*' } }, '"born" is not null'],
  ])('row rules hold for what %s sees of related rows', (_, wire, rule) => {
    expect(textOf(wire)).toContain(rule)
  })

  test.fails('a wildcard selects what may be read', () => {
    expect(refusalOf('articles', { fields: '*' }, reader({ articles: fields('id', 'title') }))).toBeNull()
  })

  test.fails('rows can be listed without the right to read their key', () => {
    expect(refusalOf('articles', { fields: 'title' }, reader({ articles: fields('title') }))).toBeNull()
  })
})

describe('the administrator', () => {
  test('sees everything, and the query stays as it is', () => {
    const bound = bind('articles', { fields: '*.*', filter: { author: { name: 'x' } }, search: 'x' })
    expect(authorizeRead(bound, administrator)).toEqual(bound)
  })
})

test('a query that nobody has authorized cannot be planned', () => {
  const bound = bind('articles', {})
  // @ts-expect-error: planners take Authorized<BoundQuery> only
  expect(() => planRead(bound, options, postgres)).not.toThrow()
  expect(() => planRead(authorizeRead(bound, administrator), options, postgres)).not.toThrow()
})
