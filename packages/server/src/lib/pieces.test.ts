import { expect, test } from 'vitest'
import { pieces } from './pieces.ts'

test('pieces keep the order, and are neither too long nor too large', () => {
  const sizes = [1, 1, 1, 5, 9, 2, 2, 2]
  const found = [...pieces(sizes, { count: 3, size: 6 }, (size) => size)]
  expect(found).toEqual([[1, 1, 1], [5], [9], [2, 2, 2]])
  expect([...pieces([], { count: 3, size: 6 }, () => 1)]).toEqual([])
})
