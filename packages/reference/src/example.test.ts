import { expect, test } from 'vitest'
import { resolverOf, type OpenApi, type Schema } from './document.ts'
import { exampleOf } from './example.ts'

const goods: Schema = {
  type: 'object',
  required: ['name', 'price', 'added', 'kind'],
  properties: {
    name: { type: 'string' },
    price: { type: ['string', 'number'] },
    added: { type: ['string', 'null'], format: 'date' },
    kind: { type: 'string', enum: ['a', 'b'] },
    note: { type: 'string' },
    $ref: { type: 'string' },
  },
}
const openApi = { components: { schemas: { Goods: goods } } } as OpenApi
const resolve = resolverOf(openApi)
const ref = { $ref: '#/components/schemas/Goods' }

test('an example has what is required, by its type', () => {
  expect(exampleOf({ oneOf: [ref, { type: 'array', items: ref }] }, resolve)).toEqual({
    name: '',
    price: 0,
    added: '2026-01-31',
    kind: 'a',
  })
})

test('a schema that contains itself ends', () => {
  const circle: { properties?: Record<string, Schema>; required: string[]; type: string } = {
    type: 'object',
    required: ['self'],
  }
  circle.properties = { self: circle }
  expect(JSON.stringify(exampleOf(circle, resolve)).length).toBeLessThan(100)
})
