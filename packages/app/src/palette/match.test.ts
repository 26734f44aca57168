import { expect, test } from 'vitest'
import { candidate, matches, type Candidate } from './match.ts'

const best = (typed: string, candidates: readonly Candidate<string>[], most: number) =>
  matches(typed, candidates, most).map(({ value }) => value)

const among = (names: readonly string[]) => names.map((name) => candidate(name, [name]))
const tables = among(['order_lines', 'orders', 'customers', 'Reordering', 'product_suppliers', 'Größen', 'warehouses'])

test('a name that begins with what is typed comes before one that contains it', () => {
  expect(best('or', tables, 10)).toEqual(['orders', 'order_lines', 'Reordering'])
})

test('the exact name comes first', () => {
  expect(best('orders', tables, 10)[0]).toBe('orders')
})

test('words match in any order and across the signs between them', () => {
  expect(best('lines order', tables, 10)).toEqual(['order_lines'])
  expect(best('order-lines', tables, 10)).toEqual(['order_lines'])
})

test('letters in their order are enough', () => {
  expect(best('ordln', tables, 10)).toEqual(['order_lines'])
  expect(best('ps', tables, 10)).toEqual(['product_suppliers'])
})

test('a name counts more than another word for the same thing', () => {
  const both = [candidate('sort', ['Sort the rows'], ['order']), candidate('orders', ['Orders'])]
  expect(best('or', both, 10)).toEqual(['orders', 'sort'])
})

test('accents and case do not matter', () => {
  expect(best('GRO', tables, 10)).toEqual(['Größen'])
})

test('scattered letters match from the beginning of a word only', () => {
  expect(best('rdln', tables, 10)).toEqual([])
})

test('letters that are far apart do not match', () => {
  expect(best('ats', among(['a long word in other places of text']), 10)).toEqual([])
})

test('nothing typed shows the first ones', () => {
  expect(best('  ', tables, 2)).toEqual(['order_lines', 'orders'])
})
