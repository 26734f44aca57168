import { expect, test } from 'vitest'
import { effectsOf } from './effect.ts'
import type { Permission } from './permission.ts'

const all: Permission = {
  id: 1,
  collection: 'order_items',
  action: 'read',
  permissions: null,
  validation: null,
  presets: null,
  fields: ['*'],
}
const some: Permission = { ...all, permissions: { id: { _gt: 5 } } }
const few: Permission = { ...all, fields: ['id', 'price'] }

test.each([
  ['a first access', [], [{ ...all, id: null }], 'gains', ['all rows', 'all fields']],
  ['a first access to some fields', [], [{ ...few, id: null }], 'gains', ['all rows', 'fields id, price']],
  ['the last access', [all], [], 'loses', ['no rows any more, before: all rows']],
  ['a rule instead of all rows', [all], [some], 'loses', ['rows where a rule holds, before: all rows']],
  ['all rows instead of a rule', [some], [all], 'gains', ['all rows, before: a rule']],
  ['another rule', [some], [{ ...some, permissions: { id: { _gt: 6 } } }], 'changes', ['another rule']],
  ['fewer fields', [all], [few], 'loses', ['only the fields id, price, before: all']],
  ['more fields', [few], [all], 'gains', ['all fields']],
  ['other fields', [few], [{ ...few, fields: ['id', 'note'] }], 'changes', ['also note', 'no longer price']],
  [
    'more rows and fewer fields',
    [{ ...some, fields: ['id', 'price'] }],
    [{ ...few, fields: ['id'] }],
    'changes',
    ['all rows, before: a rule', 'no longer price'],
  ],
  ['other presets', [all], [{ ...all, presets: { a: 1 } }], 'changes', ['other preset values']],
] as const)('%s', (_, before, after, direction, details) => {
  expect(effectsOf(before, after)).toEqual([
    { collection: 'order_items', action: 'read', title: 'Read Order items', direction, details },
  ])
})

test('what stays the same has no effect', () => {
  expect(effectsOf([all], [{ ...all, permissions: {} }])).toEqual([])
})

test('long lists of fields are cut', () => {
  const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  expect(effectsOf([], [{ ...all, id: null, fields }])[0]?.details[1]).toBe('fields a, b, c, d, e, f and 2 more')
})
