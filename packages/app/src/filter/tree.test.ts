import { describe, expect, test } from 'vitest'
import { condition, countConditions, negated, parseFilter, toFilter, withCondition, type Group } from './tree.ts'

const roundTrips: readonly (readonly [string, unknown])[] = [
  ['one condition', { status: { _eq: 'open' } }],
  ['a related field', { customer: { region: { name: { _icontains: 'north' } } } }],
  ['a function', { 'count(reviews)': { _gt: 1 } }],
  ['groups in groups', { _or: [{ total: { _gt: 10 } }, { _and: [{ a: { _null: true } }, { b: { _in: [1, 2] } }] }] }],
  ['conditions of one related row', { reviews: { rating: { _gte: 4 }, comment: { _nnull: true } } }],
  ['a quantifier', { reviews: { _none: { rating: { _lt: 4 } } } }],
  ['a range of one related row', { reviews: { rating: { _gte: 2, _lte: 4 } } }],
  ['an operator of a later version', { name: { _sounds_like: 'Meyer' } }],
  ['a JSON condition', { details: { _json: { 'size.diameter': { _gte: 28 } } } }],
]

describe('a filter becomes a tree and the same filter again', () => {
  test.each(roundTrips)('%s', (_, filter) => {
    expect(toFilter(parseFilter(filter))).toEqual(filter)
  })
})

test('several fields of one filter all hold', () => {
  expect(toFilter(parseFilter({ status: { _eq: 'open' }, total: { _gt: 10, _lt: 20 } }))).toEqual({
    _and: [{ status: { _eq: 'open' } }, { total: { _gt: 10 } }, { total: { _lt: 20 } }],
  })
})

test('what the builder does not draw is kept as it was written', () => {
  const tree = parseFilter({ _and: [{ reviews: { _none: { rating: { _lt: 4 } } } }, { id: { _eq: 1 } }] })
  expect(tree.nodes.map(({ kind }) => kind)).toEqual(['raw', 'condition'])
})

test('no filter, an empty filter and an empty group are every row', () => {
  for (const filter of [null, undefined, {}, { _and: [] }]) expect(toFilter(parseFilter(filter))).toBeNull()
})

test('a condition without a value is not sent yet', () => {
  const tree: Group = { kind: 'group', join: 'and', nodes: [condition('a', '_eq', ''), condition('b', '_eq', 0)] }
  expect(toFilter(tree)).toEqual({ b: { _eq: 0 } })
  expect(toFilter(condition('a', '_between', ['1', '']))).toBeNull()
})

test('a group of which none holds is sent with opposite operators', () => {
  const tree: Group = {
    kind: 'group',
    join: 'none',
    nodes: [
      condition('status', '_eq', 'open'),
      { kind: 'group', join: 'and', nodes: [condition('total', '_lt', 5), condition('note', '_null', true)] },
    ],
  }
  expect(toFilter(tree)).toEqual({
    _and: [{ status: { _neq: 'open' } }, { _or: [{ total: { _gte: 5 } }, { note: { _nnull: true } }] }],
  })
})

test('a part without an opposite is not negated', () => {
  expect(negated(condition('name', '_icontains', 'a'))).toBeNull()
  expect(negated(condition('reviews.rating', '_eq', 1))).toBeNull()
  expect(negated({ kind: 'raw', filter: {} })).toBeNull()
})

test('a condition is added beside an alternative, not into it', () => {
  const tree = withCondition(parseFilter({ _or: [{ a: { _eq: 1 } }, { b: { _eq: 2 } }] }), condition('c', '_eq', 3))
  expect(toFilter(tree)).toEqual({ _and: [{ _or: [{ a: { _eq: 1 } }, { b: { _eq: 2 } }] }, { c: { _eq: 3 } }] })
  expect(countConditions(tree)).toBe(3)
})

test('an alternative without branches, or with one that has no condition, is kept as it was written', () => {
  for (const filter of [{ _or: [] }, { _or: [{ a: { _eq: 1 } }, {}] }, { _or: [{ _and: [] }, { a: { _eq: 1 } }] }])
    expect(toFilter(parseFilter(filter))).toEqual(filter)
})

test('names with dots keep their place in a path and in the filter', () => {
  const filter = { _and: [{ 'a.b': { _eq: 1 } }, { customer: { 'c,d': { _eq: 2 } } }, { 'count(lines)': { _gt: 3 } }] }
  const tree = parseFilter(filter)
  expect(tree.nodes.map((node) => (node.kind === 'condition' ? node.path : node.kind))).toEqual([
    String.raw`a\.b`,
    String.raw`customer.c\,d`,
    'count(lines)',
  ])
  expect(toFilter(tree)).toEqual(filter)
})
