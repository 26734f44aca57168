import { expect, test } from 'vitest'
import { dimensionsOf, jsonOfArray, readArray, writeArray } from './array-text.ts'

test.each([
  ['{}', []],
  ['{1,2}', ['1', '2']],
  ['{NULL,"NULL",a}', [null, 'NULL', 'a']],
  [String.raw`{"a,b","c\"d","e\\f","",{}}`, ['a,b', 'c"d', String.raw`e\f`, '', []]],
  [
    '{{1,2},{3,NULL}}',
    [
      ['1', '2'],
      ['3', null],
    ],
  ],
  [
    '[0:1][2:3]={{1,2},{3,4}}',
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
])('%s is read with its quotes, bounds and dimensions', (text, items) => expect(readArray(text, 'text')).toEqual(items))

test('boxes are separated by semicolons', () => {
  expect(readArray('{(2,2),(1,1);(4,4),(3,3)}', 'box')).toEqual(['(2,2),(1,1)', '(4,4),(3,3)'])
})

test('what is written is read again', () => {
  const items = ['', 'NULL', null, 'a"b\\c', '{1,2}', ' x ']
  expect(readArray(writeArray(items, 'text'), 'text')).toEqual(items)
  expect(writeArray([['1'], ['2']], 'int4')).toBe('{{"1"},{"2"}}')
})

test('each element is printed by itself', () => {
  expect(
    jsonOfArray(
      [
        ['1', null],
        ['2', '3'],
      ],
      (text) => `"${text}"`,
    ),
  ).toBe('[["1",null],["2","3"]]')
})

test('lists inside a list have one length', () => {
  expect(dimensionsOf([])).toEqual([0])
  expect(
    dimensionsOf([
      [1, 2],
      [3, 4],
      [5, 6],
    ]),
  ).toEqual([3, 2])
  expect(dimensionsOf([[1], [2, 3]])).toBeNull()
  expect(dimensionsOf([[1], 2])).toBeNull()
})
