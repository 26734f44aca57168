import { describe, expect, test } from 'vitest'
import { hasSameRows, isSameView, readAddress, sortedBy, writeAddress, type ViewState } from './view-state.ts'

const saved: ViewState = {
  filter: null,
  search: '',
  sort: ['-id'],
  fields: [{ path: 'id', width: null }],
  rows: 'normal',
  group: null,
}

const views: readonly (readonly [string, Partial<ViewState>])[] = [
  ['a filter', { filter: { _and: [{ status: { _eq: 'a&b=ü' } }, { customer: { name: { _icontains: '%' } } }] } }],
  ['a search', { search: 'blue "shoes" & more' }],
  ['several sort keys', { sort: ['-ordered_at', 'customer.name'] }],
  ['no sort', { sort: [] }],
  [
    'columns with widths',
    {
      fields: [
        { path: 'id', width: 90 },
        { path: 'customer.region.name', width: null },
      ],
    },
  ],
  [
    'names with signs',
    {
      fields: [
        { path: 'a,b:c%', width: 120 },
        { path: 'count(order_items)', width: null },
      ],
    },
  ],
  ['a row height', { rows: 'roomy', group: 'status' }],
]

describe('an address holds the whole view', () => {
  test.each(views)('%s', (_, change) => {
    const state = { ...saved, ...change }
    const { view, changes } = readAddress(writeAddress('7', state, saved))
    expect(view).toBe('7')
    expect({ ...saved, ...changes }).toEqual(state)
  })
})

test('an unchanged view has a plain address', () => {
  expect(writeAddress(null, saved, saved)).toBe('')
  expect(writeAddress('3', saved, saved)).toBe('view=3')
})

test('a cleared filter of a saved view is an address of its own', () => {
  const withFilter = { ...saved, filter: { a: { _eq: 1 } } }
  const { changes } = readAddress(writeAddress('3', saved, withFilter))
  expect(changes.filter).toBeNull()
})

test('what cannot be read is left out', () => {
  expect(readAddress('filter={&rows=huge&fields=,&sort=a')).toEqual({ view: null, changes: { sort: ['a'] } })
})

test('other columns keep the rows, another filter does not', () => {
  expect(hasSameRows(saved, { ...saved, rows: 'compact' })).toBe(true)
  expect(hasSameRows(saved, { ...saved, filter: { a: { _eq: 1 } } })).toBe(false)
  expect(isSameView(saved, { ...saved, rows: 'compact' })).toBe(false)
})

test('a header sorts upwards, downwards, then no more', () => {
  expect(sortedBy([], 'a', false)).toEqual(['a'])
  expect(sortedBy(['a'], 'a', false)).toEqual(['-a'])
  expect(sortedBy(['-a'], 'a', false)).toEqual([])
  expect(sortedBy(['b'], 'a', false)).toEqual(['a'])
  expect(sortedBy(['b'], 'a', true)).toEqual(['b', 'a'])
  expect(sortedBy(['b', 'a'], 'a', true)).toEqual(['b', '-a'])
  expect(sortedBy(['b', '-a'], 'a', true)).toEqual(['b'])
})
