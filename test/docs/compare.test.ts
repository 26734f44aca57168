import { describe, expect, test } from 'vitest'
import { difference, elided, printJson } from './compare.ts'

describe('an expected response', () => {
  test.each([
    [{ data: 1 }, { data: 1 }],
    [{ id: '…' }, { id: 7 }],
    [
      ['a', '…'],
      ['a', 'b', 'c'],
    ],
    [
      { a: 1, '…': '…' },
      { a: 1, b: 2 },
    ],
    ['The key … is taken', 'The key 7 is taken'],
  ])('%j matches %j', (expected, actual) => {
    expect(difference(expected, actual)).toBeNull()
  })

  test.each([
    [{ data: 1 }, { data: '1' }],
    [{ id: '…' }, {}],
    [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ],
    [['a', '…'], []],
    [{ a: 1 }, { a: 1, b: 2 }],
    ['The key … is taken', 'The key 7 is free'],
    [null, false],
  ])('%j does not match %j', (expected, actual) => {
    expect(difference(expected, actual)).not.toBeNull()
  })
})

test('a rewritten response keeps what the page elided', () => {
  expect(elided({ id: 8, name: 'b', more: 1 }, { id: '…', name: 'a', '…': '…' })).toEqual({
    id: '…',
    name: 'b',
    '…': '…',
  })
})

test('a response is broken only where it is too long', () => {
  expect(printJson({ data: [1, 2] })).toBe('{ "data": [1, 2] }')
  expect(printJson({ data: ['x'.repeat(60), 'y'.repeat(60)] })).toContain('\n    "y')
})
