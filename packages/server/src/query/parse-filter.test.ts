import { operators, type Operator } from '@tain/contract'
import { describe, expect, test } from 'vitest'
import { isUnconditional, parseFilter } from './parse-filter.ts'
import { collectValues } from './values.ts'

const limits = { depth: 4, jsonDepth: 3, listLength: 3 }

function parse(wire: unknown) {
  const values = collectValues()
  return { filter: parseFilter(wire, values, limits), values: values.list }
}

const filterOf = (wire: unknown) => parse(wire).filter
const tested = (name: string, operator: Operator, operand: number | null, fn: string | null = null) => ({
  kind: 'test',
  field: { name, fn },
  operator,
  operand,
})
const related = (name: string, filter: unknown, quantifier = 'some', scope: string | null = null) => ({
  kind: 'relation',
  name,
  scope,
  quantifier,
  filter,
})
const deepFilter = (keys: number): unknown => (keys === 0 ? 1 : { a: deepFilter(keys - 1) })
const logical = (levels: number): unknown => (levels === 0 ? { a: 1 } : { _or: [logical(levels - 1), { b: 1 }] })

describe('the shape of operands', () => {
  const shaped = (shape: string) =>
    (Object.keys(operators) as Operator[]).filter((name) => operators[name].operand === shape)

  test.each(shaped('value'))('%s takes one plain value', (operator) => {
    expect(parse({ a: { [operator]: 'x' } })).toEqual({ filter: tested('a', operator, 0), values: ['x'] })
    expect(() => parse({ a: { [operator]: [1] } })).toThrow(`"a" ${operator} has to be a plain value`)
    expect(() => parse({ a: { [operator]: { b: 1 } } })).toThrow(`"a" ${operator} has to be a plain value`)
  })

  test.each(shaped('list'))('%s takes an array, a comma list, or positions as keys', (operator) => {
    for (const list of [['x', 'y'], 'x,y', { 0: 'x', 1: 'y' }])
      expect(parse({ a: { [operator]: list } })).toEqual({ filter: tested('a', operator, 0), values: [['x', 'y']] })
    expect(parse({ a: { [operator]: 7 } }).values).toEqual([[7]])
    expect(() => parse({ a: { [operator]: [1, 2, 3, 4] } })).toThrow(`"a" ${operator} has more than 3 values`)
    expect(() => parse({ a: { [operator]: 'x,' } })).toThrow('has an empty value')
    expect(() => parse({ a: { [operator]: [[1]] } })).toThrow('has to be a plain value')
  })

  test.each(shaped('list'))('an empty list of %s needs no value and keeps the name to be checked', (operator) => {
    for (const list of [[], '', {}])
      expect(parse({ a: { [operator]: list } })).toEqual({ filter: tested('a', operator, null), values: [] })
  })

  test.each(shaped('pair'))('%s takes exactly two values', (operator) => {
    expect(parse({ a: { [operator]: '1,2' } })).toEqual({ filter: tested('a', operator, 0), values: [['1', '2']] })
    for (const list of [[1], [1, 2, 3], [], '1'])
      expect(() => parse({ a: { [operator]: list } })).toThrow(`"a" ${operator} takes two values`)
  })

  const opposites = { _null: '_nnull', _nnull: '_null', _empty: '_nempty', _nempty: '_empty' } as const

  test.each(Object.entries(opposites))('%s takes a flag; false turns it into %s', (operator, opposite) => {
    for (const yes of [true, 'true', '', 1, '1'])
      expect(filterOf({ a: { [operator]: yes } })).toEqual(tested('a', operator as Operator, null))
    for (const no of [false, 'false', 0, '0'])
      expect(filterOf({ a: { [operator]: no } })).toEqual(tested('a', opposite, null))
    for (const neither of ['yes', 2, null])
      expect(() => filterOf({ a: { [operator]: neither } })).toThrow('takes true or false')
  })

  test.each(shaped('geometry'))('%s takes an object or its text', (operator) => {
    const point = { type: 'Point', coordinates: [1, 2] }
    expect(parse({ a: { [operator]: point } }).values).toEqual([point])
  })

  test('every operator has one of these shapes', () => {
    const seen = ['value', 'list', 'pair', 'flag', 'json', 'geometry'].flatMap(shaped)
    expect(seen.toSorted()).toEqual(Object.keys(operators).toSorted())
  })
})

describe('values', () => {
  test('the words of an address stand for what they name', () => {
    expect(parse({ a: 'true', b: 'false' }).values).toEqual([true, false])
    expect(filterOf({ a: 'null' })).toEqual(tested('a', '_null', null))
    expect(filterOf({ a: { _neq: 'NULL' } })).toEqual(tested('a', '_nnull', null))
  })

  test('numbers and texts stay what they are', () => {
    expect(parse({ a: 1.5, b: '1.5', c: '  x ' }).values).toEqual([1.5, '1.5', '  x '])
  })

  test.each([
    ['', 'has an empty value; use _empty to look for empty text'],
    [Number.NaN, 'is no number'],
    [Number.POSITIVE_INFINITY, 'is no number'],
    ['a\u0000b', 'contains a NUL character'],
  ])('%j is refused: %s', (value, reason) => {
    expect(() => parse({ a: { _eq: value } })).toThrow(reason)
  })

  test('null is only equal or not equal', () => {
    expect(() => parse({ a: { _gt: null } })).toThrow('"a" _gt cannot be compared with null')
    expect(() => parse({ a: { _contains: 'null' } })).toThrow('"a" _contains cannot be compared with null')
  })
})

describe('the tree', () => {
  test('a filter without conditions is null, or every part of it is without conditions', () => {
    for (const wire of [{}, '{}', { _and: [] }, { _and: [{}] }, { _or: [{}] }, { _or: { 0: {} } }])
      expect(filterOf(wire)).toBeNull()
    for (const wire of [{ _and: [{}, {}] }, { _or: [{ a: 1 }, {}] }, { _or: [{ _and: [{ a: 1 }, { _or: [] }] }, {}] }])
      expect([wire, isUnconditional(filterOf(wire)!)]).toEqual([wire, true])
    for (const wire of [{ _or: [] }, { _and: [{}, { a: 1 }] }, { a: { _some: {} } }, { a: { _nin: [] } }])
      expect([wire, isUnconditional(filterOf(wire)!)]).toEqual([wire, false])
  })

  test('an _or without branches matches nothing', () => {
    const nothing = { kind: 'constant', value: false }
    expect(filterOf({ _or: [] })).toEqual(nothing)
    expect(filterOf({ _and: [{ _or: [] }] })).toEqual(nothing)
    expect(filterOf({ _or: [{ _or: [] }, { a: 1 }] })).toEqual({ kind: 'or', parts: [nothing, tested('a', '_eq', 0)] })
    expect(filterOf({ author: { _or: [] } })).toEqual(related('author', nothing))
    expect(filterOf({ comments: { _none: { _or: [] } } })).toEqual(related('comments', nothing, 'none'))
    expect(filterOf({ a: { _json: { _or: [] } } })).toMatchObject({ kind: 'json' })
  })

  test('several keys all have to hold', () => {
    expect(filterOf({ a: 1, b: { _gt: 2, _lt: 3 } })).toEqual({
      kind: 'and',
      parts: [tested('a', '_eq', 0), { kind: 'and', parts: [tested('b', '_gt', 1), tested('b', '_lt', 2)] }],
    })
  })

  test('a choice of one is no choice', () => {
    expect(filterOf({ _or: [{ a: 1 }] })).toEqual(tested('a', '_eq', 0))
    expect(filterOf({ _or: { 0: { a: 1 }, 1: { b: 2 } } })).toEqual({
      kind: 'or',
      parts: [tested('a', '_eq', 0), tested('b', '_eq', 1)],
    })
  })

  test('a branch without conditions is kept beside the names of the others', () => {
    expect(filterOf({ _or: [{}, { a: 1 }] })).toEqual({
      kind: 'or',
      parts: [{ kind: 'constant', value: true }, tested('a', '_eq', 0)],
    })
  })

  test.each([
    [{ a: {} }, 'a'],
    [{ a: { _eq: 1 }, b: {} }, 'b'],
    [{ _and: [{ a: 1 }, { b: {} }] }, 'b'],
    [{ _or: [{ a: 1 }, { b: {} }] }, 'b'],
    [{ author: { name: {} } }, 'name'],
    [{ author: { _and: [] } }, 'author'],
    [{ author: { _or: [{}, { a: 1 }] } }, 'author'],
    [{ comments: { _some: { body: {} } } }, 'body'],
    [{ comments: { _none: { body: {} } } }, 'body'],
    [{ 'item:heroes': {} }, 'item:heroes'],
    [{ 'year(published)': {} }, 'year(published)'],
    [{ 'year(author.born)': {} }, 'year(author.born)'],
    [{ '$FOLLOW(comments,article)': {} }, '$FOLLOW(comments,article)'],
    [{ details: { _json: { level: {} } } }, 'level'],
    [{ details: { _json: { level: { _eq: 1 }, pages: {} } } }, 'pages'],
    [{ details: { _json: { _and: [] } } }, 'details'],
    [{ details: { _json: { _or: [{ a: 1 }, { _and: [] }] } } }, 'details'],
  ])('%j is refused: %s has no operator', (wire, name) => {
    expect(() => filterOf(wire)).toThrow(`The filter on "${name}" has no operator`)
  })

  // Queries of extensions are no JSON, so that members without a value arrive here.
  test.each([
    { a: undefined },
    { a: { _eq: undefined } },
    { a: { _neq: undefined } },
    { a: { _nin: undefined } },
    { a: { _nin: [1, undefined] } },
    { a: { _null: undefined } },
    { 'year(a)': undefined },
    { author: { name: undefined } },
    { a: { _json: { level: undefined } } },
  ])('%j is refused: its value is undefined', (wire) => {
    expect(() => filterOf(wire)).toThrow('is undefined')
  })

  test('names below a field are conditions on the related item', () => {
    expect(filterOf({ author: { name: 'x', _or: [{ a: 1 }, { b: 2 }] } })).toMatchObject(
      related('author', { kind: 'and', parts: [tested('name', '_eq', 0), { kind: 'or' }] }),
    )
    expect(filterOf({ author: { _nnull: true, name: 'x' } })).toEqual({
      kind: 'and',
      parts: [tested('author', '_nnull', null), related('author', tested('name', '_eq', 0))],
    })
  })

  test('_some and _none hold a filter of their own', () => {
    expect(filterOf({ comments: { _none: { likes: 1 } } })).toEqual(
      related('comments', tested('likes', '_eq', 0), 'none'),
    )
    expect(filterOf({ comments: { _some: {} } })).toEqual(related('comments', { kind: 'constant', value: true }))
    expect(() => filterOf({ comments: { _some: 1 } })).toThrow('The filter on "_some" has to be an object')
  })

  test('a scope chooses among the collections of a many-to-any field', () => {
    expect(filterOf({ 'item:heroes': { headline: 'x' } })).toEqual(
      related('item', tested('headline', '_eq', 0), 'some', 'heroes'),
    )
  })

  test('functions stand as keys, with the path inside', () => {
    expect(filterOf({ 'year(author.born)': { _gte: 1900 } })).toEqual(
      related('author', tested('born', '_gte', 0, 'year')),
    )
    expect(filterOf({ 'count(comments)': 3 })).toEqual(tested('comments', '_eq', 0, 'count'))
    expect(() => filterOf({ 'json(details, a)': 1 })).toThrow('json() cannot be filtered; use _json on the field')
  })

  test('$FOLLOW names another collection and its field', () => {
    expect(filterOf({ '$FOLLOW(comments, article)': { likes: 1 } })).toEqual({
      kind: 'follow',
      collection: 'comments',
      field: 'article',
      collectionField: null,
      filter: tested('likes', '_eq', 0),
    })
    expect(filterOf({ '$FOLLOW(blocks,item,collection)': { id: 1 } })).toMatchObject({ collectionField: 'collection' })
    expect(() => filterOf({ '$FOLLOW(a,b)': 1 })).toThrow('has to be an object')
  })

  test('names that objects inherit are names', () => {
    const wire: unknown = JSON.parse('{"__proto__": 1, "constructor": {"__proto__": {"_eq": 2}}}')
    expect(filterOf(wire)).toEqual({
      kind: 'and',
      parts: [tested('__proto__', '_eq', 0), related('constructor', tested('__proto__', '_eq', 1))],
    })
  })
})

describe('refusals', () => {
  test.each([
    [{ _eq: 1 }, '"_eq" has to stand under a field'],
    [{ a: { _equals: 1 } }, 'There is no operator "_equals"'],
    [{ a: { _starts_wiht: 1 } }, 'There is no operator "_starts_wiht"; did you mean "_starts_with"?'],
    [{ a: { _constructor: 1 } }, 'There is no operator "_constructor"'],
    [{ a: [1, 2] }, 'The filter on "a" has to be a value or an object'],
    [{ _and: 1 }, '"_and" has to be a list of filters'],
    [{ _or: [1] }, '"_or" has to be a list of filters'],
    ['{', 'Invalid JSON for filter object'],
    ['[]', '"filter" has to be an object'],
    [1, '"filter" has to be an object'],
  ])('%j: %s', (wire, reason) => {
    expect(() => parse(wire)).toThrow(reason)
  })

  test('as many names as the depth allows, and not one more', () => {
    expect(filterOf(deepFilter(4))).not.toBeNull()
    for (const wire of [deepFilter(5), { a: { b: { c: { 'year(d.e)': 1 } } } }, { a: { _some: deepFilter(4) } }])
      expect(() => parse(wire)).toThrow('Max relational depth exceeded')
  })

  test('_and and _or nest a hundred levels and not without end', () => {
    expect(filterOf(logical(100))).not.toBeNull()
    expect(() => parse(logical(101))).toThrow('at most 100 levels deep')
    expect(() => parse({ a: { _json: logical(101) } })).toThrow('at most 100 levels deep')
  })
})

describe('_json', () => {
  const inside = (operator: Operator, path: number, operand: number | null, isNumeric: boolean) => ({
    kind: 'test',
    path,
    operator,
    operand,
    isNumeric,
  })
  const conditionOf = (wire: unknown) => {
    const { filter, values } = parse({ a: { _json: wire } })
    return { condition: filter?.kind === 'json' ? filter.condition : null, values }
  }

  test('paths and operands are values; numbers compare as numbers', () => {
    expect(conditionOf({ 'b.c[0]': { _gt: 1 }, d: 'x' })).toEqual({
      condition: { kind: 'and', parts: [inside('_gt', 0, 1, true), inside('_eq', 2, 3, false)] },
      values: [['b', 'c', '0'], 1, ['d'], 'x'],
    })
  })

  test('a list is numeric when all of it is', () => {
    expect(conditionOf({ b: { _in: [1, 2] } }).condition).toMatchObject({ parts: [{ isNumeric: true }] })
    expect(conditionOf({ b: { _in: [1, 'x'] } }).condition).toMatchObject({ parts: [{ isNumeric: false }] })
  })

  test('it nests with _and and _or', () => {
    expect(conditionOf({ _or: [{ b: 1 }, { c: 2 }] }).condition).toMatchObject({
      kind: 'and',
      parts: [{ kind: 'or', parts: [{ kind: 'and' }, { kind: 'and' }] }],
    })
  })

  test.each([
    [{}, '_json needs a path'],
    [{ 'a.*': 1 }, '"a.*" is no path into a JSON value'],
    [{ 'a.b.c.d': 1 }, 'at most 3 steps'],
    [{ a: { _intersects: 1 } }, 'There is no operator "_intersects" inside _json'],
    [{ a: { _in: [] } }, '"a" _in needs at least one value'],
    [{ _or: [1] }, 'The filter on "_or" has to be an object'],
  ])('%j is refused: %s', (wire, reason) => {
    expect(() => conditionOf(wire)).toThrow(reason)
  })
})
