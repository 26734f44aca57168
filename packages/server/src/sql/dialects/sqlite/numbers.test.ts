import { expect, test } from 'vitest'
import { numberKey, printDecimal, printFloat, quotientOf, sumOf, textOfKey } from './numbers.ts'

const ascending = [
  '-Infinity',
  '-1e30',
  '-12.5',
  '-12.4',
  '-2',
  '-0.001',
  '0',
  '0.0009',
  '0.1',
  '0.11',
  '2',
  '10',
  '99.99',
  '1e30',
  'Infinity',
  'NaN',
]

test('keys sort as the numbers do', () => {
  const keys = ascending.map(numberKey)
  expect(keys.toSorted()).toEqual(keys)
  expect(new Set(keys).size).toBe(keys.length)
})

test('numbers that are equal have one key, and a key is its own key', () => {
  expect(numberKey('1.50')).toBe(numberKey('+01.5'))
  expect(numberKey('-0')).toBe(numberKey('0.00'))
  expect(numberKey(numberKey('-17.25'))).toBe(numberKey('-17.25'))
})

test.each(['0', '-17.25', '100', '123456789012345678.123456789012', '-0.0000001', '1000000000000000000000'])(
  'the key of %s can be read again',
  (text) => expect(textOfKey(numberKey(text))).toBe(text),
)

test('digits behind the point are added, or rounded away from zero', () => {
  expect(printDecimal('10.5', 2)).toBe('10.50')
  expect(printDecimal('2.345', 2)).toBe('2.35')
  expect(printDecimal('-2.345', 2)).toBe('-2.35')
  expect(printDecimal('1e3', 1)).toBe('1000.0')
  expect(printDecimal('12', 2)).toBe('12.00')
  expect(printDecimal('12.34', 2)).toBe('12.34')
  expect(printDecimal('007.5', 2)).toBe('7.50')
  expect(printDecimal('-0.004', 2)).toBe('0.00')
  expect(printDecimal('-0', null)).toBe('0')
  expect(printDecimal('0.10', null)).toBe('0.10')
  expect(printDecimal('5', 0)).toBe('5')
  expect(printDecimal(numberKey('4'), 2)).toBe('4.00')
})

test('sums keep every digit', () => {
  expect(sumOf('9007199254740993', '0.10')).toBe('9007199254740993.10')
})

// As PostgreSQL answers: select 10::numeric / 3, 1::numeric / 3, 153.24 / 5, 100000000 / 7.0, 0.00012 / 3
test.each([
  ['10', '3', '3.3333333333333333'],
  ['1', '3', '0.33333333333333333333'],
  ['153.24', '5', '30.6480000000000000'],
  ['100000000', '7', '14285714.285714285714'],
  ['0.00012', '3', '0.000040000000000000000000'],
  ['-10', '4', '-2.5000000000000000'],
  ['0', '4', '0.00000000000000000000'],
])('%s / %s has the digits that PostgreSQL gives it', (dividend, divisor, quotient) => {
  expect(quotientOf(dividend, divisor)).toBe(quotient)
})

test.each([
  [0.1, '0.1'],
  [4, '4'],
  [1e15, '1e+15'],
  [123456789012345, '123456789012345'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e-300, '1.5e-300'],
  [-2.5, '-2.5'],
  [Infinity, 'Infinity'],
])('%d is printed as PostgreSQL prints it', (value, text) => expect(printFloat(value)).toBe(text))
