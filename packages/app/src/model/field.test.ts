import { expect, test } from 'vitest'
import { fieldFromWire, isRequired, titleOf } from './field.ts'

test('a field without a column has no schema and is never required by one', () => {
  const wire = {
    collection: 'orders',
    field: 'lines',
    type: 'alias',
    meta: { special: 'o2m' as unknown as null },
  } as const
  const field = fieldFromWire(wire)
  expect(field).toMatchObject({ schema: null, meta: { special: ['o2m'] } })
  expect(isRequired(field)).toBe(false)
})

test('names become words', () => {
  expect(['shipping_address', 'orderId', 'vat_id', 'SKU'].map(titleOf)).toEqual([
    'Shipping address',
    'Order ID',
    'VAT ID',
    'SKU',
  ])
})
