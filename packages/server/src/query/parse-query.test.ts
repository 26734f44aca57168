import { queryParameters } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { parseQuery, type QueryLimits } from './parse-query.ts'

const limits: QueryLimits = { depth: 4, jsonDepth: 10, listLength: 100, limitDefault: 100, limitMax: null }
const parse = (wire: Record<string, unknown>, more: Partial<QueryLimits> = {}) =>
  parseQuery(wire, { ...limits, ...more })
const queryOf = (wire: Record<string, unknown>, more: Partial<QueryLimits> = {}) => parse(wire, more).query
const segment = (name: string, more: object = {}) => ({ name, scope: null, fn: null, json: null, ...more })

describe('parameters', () => {
  test('nothing asked is everything in the collection’s own order', () => {
    expect(parse({})).toEqual({
      query: {
        select: [{ kind: 'all', children: null, deep: {}, aliased: [] }],
        filter: null,
        search: null,
        sort: null,
        limit: 100,
        offset: null,
        aggregate: null,
        backlink: true,
        alias: {},
        deep: {},
      },
      values: [],
      meta: [],
      countUpTo: null,
      cursor: null,
      seek: null,
      export: null,
    })
  })

  test('an unknown parameter is refused and the nearest known name is told', () => {
    expect(() => parse({ fliter: {} })).toThrow('There is no parameter "fliter"; did you mean "filter"?')
    expect(() => parse({ groupby: 'a' })).toThrow('did you mean "groupBy"?')
    expect(() => parse({ somethingelse: 1 })).toThrow(/There is no parameter "somethingelse"\.$/u)
  })

  test.each(['__proto__', 'constructor', 'toString', 'version', '_filter'])('"%s" is no parameter', (name) => {
    const wire = JSON.parse(`{"${name}": 1}`) as Record<string, unknown>
    expect(() => parse(wire)).toThrow(`There is no parameter "${name}"`)
  })

  test('every parameter of the table can be given', () => {
    const given = {
      fields: 'id',
      filter: {},
      search: 'x',
      sort: 'id',
      limit: 1,
      offset: 1,
      page: 1,
      aggregate: { count: '*' },
      groupBy: 'id',
      deep: {},
      alias: {},
      backlink: false,
      meta: '*',
      count_up_to: 10,
      cut: 200,
      export: 'csv',
    }
    expect(() => parse(given)).not.toThrow()
    expect([...Object.keys(given), 'cursor', 'seek'].toSorted()).toEqual(Object.keys(queryParameters).toSorted())
  })
})

describe('seek', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['0.63', 0.63],
    [' 0.5 ', 0.5],
    ['1e-7', 1e-7],
    [0.25, 0.25],
    [null, null],
  ])('%j', (seek, share) => {
    expect(parse({ seek }).seek).toBe(share)
  })

  test.each(['-0.1', '1.01', 'x', '', '0x1', 'NaN', 'Infinity', '1e9', -1, 2, true, [0.5], { a: 1 }])(
    'is not %j',
    (seek) => {
      expect(() => parse({ seek })).toThrow('"seek" has to be a number from 0 to 1')
    },
  )

  test.each([
    { cursor: 'x' },
    { offset: 0 },
    { page: 1 },
    { aggregate: { count: '*' } },
    { groupBy: 'id' },
    { export: 'csv' },
  ])('is alone, without %j', (other) => {
    expect(() => parse({ seek: 0.5, ...other })).toThrow('"seek" cannot be combined with')
  })
})

describe('limit, offset and page', () => {
  test.each([
    [{ limit: 5 }, 5, []],
    [{ limit: '5' }, 5, []],
    [{ limit: 0 }, 0, []],
    [{ limit: -1 }, -1, []],
    [{ limit: 10, offset: '3' }, 10, [3]],
    [{ limit: 10, page: 3 }, 10, [20]],
    [{ limit: 10, page: 3, offset: 5 }, 10, [20]],
    [{ limit: 10, page: 1 }, 10, []],
    [{ limit: 10, page: 0, offset: 5 }, 10, [5]],
    [{ limit: -1, page: 3 }, -1, []],
    [{ page: 2 }, 100, [100]],
  ])('%j', (wire, limit, values) => {
    const parsed = parse(wire)
    expect(parsed.query.limit).toBe(limit)
    expect(parsed.values).toEqual(values)
    expect(parsed.query.offset).toBe(values.length === 0 ? null : 0)
  })

  test.each([
    [{ limit: -2 }, '"limit" has to be a whole number, at least -1'],
    [{ limit: 'ten' }, '"limit" has to be a whole number'],
    [{ limit: '' }, '"limit" has to be a whole number'],
    [{ limit: 1.5 }, '"limit" has to be a whole number'],
    [{ limit: '1e3' }, '"limit" has to be a whole number'],
    [{ limit: [1] }, '"limit" has to be a whole number'],
    [{ offset: -1 }, '"offset" has to be a whole number, at least 0'],
    [{ page: '99999999999999999999' }, '"page" has to be a whole number'],
    [{ page: Number.MAX_SAFE_INTEGER, limit: 100 }, '"page" is too large'],
  ])('%j is refused: %s', (wire, reason) => {
    expect(() => parse(wire)).toThrow(reason)
  })

  test('a largest limit is not exceeded silently', () => {
    expect(queryOf({}, { limitMax: 50 }).limit).toBe(50)
    expect(queryOf({ limit: -1 }, { limitMax: 50 }).limit).toBe(50)
    expect(queryOf({ limit: 50 }, { limitMax: 50 }).limit).toBe(50)
    expect(() => parse({ limit: 51 }, { limitMax: 50 })).toThrow('"limit" may be at most 50')
    expect(() => parse({ deep: { a: { _limit: 51 } } }, { limitMax: 50 })).toThrow('"limit" may be at most 50')
  })
})

describe('sort', () => {
  test('a minus turns the order around, unless it is part of the name', () => {
    expect(queryOf({ sort: String.raw`-a,\-b,c.d` }).sort).toEqual([
      { path: [segment('a')], descending: true },
      { path: [segment('-b')], descending: false },
      { path: [segment('c'), segment('d')], descending: false },
    ])
  })

  test('functions, scopes and JSON paths', () => {
    const { query, values } = parse({ sort: ['-year(a.b)', 'item:heroes.x', 'json(details, p.q)'] })
    expect(query.sort?.map(({ path }) => path)).toEqual([
      [segment('a'), segment('b', { fn: 'year' })],
      [segment('item', { scope: 'heroes' }), segment('x')],
      [segment('details', { fn: 'json', json: 0 })],
    ])
    expect(values).toEqual([['p', 'q']])
  })

  test('an empty sort is none', () => {
    for (const sort of ['', [], ',']) expect(queryOf({ sort }).sort).toBeNull()
  })

  test('its depth is limited, and nothing follows a function', () => {
    expect(() => parse({ sort: 'a.b.c.d.e' })).toThrow('Max relational depth exceeded')
    expect(() => parse({ sort: 'year(a.b.c.d.e)' })).toThrow('Max relational depth exceeded')
    expect(() => parse({ sort: 'year(a).b' })).toThrow('A path cannot go on after a function')
  })
})

describe('aggregate and groupBy', () => {
  test('a group that is named twice is one group', () => {
    expect(queryOf({ groupBy: ['a', 'b', 'a'] }).aggregate?.groups).toHaveLength(2)
  })

  test('functions of fields, of all rows, and groups', () => {
    const aggregate = { count: '*,id', sum: ['a', 'a'], countAll: 'ignored' }
    expect(queryOf({ aggregate, groupBy: 'x.y,year(z)' }).aggregate).toEqual({
      functions: [
        { fn: 'count', name: null },
        { fn: 'count', name: 'id' },
        { fn: 'sum', name: 'a' },
        { fn: 'countAll', name: null },
      ],
      groups: [[segment('x'), segment('y')], [segment('z', { fn: 'year' })]],
    })
  })

  test('names that objects inherit are fields', () => {
    expect(queryOf({ aggregate: { min: '__proto__,constructor' } }).aggregate?.functions).toEqual([
      { fn: 'min', name: '__proto__' },
      { fn: 'min', name: 'constructor' },
    ])
  })

  test.each([
    [{ avrg: 'a' }, 'There is no aggregate function "avrg"; did you mean "avg"?'],
    [{ countDistnct: 'a' }, 'did you mean "countDistinct"?'],
    [{ constructor: 'a' }, 'There is no aggregate function "constructor"'],
    [{ sum: '*' }, 'sum takes fields, not *'],
    [{ sum: '' }, '"aggregate[sum]" names no field'],
    [{ sum: 'a.b' }, 'sum takes a field of the collection'],
    [{ sum: 'year(a)' }, 'sum takes a field of the collection'],
    [{}, '"aggregate" names no function'],
    ['{', 'Invalid JSON for aggregate object'],
  ])('%j is refused: %s', (aggregate, reason) => {
    expect(() => parse({ aggregate })).toThrow(reason)
  })

  test('groups have no cursor', () => {
    expect(() => parse({ groupBy: 'a', meta: 'cursor' })).toThrow('Groups have no cursor')
  })
})

describe('deep', () => {
  test('shapes nested lists, level by level, and belongs to the selections it names', () => {
    const wire = { fields: 'a.b.x', deep: { a: { _limit: 1, b: { _filter: { c: 2 }, _sort: '-d' } } } }
    const [a] = queryOf(wire).select
    expect(a).toMatchObject({
      kind: 'nested',
      name: 'a',
      query: { limit: 1 },
      children: [{ kind: 'nested', name: 'b', query: { limit: 100, filter: { kind: 'test' }, sort: [{}] } }],
    })
  })

  test('a scoped node belongs to its scope, an unscoped one to all', () => {
    const deep = { 'item:heroes': { _limit: 1 }, item: { _limit: 2 } }
    const select = queryOf({ fields: 'item:heroes.x,item:texts.y', deep }).select
    expect(select).toMatchObject([{ query: { limit: 1 } }, { query: { limit: 2 } }])
  })

  test('an alias has its own node', () => {
    const wire = { fields: 'one.x', alias: { one: 'a' }, deep: { one: { _limit: 7, _alias: { y: 'z' } } } }
    expect(queryOf(wire).select).toMatchObject([{ name: 'a', as: 'one', query: { limit: 7 } }])
  })

  test.each([
    [{ _limit: 1 }, '"_limit" has to stand under a relation inside deep'],
    [{ a: 1 }, '"deep[a]" has to be an object'],
    [{ a: { _limt: 1 } }, 'There is no argument "_limt" in deep; did you mean "_limit"?'],
    [{ a: { _fields: 'x' } }, 'There is no argument "_fields" in deep'],
    [{ a: { _cursor: 'x' } }, 'There is no argument "_cursor" in deep'],
    [{ a: { b: 1 } }, '"deep[b]" has to be an object'],
    [{ a: { b: { c: { d: { e: {} } } } } }, 'Max relational depth exceeded'],
    [{ a: { _sort: 'a.b.c.d.e' } }, 'Max relational depth exceeded'],
    [{ a: { _limit: -2 } }, '"limit" has to be a whole number'],
    ['{', 'Invalid JSON for deep object'],
  ])('%j is refused: %s', (deep, reason) => {
    expect(() => parse({ deep })).toThrow(reason)
  })

  test('names that objects inherit are names', () => {
    const deep: unknown = JSON.parse('{"__proto__": {"_limit": 1}, "constructor": {"_limit": 2}}')
    const parsed = queryOf({ deep, fields: '__proto__.a,constructor.a,toString.a' })
    expect(parsed.select).toMatchObject([{ query: { limit: 1 } }, { query: { limit: 2 } }, { query: null }])
    expect(Object.keys(parsed.deep)).toEqual(['__proto__', 'constructor'])
  })
})

describe('alias', () => {
  test.each([
    [{ 'a.b': 'c' }, 'An alias name cannot contain a dot: "a.b"'],
    [{ a: 'b.c' }, 'An alias cannot follow a relation: "b.c"'],
    [{ a: 1, b: { c: 1 } }, '"alias[b]" has to be text'],
    ['[]', '"alias" has to be an object'],
  ])('%j is refused: %s', (alias, reason) => {
    expect(() => parse({ alias })).toThrow(reason)
  })

  test('names that objects inherit are names', () => {
    const alias: unknown = JSON.parse('{"__proto__": "title", "constructor": "year(a)"}')
    expect(queryOf({ alias, fields: '__proto__,constructor,toString' }).select).toMatchObject([
      { kind: 'field', name: 'title', as: '__proto__' },
      { kind: 'function', name: 'a', as: 'constructor' },
      { kind: 'field', name: 'toString', as: 'toString' },
    ])
  })
})

describe('the rest', () => {
  test('search is trimmed, and nothing is no search', () => {
    expect(parse({ search: '  a b ' }).values).toEqual(['a b'])
    expect(queryOf({ search: '  ' }).search).toBeNull()
    expect(parse({ search: 42 }).values).toEqual(['42'])
    expect(() => parse({ search: {} })).toThrow('"search" has to be text')
    expect(() => parse({ search: 'a\u0000' })).toThrow('NUL')
  })

  test('meta', () => {
    expect(parse({ meta: '*' }).meta).toEqual(['total_count', 'filter_count'])
    expect(parse({ meta: ['cursor,filter_count', 'cursor'] }).meta).toEqual(['cursor', 'filter_count'])
    expect(() => parse({ meta: 'count' })).toThrow('There is no meta value "count"; known are total_count')
  })

  test('a cursor stands for a place, so it excludes offset and page', () => {
    expect(parse({ cursor: 'x' }).cursor).toBe('x')
    for (const more of [{ offset: 1 }, { page: 1 }])
      expect(() => parse({ cursor: 'x', ...more })).toThrow('A cursor cannot be combined with offset or page')
  })

  test('backlink is on unless it is switched off', () => {
    expect(['false', false].map((backlink) => queryOf({ backlink }).backlink)).toEqual([false, false])
    expect(['true', '', 0].map((backlink) => queryOf({ backlink }).backlink)).toEqual([true, true, true])
  })

  test('export', () => {
    expect(parse({ export: 'xml' }).export).toBe('xml')
    for (const format of ['pdf', 'constructor'])
      expect(() => parse({ export: format })).toThrow(`There is no export format "${format}"`)
  })

  test('requests that differ only in values have the same tree', () => {
    const wire = (value: string) => ({ filter: { a: value, b: { _in: [value] } }, search: value, offset: value })
    expect(JSON.stringify(queryOf(wire('1')))).toBe(JSON.stringify(queryOf(wire('2'))))
  })
})
