import { ServiceError } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { library } from '../testing/schema.ts'
import { bindQuery } from './bind.ts'
import type { BoundFilter, BoundQuery, BoundSelection, BoundSort } from './bound.ts'
import { parseQuery } from './parse-query.ts'
import { noCollection, noField } from './resolve.ts'

const limits = { depth: 10, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }

const bind = (collection: string, wire: Record<string, unknown>): BoundQuery =>
  bindQuery(parseQuery(wire, limits).query, collection, library, 100)

function errorOf(collection: string, wire: Record<string, unknown>): ServiceError {
  try {
    bind(collection, wire)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const keysOf = (select: readonly BoundSelection[]) => select.map(({ as }) => as)

function nestedOf({ select }: BoundQuery, as: string): BoundQuery {
  const found = select.find((selection) => selection.as === as)
  if (found === undefined || !('query' in found)) throw new Error(`"${as}" is not nested`)
  return found.query
}

/** A sort term as a caller would write it. */
const sortText = (sort: BoundSort): string => {
  const sign = sort.descending ? '-' : ''
  if (sort.kind !== 'path') return `${sign}${sort.kind} ${sort.index}`
  const { steps, value } = sort.path
  return `${sign}${'·'.repeat(steps.length)}${value.kind === 'count' ? 'count' : value.field.name}`
}
const sortOf = (collection: string, wire: Record<string, unknown>) => bind(collection, wire).sort.map(sortText)

describe('names that do not exist', () => {
  const inArticles = (name: string, at = 'root') => noField(name, 'articles', at).toWire()

  test('a collection', () => {
    for (const name of ['nope', '__proto__', 'constructor'])
      expect(errorOf(name, {}).toWire()).toEqual(noCollection(name).toWire())
  })

  test.each([
    ['fields', { fields: 'nope' }],
    ['a path', { fields: 'nope.x' }],
    ['a function', { fields: 'year(nope)' }],
    ['an alias', { fields: 'x', alias: { x: 'nope' } }],
    ['filter', { filter: { nope: 1 } }],
    ['filter with an empty list', { filter: { nope: { _nin: [] } } }],
    ['filter beside a branch that matches all', { filter: { _or: [{}, { nope: 1 }] } }],
    ['filter by function', { filter: { 'year(nope)': 1 } }],
    ['filter inside JSON', { filter: { nope: { _json: { a: 1 } } } }],
    ['_none', { filter: { nope: { _none: { a: 1 } } } }],
    ['sort', { sort: '-nope' }],
    ['aggregate', { aggregate: { sum: 'nope' } }],
    ['groupBy', { groupBy: 'nope' }],
    ['deep', { deep: { nope: { _limit: 1 } } }],
  ])('in %s is answered like one that may not be read', (_, wire) => {
    expect(errorOf('articles', wire).toWire()).toEqual(inArticles('nope'))
  })

  test.each(['__proto__', 'constructor', 'toString', 'divider'])('"%s" is no field', (name) => {
    const deep: unknown = JSON.parse(`{"${name}": {"_limit": 1}}`)
    const filter: unknown = JSON.parse(`{"${name}": 1}`)
    for (const wire of [{ fields: name }, { sort: name }, { filter }, { deep }, { groupBy: name }])
      expect(errorOf('articles', wire).toWire()).toEqual(inArticles(name))
  })

  test('deeper down, the place is told', () => {
    expect(errorOf('comments', { fields: 'article.nope' }).toWire()).toEqual(inArticles('nope', 'article'))
    expect(errorOf('comments', { filter: { article: { nope: 1 } } }).toWire()).toEqual(inArticles('nope', 'article'))
    expect(errorOf('comments', { sort: 'article.nope' }).toWire()).toEqual(inArticles('nope', 'article'))
    expect(errorOf('articles', { filter: { '$FOLLOW(nope,x)': { id: 1 } } }).code).toBe('FORBIDDEN')
    expect(errorOf('articles', { filter: { '$FOLLOW(comments,body)': { id: 1 } } }).code).toBe('FORBIDDEN')
  })

  test.each([
    { fields: 'title:x.y' },
    { fields: 'author:authors.name' },
    { sort: 'title:x' },
    { sort: 'author:authors.name' },
    { filter: { 'author:authors': { name: 'x' } } },
    { filter: { 'comments:comments': { _some: { id: 1 } } } },
    { filter: { 'title:x': 1 } },
  ])('a scope where there is nothing to choose: %j', (wire) => {
    expect(errorOf('articles', wire).code).toBe('FORBIDDEN')
  })
})

describe('wildcards', () => {
  test('are the columns and the declared relations, without what holds no data or is inferred', () => {
    expect(keysOf(bind('articles', {}).select)).toEqual([
      'id',
      'title',
      'status',
      'author',
      'published',
      'views',
      'details',
      'document',
      'external_id',
      'featured',
      'password',
      'unsearched',
      'comments',
    ])
    expect(keysOf(bind('students', {}).select)).toEqual(['id', 'name'])
  })

  test('a second star follows relations, of every kind', () => {
    const query = bind('comments', { fields: '*.*' })
    expect(keysOf(nestedOf(query, 'article').select)).toContain('title')
    const blocks = bind('pages', { fields: '*.*.*' }).select.find(({ kind }) => kind === 'many')
    expect(blocks?.kind === 'many' && blocks.query.select.map(({ kind }) => kind)).toContain('any')
  })

  test('without backlinks they do not return where they came from', () => {
    const walk = (backlink: boolean) => nestedOf(bind('articles', { fields: '*.*.*', backlink }), 'author').select
    expect(walk(true).find(({ as }) => as === 'articles')?.kind).toBe('many')
    expect(walk(false).find(({ as }) => as === 'articles')?.kind).toBe('keys')
  })

  test('a name that is asked for goes back even without backlinks', () => {
    const query = bind('articles', { fields: 'author.articles.title', backlink: false })
    expect(nestedOf(nestedOf(query, 'author'), 'articles').select).toMatchObject([{ as: 'title' }])
  })

  test('nested queries reach what a wildcard turns up', () => {
    const query = bind('articles', { fields: '*.*', deep: { comments: { _limit: 3 } } })
    expect(nestedOf(query, 'comments').limit).toBe(3)
    expect(nestedOf(bind('articles', { deep: { comments: { _limit: 3 } } }), 'comments').limit).toBe(3)
  })
})

describe('selections', () => {
  test('a relation without a path gives keys', () => {
    expect(bind('articles', { fields: 'author,comments' }).select.map(({ kind }) => kind)).toEqual(['column', 'keys'])
    expect(bind('students', { fields: 'courses,enrollments' }).select.map(({ kind }) => kind)).toEqual(['keys', 'keys'])
    expect(bind('line_notes', { fields: 'order_lines' }).select).toMatchObject([
      { kind: 'key', fields: [{ name: 'order_no' }, { name: 'line_no' }] },
    ])
  })

  test('a path wins over the plain field of the same key', () => {
    expect(bind('articles', { fields: '*,author.name' }).select.find(({ as }) => as === 'author')?.kind).toBe('one')
  })

  test('aliases give one relation several shapes', () => {
    const wire = {
      fields: 'few.body,all.likes',
      alias: { few: 'comments', all: 'comments' },
      deep: { few: { _limit: 1 }, all: { _limit: -1 } },
    }
    const query = bind('articles', wire)
    expect(keysOf(query.select)).toEqual(['few', 'all'])
    expect([nestedOf(query, 'few').limit, nestedOf(query, 'all').limit]).toEqual([1, -1])
  })

  test('functions have to fit the type', () => {
    expect(bind('articles', { fields: 'year(published),count(comments)' }).select.map(({ kind }) => kind)).toEqual([
      'function',
      'count',
    ])
    for (const field of [
      'year(title)',
      'hour(views)',
      'count(title)',
      'count(author)',
      'json(title,a)',
      'year(password)',
    ])
      expect(errorOf('articles', { fields: field }).message).toContain('Invalid function specified')
  })

  test('children without a key can only be selected by their fields', () => {
    expect(bind('log', { fields: 'path' }).select).toHaveLength(1)
  })

  test('a path that goes on after a plain column is refused', () => {
    expect(errorOf('articles', { fields: 'title.x' }).code).toBe('FORBIDDEN')
  })
})

describe('many-to-any', () => {
  const branchesOf = (fields: string) => {
    const [item] = bind('blocks', { fields }).select
    return item?.kind === 'any'
      ? item.branches.map(({ collection, query }) => [collection.name, keysOf(query.select)])
      : []
  }

  test('collections that are gone are not among its targets', () => {
    expect(branchesOf('item.*')).toEqual([
      ['heroes', ['id', 'headline']],
      ['texts', ['id', 'content']],
    ])
  })

  test('a scope shapes one collection; the others keep their key', () => {
    expect(branchesOf('item:heroes.headline')).toEqual([['heroes', ['headline']]])
    expect(branchesOf('item:heroes.headline,item:texts.content')).toEqual([
      ['heroes', ['headline']],
      ['texts', ['content']],
    ])
  })

  test('without a scope a field has to exist everywhere', () => {
    expect(errorOf('blocks', { fields: 'item.headline' }).toWire()).toEqual(
      noField('headline', 'texts', 'item').toWire(),
    )
  })

  test('a scope that is not allowed does not exist', () => {
    for (const wire of [
      { fields: 'item:pages.title' },
      { fields: 'item:gone.title' },
      { filter: { 'item:pages': { title: 'x' } } },
      { sort: 'item:pages.title' },
      { deep: { 'item:pages': { _limit: 1 } } },
    ])
      expect(errorOf('blocks', wire).code).toBe('FORBIDDEN')
  })

  test('a filter has to say which collection it means', () => {
    expect(bind('blocks', { filter: { 'item:heroes': { headline: 'x' } } }).filter).toMatchObject({
      kind: 'any',
      target: { name: 'heroes' },
    })
    expect(errorOf('blocks', { filter: { item: { headline: 'x' } } }).message).toContain('name one of them')
  })

  test('$FOLLOW finds the rows that lead here', () => {
    const filter = { '$FOLLOW(blocks,item,collection)': { sort: 1 } }
    expect(bind('heroes', { filter }).filter).toMatchObject({ kind: 'many', relation: { kind: 'reverse-any' } })
    expect(errorOf('pages', { filter }).code).toBe('FORBIDDEN')
  })
})

describe('filters', () => {
  const filterOf = (collection: string, filter: object): BoundFilter | null => bind(collection, { filter }).filter

  test('an operator has to fit the type, and the message says so', () => {
    expect(errorOf('articles', { filter: { views: { _contains: 'x' } } }).message).toBe(
      'Invalid query. "bigInteger" field type does not contain the "_contains" filter operator.',
    )
    expect(errorOf('articles', { filter: { details: { _eq: 'x' } } }).code).toBe('INVALID_QUERY')
    expect(errorOf('articles', { filter: { featured: { _in: [] } } }).code).toBe('INVALID_QUERY')
    expect(errorOf('articles', { filter: { title: { _json: { a: 1 } } } }).code).toBe('INVALID_QUERY')
    expect(errorOf('articles', { filter: { 'year(published)': { _contains: 'x' } } }).code).toBe('INVALID_QUERY')
  })

  test('what is concealed can only be asked whether it is there', () => {
    expect(filterOf('articles', { password: { _empty: true } })).toMatchObject({ kind: 'test' })
    expect(errorOf('articles', { filter: { password: { _eq: 'x' } } }).code).toBe('INVALID_QUERY')
  })

  test('a condition on a to-many field looks at the keys of its items', () => {
    expect(filterOf('articles', { comments: { _eq: 5 } })).toMatchObject({
      kind: 'many',
      quantifier: 'some',
      filter: { kind: 'test', value: { field: { name: 'id' } } },
    })
    expect(filterOf('articles', { comments: { _null: true } })).toMatchObject({ kind: 'many', quantifier: 'none' })
    expect(errorOf('students', { filter: { enrollments: 1 } }).message).toContain('has no key of one column')
  })

  test('_none needs something to-many', () => {
    expect(errorOf('articles', { filter: { author: { _none: { id: 1 } } } }).message).toContain('_none needs a to-many')
    expect(filterOf('articles', { author: { _some: { id: 1 } } })).toMatchObject({ kind: 'one' })
  })

  test('a relation of several columns is null when one of them is', () => {
    expect(filterOf('line_notes', { order_lines: { _null: true } })).toMatchObject({ kind: 'or' })
    expect(filterOf('line_notes', { order_lines: { _nnull: true } })).toMatchObject({ kind: 'and' })
    expect(errorOf('line_notes', { filter: { order_lines: 1 } }).message).toContain('several columns')
  })

  test('$FOLLOW leads back over a foreign key', () => {
    expect(filterOf('articles', { '$FOLLOW(comments,article)': { likes: 1 } })).toMatchObject({
      kind: 'many',
      relation: { kind: 'many', to: { name: 'comments' }, columns: ['id'], toColumns: ['article'] },
    })
  })
})

describe('order', () => {
  test('the key always comes last, once', () => {
    expect(sortOf('articles', {})).toEqual(['id'])
    expect(sortOf('articles', { sort: '-title' })).toEqual(['-title', 'id'])
    expect(sortOf('articles', { sort: '-id' })).toEqual(['-id'])
    expect(sortOf('order_lines', { sort: 'line_no' })).toEqual(['line_no', 'order_no'])
    expect(sortOf('articles', { sort: 'author.id' })).toEqual(['·id', 'id'])
  })

  test('what has no key is ordered by all it can be ordered by', () => {
    expect(sortOf('log', { sort: '-path' })).toEqual(['-path', 'at'])
  })

  test('a collection’s sort field comes before its key', () => {
    expect(sortOf('courses', {})).toEqual(['title', 'id'])
  })

  test('children come in the relation’s order first', () => {
    expect(nestedOf(bind('pages', { fields: 'blocks.id' }), 'blocks').sort.map(sortText)).toEqual(['sort', 'id'])
    expect(nestedOf(bind('students', { fields: 'courses.id' }), 'courses').sort.map(sortText)).toEqual(['title', 'id'])
  })

  test('groups are ordered by what they are made of', () => {
    const wire = { aggregate: { count: '*', sum: 'views' }, groupBy: 'author.country,year(published)' }
    expect(sortOf('articles', wire)).toEqual(['group 0', 'group 1'])
    expect(sortOf('articles', { ...wire, sort: '-sum.views,year(published)' })).toEqual([
      '-aggregate 1',
      'group 1',
      'group 0',
    ])
    expect(sortOf('articles', { ...wire, sort: '-count' })).toEqual(['-aggregate 0', 'group 0', 'group 1'])
    expect(errorOf('articles', { ...wire, sort: 'title' }).message).toContain('"title" is neither')
  })
})

describe('aggregates and search', () => {
  test.each([
    { aggregate: { sum: 'title' } },
    { aggregate: { avg: 'published' } },
    { aggregate: { min: 'details' } },
    { aggregate: { max: 'featured' } },
    { aggregate: { min: 'external_id' } },
    { aggregate: { max: 'document' } },
    { aggregate: { countDistinct: 'details' } },
    { aggregate: { count: 'password' } },
    { groupBy: 'details' },
    { groupBy: 'comments.likes' },
  ])('%j does not fit', (wire) => {
    expect(errorOf('articles', wire).code).toBe('INVALID_QUERY')
  })

  test('groups stand under the keys of their path', () => {
    const groups = bind('articles', { groupBy: 'author.country,year(published)' }).aggregate?.groups
    expect(groups?.map(({ keys }) => keys)).toEqual([['author', 'country'], ['published_year']])
  })

  test('search looks into text, numbers and uuids that are neither concealed nor excluded', () => {
    const fields = bind('articles', { search: 'x' }).search?.fields.map(({ field }) => field.name)
    expect(fields).toEqual(['id', 'title', 'status', 'author', 'views', 'external_id'])
  })
})

describe('deep', () => {
  test('names a relation that exists, whether or not it is selected', () => {
    expect(() => bind('articles', { fields: 'id', deep: { comments: { article: { author: {} } } } })).not.toThrow()
    expect(errorOf('articles', { fields: 'id', deep: { comments: { nope: {} } } }).code).toBe('FORBIDDEN')
    expect(errorOf('articles', { deep: { title: { _limit: 1 } } }).message).toContain('"title" is no relation')
  })

  test('follows an alias', () => {
    expect(() => bind('articles', { alias: { c: 'comments' }, deep: { c: { article: {} } } })).not.toThrow()
  })
})
