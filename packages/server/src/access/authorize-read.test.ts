import { ServiceError } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { columnOf, library } from '../testing/schema.ts'
import { planRead } from '../engine/plan-read.ts'
import { bindQuery } from '../query/bind.ts'
import type { BoundFilter, BoundQuery, BoundSelection } from '../query/bound.ts'
import { parseQuery } from '../query/parse-query.ts'
import { noCollection, noField } from '../query/resolve.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { administrator, anonymous, type Actor, type Governed } from './actor.ts'
import { authorizeRead } from './authorize-read.ts'
import { createGrantCache, visibilityOf } from './grants.ts'
import type { Permission } from './permissions.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }

const bind = (collection: string, wire: Record<string, unknown>, actor: Actor = administrator): BoundQuery =>
  bindQuery(parseQuery(wire, limits).query, collection, library, 100, false, visibilityOf(actor))

const accessOf = (actor: Actor) => ({ actor, schema: library, fits: () => true, grants: createGrantCache() })
const restricted = (collection: string, wire: Record<string, unknown>, actor: Actor) =>
  authorizeRead(bind(collection, wire, actor), accessOf(actor))

const isNotNull = (collection: string, field: string): BoundFilter => ({
  kind: 'test',
  value: { kind: 'column', field: columnOf(library, collection, field), mask: null },
  operator: '_nnull',
  operand: null,
})
/** Row rules are combined with `or`. */
const choice = (...rules: readonly BoundFilter[]): BoundFilter => ({ kind: 'or', parts: rules })

const options = {
  by: 'query' as const,
  wantsRowVersion: false,
  wantsKeys: false,
  meta: [],
  countUpTo: null,
  cursor: null,
  version: null,
}

type Granted = Pick<Permission, 'rule' | 'fields'>
type Grants = Readonly<Record<string, Granted | readonly Granted[]>>

let count = 0

/** A caller who may read only what is listed. */
function reader(grants: Grants): Actor {
  const permissionsFor = ({ name: collection }: Governed): Permission[] => {
    const granted = Object.hasOwn(grants, collection) ? [grants[collection] ?? []].flat() : []
    return granted.map((entry) => ({
      ...entry,
      id: 1,
      policy: 'p',
      collection,
      action: 'read',
      validation: null,
      presets: null,
    }))
  }
  count += 1
  return {
    ...anonymous,
    grantKey: `reader ${count}`,
    permissionsFor,
    may: (_, collection) => permissionsFor(collection).length > 0,
    fieldsFor: (collection) => {
      const lists = permissionsFor(collection).map((permission) => permission.fields)
      return lists.includes('all') ? 'all' : new Set(lists.flatMap((list) => (list === 'all' ? [] : [...list])))
    },
  }
}
const fields = (...names: readonly string[]): Granted => ({ rule: null, fields: new Set(names) })
const all: Granted = { rule: null, fields: 'all' }
const rowsWith = (field: string, ...names: readonly string[]): Granted => ({
  rule: { [field]: { _nnull: true } },
  fields: names.length === 0 ? 'all' : new Set(names),
})

function refusalOf(collection: string, wire: Record<string, unknown>, actor: Actor) {
  try {
    restricted(collection, wire, actor)
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
    articles: fields('id', 'title', 'author', 'published', 'comments'),
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
    const query = restricted('articles', { fields: 'id', search: 'x' }, actor)
    expect(query.search?.fields.map(({ field }) => field.name)).toEqual(['id', 'title', 'author'])
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
    expect(refusalOf('blocks', { fields: 'item:texts.body' }, blocks)?.extensions.code).toBe('FORBIDDEN')
    const [item] = restricted('blocks', { fields: 'item.*' }, blocks).select
    expect(item?.kind === 'any' && item.branches.map(({ collection }) => collection.name)).toEqual(['heroes'])
  })
})

describe('row rules', () => {
  const grants = {
    articles: rowsWith('published'),
    authors: rowsWith('born'),
    comments: rowsWith('created'),
    blocks: rowsWith('sort'),
    heroes: rowsWith('headline'),
    texts: all,
    students: all,
    courses: rowsWith('title'),
    enrollments: all,
  }
  const rules = {
    articles: choice(isNotNull('articles', 'published')),
    authors: choice(isNotNull('authors', 'born')),
    comments: choice(isNotNull('comments', 'created')),
    heroes: choice(isNotNull('heroes', 'headline')),
    courses: choice(isNotNull('courses', 'title')),
  }
  const actor = reader(grants)
  const authorized = (collection: string, wire: Record<string, unknown>) => restricted(collection, wire, actor)
  const textOf = (collection: string, wire: Record<string, unknown>) =>
    postgres.compile(planRead(authorized(collection, wire), options, postgres).statement).text

  test('are part of the filter, alone or beside the caller’s', () => {
    const rule = rules.articles
    expect(authorized('articles', { fields: 'id' })).toMatchObject({ filter: rule, rowRule: rule })
    expect(authorized('articles', { fields: 'id', filter: { title: 'x' } }).filter).toMatchObject({
      kind: 'and',
      parts: [rule, { kind: 'test', operator: '_eq' }],
    })
  })

  test('hold for every nested node', () => {
    const query = authorized('articles', { fields: 'author.name,comments.body,more', alias: { more: 'comments' } })
    expect(child(query, 'author').query.filter).toEqual(rules.authors)
    expect(child(query, 'comments').query.filter).toEqual(rules.comments)
    expect(child(query, 'more').query.filter).toEqual(rules.comments)
    expect(child(authorized('students', { fields: 'courses.id' }), 'courses').query.filter).toEqual(rules.courses)
    const [item] = authorized('blocks', { fields: 'item.*' }).select
    expect(item?.kind === 'any' && item.branches.map(({ query: { filter } }) => filter)).toEqual([rules.heroes, null])
  })

  test('hold for aggregates, nested and not', () => {
    expect(authorized('articles', { aggregate: { count: '*' } }).filter).toEqual(rules.articles)
    const nested = authorized('articles', { fields: 'comments', deep: { comments: { _aggregate: { count: '*' } } } })
    expect(child(nested, 'comments').query.filter).toEqual(rules.comments)
  })

  test.each([
    ['to-one', { author: { name: 'x' } }, rules.authors],
    ['_some', { comments: { _some: { body: 'x' } } }, rules.comments],
    ['_none', { comments: { _none: { body: 'x' } } }, rules.comments],
    ['a key', { comments: { _eq: 1 } }, rules.comments],
    ['whether there is any', { comments: { _nnull: true } }, rules.comments],
    ['$FOLLOW', { '$FOLLOW(comments,article)': { body: 'x' } }, rules.comments],
  ])('hold for the rows that conditions look at: %s', (_, filter, rule) => {
    const bound = authorized('articles', { fields: 'id', filter }).filter
    const condition = bound?.kind === 'and' ? bound.parts.at(-1) : undefined
    expect(condition !== undefined && 'relation' in condition && condition.relation.seen).toEqual(rule)
  })

  test('hold inside conditions on many-to-any items', () => {
    const bound = authorized('blocks', { fields: 'id', filter: { 'item:heroes': { id: 1 } } }).filter
    const condition = bound?.kind === 'and' ? bound.parts.at(-1) : undefined
    expect(condition?.kind === 'any' && [...condition.relation.seen.values()]).toEqual([rules.heroes])
  })

  test.each([
    ['a count', { fields: 'count(comments)' }, '"created" is not null'],
    ['a count in a filter', { fields: 'id', filter: { 'count(comments)': 1 } }, '"created" is not null'],
    ['sort', { fields: 'id', sort: 'author.name' }, '"born" is not null'],
    ['groupBy', { groupBy: 'author.name', aggregate: { count: '*' } }, '"born" is not null'],
  ])('hold for what %s sees of related rows', (_, wire, rule) => {
    expect(textOf('articles', wire)).toContain(rule)
  })
})

describe('fields of several rules', () => {
  const isPublished = isNotNull('articles', 'published')
  const actor = reader({ articles: [fields('id', 'title'), rowsWith('published', 'views', 'author')], authors: all })
  const maskOf = (wire: Record<string, unknown>) => restricted('articles', wire, actor).select[0]?.mask

  test('a field is seen in the rows of the rules that grant it', () => {
    expect(maskOf({ fields: 'views,title' })).toEqual(choice(isPublished))
    expect(maskOf({ fields: 'title,views' })).toBeNull()
  })

  test('where all rows that can come grant it, nothing has to be decided', () => {
    const query = restricted('articles', { fields: 'views' }, actor)
    expect([query.select[0]?.mask, query.rowRule]).toEqual([null, choice(isPublished)])
  })

  test.each([
    ['an alias', { fields: 'x,title', alias: { x: 'views' } }],
    ['a relation', { fields: 'author.name,title' }],
  ])('%s is masked like the field it stands for', (_, wire) => {
    expect(maskOf(wire)).toEqual(choice(isPublished))
  })

  test.each([
    ['filter', { filter: { views: 1 } }],
    ['sort', { sort: 'views' }],
    ['a relation in a filter', { filter: { author: { name: 'x' } } }],
    ['a relation in sort', { sort: 'author.name' }],
  ])('%s sees the mask', (_, wire) => {
    const query = restricted('articles', { fields: 'title', ...wire }, actor)
    const text = postgres.compile(planRead(query, options, postgres).statement).text
    expect(text).toContain('"published" is not null')
  })
})

describe('a key of several columns of which one is hidden in some rows', () => {
  const grants = [rowsWith('course', 'student', 'course'), fields('student')]
  const actor = reader({ students: all, enrollments: grants })

  test('keeps equal rows in the order of the whole key', () => {
    const { sort } = restricted('enrollments', { fields: '*', sort: '-course' }, actor)
    const terms = sort.map((term) =>
      term.kind === 'path' && term.path.value.kind === 'column'
        ? [term.path.value.field.name, term.path.value.mask === null]
        : [],
    )
    expect(terms).toEqual([
      ['course', false],
      ['student', true],
      ['course', true],
    ])
  })

  test('is shown where all of it may be seen', () => {
    const [list] = restricted('students', { fields: 'enrollments' }, actor).select
    expect(list?.kind === 'keys' && list.keyMask).toEqual(choice(isNotNull('enrollments', 'course')))
  })
})

test('a wildcard selects what may be read', () => {
  const query = restricted('articles', { fields: '*' }, reader({ articles: fields('id', 'title', 'comments') }))
  expect(query.select.map(({ as }) => as)).toEqual(['id', 'title'])
})

test('rows can be listed without the right to read their key', () => {
  expect(refusalOf('articles', { fields: 'title' }, reader({ articles: fields('title') }))).toBeNull()
})

describe('the administrator', () => {
  test('sees everything, and the query stays as it is', () => {
    const bound = bind('articles', { fields: '*.*', filter: { author: { name: 'x' } }, search: 'x' })
    expect(authorizeRead(bound, accessOf(administrator))).toEqual(bound)
  })
})

test('a query that nobody has authorized cannot be planned', () => {
  const bound = bind('articles', {})
  // @ts-expect-error: planners take Authorized<BoundQuery> only
  expect(() => planRead(bound, options, postgres)).not.toThrow()
  expect(() => planRead(authorizeRead(bound, accessOf(administrator)), options, postgres)).not.toThrow()
})
