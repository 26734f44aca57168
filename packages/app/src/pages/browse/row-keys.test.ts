import { expect, test } from 'vitest'
import { batches, keyRow, keysFilter } from './row-keys.ts'

test('rows are found by their keys', () => {
  expect(keysFilter({ key: ['id'] }, ['1', 'a%2Cb'])).toEqual({ id: { _in: ['1', 'a,b'] } })
  expect(keysFilter({ key: ['order_id', 'line'] }, ['7,1'])).toEqual({
    _or: [{ _and: [{ order_id: { _eq: '7' } }, { line: { _eq: '1' } }] }],
  })
  expect(keyRow({ key: ['order_id', 'line'] }, '7,1')).toEqual({ order_id: '7', line: '1' })
})

test('many rows are sent in batches', () => {
  expect(batches([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(batches([], 2)).toEqual([])
})
