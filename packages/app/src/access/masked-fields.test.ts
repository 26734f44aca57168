import { expect, test } from 'vitest'
import { maskedFields } from './masked-fields.ts'

const own = { action: 'read', rule: { owner: { _eq: '$CURRENT_USER' } }, fields: ['*'] }
const names = ['id', 'margin']

test('one rule hides rows, and no values in them', () => {
  expect(maskedFields([own], names)).toEqual([])
})

test('a row that another rule shows lacks the fields of the first', () => {
  expect(maskedFields([own, { action: 'read', rule: { id: { _gt: 5 } }, fields: ['id'] }], names)).toEqual(['margin'])
})

test('a field that is granted in every row is never empty', () => {
  const every = { action: 'read', rule: null, fields: ['margin'] }
  expect(maskedFields([own, every], names)).toEqual(['id'])
})

test('rules of other actions do not count', () => {
  expect(maskedFields([own, { action: 'update', rule: null, fields: ['id'] }], names)).toEqual([])
})
