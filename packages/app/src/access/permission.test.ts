import { expect, test } from 'vitest'
import { fieldsOf, isSamePermission, levelOf, parsePermission, type Permission } from './permission.ts'

const read: Permission = {
  id: 1,
  collection: 'orders',
  action: 'read',
  permissions: null,
  validation: null,
  presets: null,
  fields: ['*'],
}
const rule = { status: { _eq: 'paid' } }

test.each([
  ['nothing', [], 'none'],
  ['no rule', [read], 'all'],
  ['an empty rule', [{ ...read, permissions: {} }], 'all'],
  ['an empty list of conditions', [{ ...read, permissions: { _and: [] } }], 'all'],
  ['a rule', [{ ...read, permissions: rule }], 'rule'],
  [
    'two rules',
    [
      { ...read, permissions: rule },
      { ...read, id: 2, permissions: { id: { _eq: 1 } } },
    ],
    'rule',
  ],
  [
    'a rule beside every row',
    [
      { ...read, permissions: rule },
      { ...read, id: 2 },
    ],
    'all',
  ],
  ['a create with a validation', [{ ...read, action: 'create', validation: rule }], 'rule'],
  ['a create with a rule on rows, which says nothing', [{ ...read, action: 'create', permissions: rule }], 'all'],
  [
    'creates of which one has a validation: all validations hold together',
    [
      { ...read, action: 'create', validation: rule },
      { ...read, id: 2, action: 'create' },
    ],
    'rule',
  ],
] as const)('%s is the level %#', (_, permissions, level) => {
  expect(levelOf(permissions)).toBe(level)
})

test('fields of several permissions add up, and * covers all', () => {
  expect(
    fieldsOf([
      { ...read, fields: ['id', 'status'] },
      { ...read, fields: ['id', 'note'] },
    ]),
  ).toEqual(['id', 'status', 'note'])
  expect(
    fieldsOf([
      { ...read, fields: ['id'] },
      { ...read, fields: ['*'] },
    ]),
  ).toBeNull()
  expect(fieldsOf([{ ...read, fields: null }])).toEqual([])
})

test('permissions are compared by what they say', () => {
  const a = { ...read, fields: ['b', 'a'], permissions: { x: { _eq: 1, _neq: 2 } } }
  expect(isSamePermission(a, { ...a, id: 9, fields: ['a', 'b'], permissions: { x: { _neq: 2, _eq: 1 } } })).toBe(true)
  expect(isSamePermission(a, { ...a, permissions: { x: { _eq: 2, _neq: 2 } } })).toBe(false)
  expect(isSamePermission(read, { ...read, permissions: {} })).toBe(true)
})

test('permissions that come with every sign-in are left out', () => {
  expect(parsePermission({ collection: 'service_users', action: 'read', fields: ['*'], system: true })).toBeNull()
  expect(parsePermission({ ...read, permissions: 'text' })).toEqual(read)
})
