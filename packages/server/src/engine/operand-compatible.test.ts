import type { Operator } from '@tain/contract'
import { expect, test } from 'vitest'
import { columnOf, library } from '../testing/schema.ts'
import type { BoundValue } from '../query/bound.ts'
import { postgres } from '../sql/dialects/postgres/index.ts'
import { createFits } from './operand-compatible.ts'

const fits = createFits(postgres)

const value = (field: string): BoundValue => ({
  kind: 'column',
  field: columnOf(library, 'articles', field),
  mask: null,
})

function isCompatible(field: string, operator: Operator, ...values: readonly unknown[]): boolean {
  return fits({ kind: 'test', value: value(field), operator, operand: 0 }, values)
}

test.each([
  ['views', '_eq', 1, true],
  ['views', '_eq', '1', true],
  ['views', '_eq', 'many', false],
  ['featured', '_eq', true, true],
  ['featured', '_eq', 'perhaps', false],
  ['external_id', '_eq', 'a', false],
  ['external_id', '_eq', '8f0f1f9c-26b4-4b0a-9a15-0d8e3b1d0a3c', true],
  ['published', '_gt', 'yesterday evening', false],
  ['published', '_gt', '2024-02-29', true],
  ['title', '_eq', 'anything', true],
] as const)('%s %s %o: %s', (field, operator, operand, expected) => {
  expect(isCompatible(field, operator, operand)).toBe(expected)
})

test('all values of a list have to fit', () => {
  expect(isCompatible('views', '_in', 1, 2)).toBe(true)
  expect(isCompatible('views', '_in', 1, 'x')).toBe(false)
})

test('a search inside a text accepts every scalar value', () => {
  expect(isCompatible('views', '_contains', 'x')).toBe(true)
  expect(isCompatible('title', '_nistarts_with', 7)).toBe(true)
  expect(isCompatible('title', '_contains', {})).toBe(false)
})

test('a flag has no value that could be wrong', () => {
  expect(isCompatible('views', '_null', 'x')).toBe(true)
})
