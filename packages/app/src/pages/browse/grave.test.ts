import { expect, test } from 'vitest'
import { isGrave } from './grave.ts'

test('more than a thousand rows, or a whole collection, are grave', () => {
  expect(isGrave(1000, false, { filter: null, search: '' })).toBe(false)
  expect(isGrave(1001, false, { filter: null, search: '' })).toBe(true)
  expect(isGrave(3, true, { filter: null, search: '' })).toBe(true)
  expect(isGrave(3, true, { filter: { a: { _eq: 1 } }, search: '' })).toBe(false)
})
