import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const known = ['filter', 'fields', 'sort', 'limit', 'groupBy']

test.each([
  ['fliter', 'filter'],
  ['Filter', 'filter'],
  ['field', 'fields'],
  ['limt', 'limit'],
  ['groupby', 'groupBy'],
  ['sorts', 'sort'],
])('"%s" was meant to be "%s"', (name, meant) => {
  expect(nearest(name, known)).toBe(meant)
})

test.each(['', 'x', 'something', 'zzzzzz'])('nothing is near to "%s"', (name) => {
  expect(nearest(name, known)).toBeUndefined()
})

test('among equally near names the first is told', () => {
  expect(nearest('ab', ['ac', 'ad'])).toBe('ac')
  expect(nearest('a', [])).toBeUndefined()
})
