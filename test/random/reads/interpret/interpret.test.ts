import { describe, expect, it } from 'vitest'
import type { Aggregate, Filter, GroupTerm, Operator, Query, Selection, SortTerm, Subject } from '../ast.ts'
import { daysOf } from '../../database/clock.ts'
import { difference } from './expected.ts'
import { library, NOON, sketchModel } from '../../database/fixture.ts'
import { interpret } from './interpret.ts'
import type { Cell } from '../../database/model.ts'

const field = (name: string, fn?: Subject['fn']): Selection => ({
  kind: 'field',
  subject: fn === undefined ? { name } : { name, fn },
})
const nest = (name: string, fields: readonly Selection[] | null, deep: Query | object = {}): Selection => ({
  kind: 'relation',
  field: name,
  fields,
  bareToo: false,
  deep,
})
const test = (name: string, op: Operator, ...operands: Cell[]): Filter => ({
  kind: 'test',
  subject: { name },
  op,
  operands,
  other: false,
})
const call = (fn: Subject['fn'] & string, name: string, op: Operator, ...operands: Cell[]): Filter => ({
  kind: 'test',
  subject: { name, fn },
  op,
  operands,
  other: false,
})
const one = (name: string, filter: Filter): Filter => ({ kind: 'one', field: name, filter })
const some = (name: string, filter: Filter): Filter => ({ kind: 'some', field: name, filter, flat: true })
const none = (name: string, filter: Filter): Filter => ({ kind: 'none', field: name, filter })
const all = (...items: Filter[]): Filter => ({ kind: 'and', items, flat: true })
const any = (...items: Filter[]): Filter => ({ kind: 'or', items })
const by = (path: string, desc = false): SortTerm => {
  const steps = path.split('.')
  return { path: steps.slice(0, -1), subject: { name: steps.at(-1)! }, desc }
}

function read(collection: string, query: Partial<Query> = {}): unknown {
  return JSON.parse(JSON.stringify(interpret(library, { collection, ...query }).data))
}

function ids(collection: string, query: Partial<Query> = {}): unknown {
  const rows = interpret(library, { collection, fields: [field('id')], ...query }).data
  return rows.map((row) => (row as { id: unknown }).id)
}

const matches = (filter: Filter): unknown => ids('articles', { filter })

describe('values', () => {
  it('prints each type as the service does', () => {
    expect(read('articles', { limit: 1 })).toEqual([
      {
        id: 10,
        title: 'One',
        author: 1,
        editor: 2,
        views: '5',
        price: '1.5000',
        at: '2024-01-01T12:00:00.123456Z',
        status: 'live',
        tags: ['a', 'b'],
      },
    ])
    expect(read('articles', { fields: [field('price'), field('at')], filter: test('id', '_gt', 11) })).toEqual([
      { price: null, at: '2024-01-01T11:59:59.999999Z' },
      { price: '-2.5000', at: '2024-01-01T12:00:00.000Z' },
    ])
  })

  it('knows parts of dates', () => {
    const fields = [field('born', 'year'), field('born', 'week'), field('born', 'weekday')]
    expect(read('authors', { fields })).toEqual([
      { born_year: 1990, born_week: 1, born_weekday: 1 },
      { born_year: 2021, born_week: 53, born_weekday: 0 },
      { born_year: null, born_week: null, born_weekday: null },
    ])
    expect(read('articles', { fields: [field('at', 'hour'), field('at', 'second')], limit: 3 })).toEqual([
      { at_hour: 12, at_second: 0 },
      { at_hour: null, at_second: null },
      { at_hour: 11, at_second: 59 },
    ])
  })

  it('counts lists and children', () => {
    expect(read('articles', { fields: [field('tags', 'count'), field('comments', 'count')] })).toEqual([
      { tags_count: 2, comments_count: 2 },
      { tags_count: null, comments_count: 0 },
      { tags_count: null, comments_count: 0 },
      { tags_count: 0, comments_count: 1 },
    ])
  })
})

describe('filters', () => {
  it('match only what is true', () => {
    expect(matches(test('title', '_neq', 'One'))).toEqual([11, 13])
    expect(matches(test('title', '_ncontains', 'O'))).toEqual([11, 13])
    expect(matches(test('views', '_nin', 5n))).toEqual([13])
    expect(matches(any(test('views', '_eq', 5n), test('title', '_eq', '')))).toEqual([10, 11, 12])
    expect(matches(test('price', '_nbetween', 0n, 10000n))).toEqual([10, 13])
  })

  it('treat null, empty and empty lists as agreed', () => {
    expect(matches(test('title', '_eq', null))).toEqual([12])
    expect(matches(test('title', '_neq', null))).toEqual([10, 11, 13])
    expect(matches(test('title', '_empty', true))).toEqual([11, 12])
    expect(matches(test('title', '_empty', false))).toEqual([10, 13])
    expect(matches(test('title', '_nempty', true))).toEqual([10, 13])
    expect(matches(test('title', '_null', false))).toEqual([10, 11, 13])
    expect(matches(test('views', '_in'))).toEqual([])
    expect(matches(test('views', '_nin'))).toEqual([10, 11, 12, 13])
    expect(matches(any())).toEqual([])
    expect(matches(all())).toEqual([10, 11, 12, 13])
  })

  it('compare enums by text and numbers exactly', () => {
    expect(matches(test('status', '_icontains', 'A'))).toEqual([11, 12])
    expect(matches(test('views', '_gt', 9007199254740992n))).toEqual([13])
    expect(matches(test('at', '_gte', NOON))).toEqual([10, 13])
    expect(matches(test('at', '_eq', NOON + 123000))).toEqual([])
  })

  it('take wildcards for ordinary characters', () => {
    expect(matches(test('title', '_contains', '_'))).toEqual([13])
    expect(ids('authors', { filter: test('name', '_iends_with', 'N%') })).toEqual([3])
    expect(ids('authors', { filter: test('name', '_istarts_with', 'ANN') })).toEqual([1, 3])
  })

  it('see a missing row as one of nulls', () => {
    expect(matches(one('author', test('country', '_null', true)))).toEqual([12, 13])
    expect(matches(one('author', test('country', '_neq', 'KE')))).toEqual([10, 11])
    expect(matches(one('author', none('articles_by_author', all())))).toEqual([12])
    expect(matches(one('author', call('count', 'articles_by_author', '_lt', 9)))).toEqual([10, 11, 13])
    expect(matches(test('author', '_eq', 1))).toEqual([10, 11])
    expect(matches(one('author', call('count', 'articles_by_author', '_null', true)))).toEqual([])
    expect(matches(one('author', call('count', 'articles_by_author', '_nnull', true)))).toEqual([10, 11, 13])
    expect(matches(one('author', call('count', 'articles_by_author', '_nin')))).toEqual([10, 11, 12, 13])
  })

  it('look for one child that meets everything', () => {
    expect(matches(some('comments', all(test('likes', '_eq', 3), test('note', '_eq', 'good'))))).toEqual([10])
    expect(matches(some('comments', all(test('likes', '_eq', 3), test('note', '_eq', 'bad'))))).toEqual([])
    expect(matches(none('comments', test('likes', '_gt', 1)))).toEqual([11, 12])
    expect(matches(none('comments', test('likes', '_lt', 1)))).toEqual([10, 11, 12, 13])
    expect(matches({ kind: 'exists', field: 'comments', op: '_null', value: true })).toEqual([11, 12])
    expect(matches({ kind: 'exists', field: 'comments', op: '_null', value: false })).toEqual([10, 13])
    expect(matches({ kind: 'member', field: 'comments', key: 3 })).toEqual([13])
  })

  it('search what the term can apply to', () => {
    expect(ids('articles', { search: 'ONE' })).toEqual([10])
    expect(ids('articles', { search: '5' })).toEqual([10, 12])
    expect(ids('articles', { search: '0.25' })).toEqual([11])
    expect(ids('articles', { search: '13' })).toEqual([13])
    expect(ids('articles', { search: 'live' })).toEqual([10])
    expect(ids('articles', { search: 'nobody' })).toEqual([])
  })
})

describe('order and pages', () => {
  it('put null last, or first when descending, and the key at the end', () => {
    expect(ids('articles', { sort: [by('views')] })).toEqual([10, 12, 13, 11])
    expect(ids('articles', { sort: [by('views', true)] })).toEqual([11, 13, 10, 12])
    expect(ids('articles', { sort: [by('status')] })).toEqual([12, 10, 11, 13])
    expect(ids('articles', { sort: [by('author.country')] })).toEqual([10, 11, 12, 13])
    expect(ids('articles', { sort: [by('author.country', true)] })).toEqual([12, 13, 10, 11])
  })

  it('take the best child in that direction', () => {
    expect(ids('articles', { sort: [by('comments.likes')] })).toEqual([10, 13, 11, 12])
    expect(ids('articles', { sort: [by('comments.likes', true)] })).toEqual([10, 11, 12, 13])
  })

  it('cut pages', () => {
    expect(ids('articles', { limit: 2, page: 2 })).toEqual([12, 13])
    expect(ids('articles', { limit: 2, offset: 1 })).toEqual([11, 12])
    expect(ids('articles', { limit: 0 })).toEqual([])
    expect(ids('articles', { limit: -1, offset: 3 })).toEqual([13])
    expect(
      interpret(library, { collection: 'articles', limit: 1, counts: true, filter: test('views', '_eq', 5n) }).meta,
    ).toEqual({ total_count: 4, filter_count: 2 })
  })

  it('sort text by its bytes', () => {
    const model = sketchModel({
      words: { types: { id: 'text' }, rows: [['ä'], ['a'], ['B'], ['\u{1F600}'], ['\uFFFD'], ['']] },
    })
    const order = interpret(model, { collection: 'words' }).data.map((row) => (row as { id: string }).id)
    expect(order).toEqual(['', 'B', 'a', 'ä', '\uFFFD', '\u{1F600}'])
  })
})

describe('relations', () => {
  it('nest, list keys, and follow junctions', () => {
    expect(read('articles', { fields: [nest('author', [field('name')])], limit: 3 })).toEqual([
      { author: { name: 'Ann' } },
      { author: { name: 'Ann' } },
      { author: null },
    ])
    expect(read('authors', { fields: [nest('articles_by_author', null), nest('articles_by_editor', null)] })).toEqual([
      { articles_by_author: [10, 11], articles_by_editor: [12] },
      { articles_by_author: [13], articles_by_editor: [10, 13] },
      { articles_by_author: [], articles_by_editor: [] },
    ])
    expect(read('students', { fields: [nest('courses', [field('title')]), nest('enrollments', null)] })).toEqual([
      { courses: [{ title: 'Logic' }, { title: 'Art' }], enrollments: ['m,1', 'm,2'] },
      { courses: [{ title: 'Logic' }], enrollments: ['t,1'] },
      { courses: [], enrollments: [] },
    ])
    expect(read('comments', { fields: [nest('comments', null)] })).toEqual([
      { comments: [2, 3] },
      { comments: [] },
      { comments: [4] },
      { comments: [] },
    ])
  })

  it('name composite references like the table, with escaped keys', () => {
    expect(read('notes', { fields: [nest('lines', null)] })).toEqual([
      { lines: 'a%2Cb,1' },
      { lines: null },
      { lines: null },
      { lines: '100%25%2Fx,2' },
    ])
    expect(read('notes', { fields: [nest('lines', [field('product')])], limit: 2 })).toEqual([
      { lines: { product: 'Pen' } },
      { lines: null },
    ])
    expect(read('lines', { fields: [field('no'), nest('notes', [field('note')])] })).toEqual([
      { no: 2, notes: [{ note: 'wet' }] },
      { no: 1, notes: [{ note: 'soft' }] },
    ])
  })

  it('shape nested lists per parent', () => {
    const fields = [nest('articles_by_editor', [field('id')], { sort: [by('id', true)], limit: 1 })]
    expect(read('authors', { fields })).toEqual([
      { articles_by_editor: [{ id: 12 }] },
      { articles_by_editor: [{ id: 13 }] },
      { articles_by_editor: [] },
    ])
    const filtered = [nest('author', [field('id')], { filter: test('country', '_null', true) })]
    expect(read('articles', { fields: filtered })).toEqual([
      { author: null },
      { author: null },
      { author: null },
      { author: { id: 2 } },
    ])
  })

  it('expand stars', () => {
    const rows = read('enrollments', { fields: [{ kind: 'starstar' }], limit: 1 })
    expect(rows).toEqual([{ student: { id: 'm', name: 'Mina' }, course: { id: 1, title: 'Logic' }, grade: 4 }])
    const nested = read('enrollments', { fields: [nest('course', [field('title')]), { kind: 'star' }], limit: 1 })
    expect(nested).toEqual([{ student: 'm', course: { title: 'Logic' }, grade: 4 }])
  })

  it('give an inferred field its qualified name where a column has the plain one', () => {
    const foreignKeys = [{ columns: ['a'], target: 'parents', targetColumns: ['id'] }]
    const model = sketchModel({
      parents: { types: { id: 'integer', kids: 'text' }, rows: [[1, 'x']] },
      kids: { types: { id: 'integer', a: 'integer' }, foreignKeys, rows: [[1, 1]] },
    })
    expect([...model.relations.get('parents')!.keys()]).toEqual(['kids_by_a'])
  })

  it('name two ways to the far table after the column and after the junction', () => {
    const model = sketchModel({
      a: { types: { id: 'integer' }, rows: [] },
      b: {
        types: { id: 'integer', a: 'integer' },
        foreignKeys: [{ columns: ['a'], target: 'a', targetColumns: ['id'] }],
        rows: [],
      },
      j: {
        types: { x: 'integer', y: 'integer' },
        key: ['x', 'y'],
        foreignKeys: [
          { columns: ['x'], target: 'a', targetColumns: ['id'] },
          { columns: ['y'], target: 'b', targetColumns: ['id'] },
        ],
        rows: [],
      },
    })
    expect([...model.relations.get('a')!.keys()]).toEqual(['b_by_a', 'j', 'b_via_j'])
    expect([...model.relations.get('b')!.keys()]).toEqual(['a', 'j', 'a_via_j'])
  })
})

describe('aggregates', () => {
  const group = (
    aggregates: readonly Aggregate[],
    groupBy: readonly GroupTerm[] = [],
    rest: Partial<Query> = {},
  ): unknown => read('articles', { grouping: { aggregates, groupBy, sort: [] }, ...rest })

  it('count, add up and find the ends', () => {
    expect(group([{ fn: 'count', fields: ['*'] }])).toEqual([{ count: '4' }])
    const sums: Aggregate[] = [
      { fn: 'count', fields: ['views'] },
      { fn: 'countDistinct', fields: ['views'] },
      { fn: 'sum', fields: ['views', 'price'] },
      { fn: 'sumDistinct', fields: ['views'] },
      { fn: 'min', fields: ['price', 'at'] },
      { fn: 'max', fields: ['title'] },
    ]
    expect(group(sums)).toEqual([
      {
        count: { views: '3' },
        countDistinct: { views: '2' },
        sum: { views: '9007199254741003', price: '-0.7500' },
        sumDistinct: { views: '9007199254740998' },
        min: { price: '-2.5000', at: '2024-01-01T11:59:59.999999Z' },
        max: { title: 'Two_' },
      },
    ])
    const nothing = { filter: test('id', '_lt', 0) }
    expect(
      group(
        [
          { fn: 'sum', fields: ['views'] },
          { fn: 'count', fields: ['id'] },
        ],
        [],
        nothing,
      ),
    ).toEqual([{ sum: { views: null }, count: { id: '0' } }])
  })

  it('group by fields, functions and paths', () => {
    const count: Aggregate[] = [{ fn: 'count', fields: ['*'] }]
    expect(group(count, [{ path: [], subject: { name: 'author' } }])).toEqual([
      { author: 1, count: '2' },
      { author: 2, count: '1' },
      { author: null, count: '1' },
    ])
    expect(group(count, [{ path: ['author'], subject: { name: 'country' } }])).toEqual([
      { author: { country: 'GB' }, count: '2' },
      { author: { country: null }, count: '2' },
    ])
    expect(group(count, [{ path: [], subject: { name: 'at', fn: 'year' } }], { limit: 1 })).toEqual([
      { at_year: 2024, count: '3' },
    ])
  })

  it('give averages to compare within a tolerance', () => {
    const grouping = { aggregates: [{ fn: 'avg', fields: ['price'] } as const], groupBy: [], sort: [] }
    const { data } = interpret(library, { collection: 'articles', grouping })
    expect(difference(data, [{ avg: { price: '-0.25000000000000000000' } }])).toBe(null)
    expect(difference(data, [{ avg: { price: '-0.2501' } }])).toContain('.avg.price')
    expect(difference(data, [{ avg: { price: -0.25 } }])).toContain('.avg.price')
  })

  it('order groups by aggregates', () => {
    const grouping: Query['grouping'] = {
      aggregates: [{ fn: 'max', fields: ['views'] }],
      groupBy: [{ path: [], subject: { name: 'editor' } }],
      sort: [{ by: 'aggregate', fn: 'max', field: 'views', desc: true }],
    }
    expect(read('articles', { grouping })).toEqual([
      { editor: null, max: { views: null } },
      { editor: 2, max: { views: '9007199254740993' } },
      { editor: 1, max: { views: '5' } },
    ])
  })
})

describe('comparison', () => {
  it('tells own keys called like inherited ones', () => {
    const row: unknown = JSON.parse('{"__proto__": 1, "constructor": null}')
    expect(difference(row, JSON.parse('{"constructor": null, "__proto__": 1}'))).toBe(null)
    expect(difference(row, JSON.parse('{"constructor": null}'))).toContain('__proto__')
    expect(difference({}, JSON.parse('{"__proto__": 1}'))).toContain('__proto__')
  })

  it('minds order, types and extra keys', () => {
    expect(difference([1, 2], [2, 1])).toContain('[0]')
    expect(difference({ a: '1' }, { a: 1 })).toContain('.a')
    expect(difference({ a: 1 }, { a: 1, b: 2 })).toContain('.b')
    expect(daysOf(1970, 1, 2)).toBe(1)
  })
})
