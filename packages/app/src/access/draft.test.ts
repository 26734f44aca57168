import { expect, test } from 'vitest'
import { changesOf, countOf, previewOf, withCopies, withLevel, withPermission, writeOf } from './draft.ts'
import type { Permission } from './permission.ts'

const rule = { status: { _eq: 'paid' } }
const orders: Permission = {
  id: 1,
  collection: 'orders',
  action: 'read',
  permissions: rule,
  validation: null,
  presets: null,
  fields: ['id', 'status'],
}
const lines: Permission = { ...orders, id: 2, collection: 'order_items', permissions: null, fields: ['*'] }
const saved = [orders, lines]
const place = { collection: 'orders', action: 'read' } as const
const other = { collection: 'products', action: 'update' } as const

test('a draft without changes writes nothing', () => {
  expect(countOf(changesOf(saved, saved))).toBe(0)
  expect(writeOf(changesOf(saved, saved))).toEqual({ create: [], update: [], delete: [] })
})

test('no access deletes the permission, and taking it back leaves no change', () => {
  const none = withLevel(saved, saved, place, 'none')
  expect(writeOf(changesOf(saved, none))).toEqual({ create: [], update: [], delete: [1] })
  expect(countOf(changesOf(saved, withLevel(none, saved, place, 'rule')))).toBe(0)
})

test('all rows keeps the fields and the key of the permission', () => {
  const draft = withLevel(saved, saved, place, 'all')
  expect(writeOf(changesOf(saved, draft)).update).toEqual([{ ...orders, permissions: null }])
})

test('all rows in place of two rules leaves one permission with the fields of both', () => {
  const second = { ...orders, id: 3, permissions: { id: { _eq: 1 } }, fields: ['note'] }
  const draft = withLevel([...saved, second], [...saved, second], place, 'all')
  expect(writeOf(changesOf([...saved, second], draft))).toEqual({
    create: [],
    update: [{ ...orders, permissions: null, fields: ['id', 'status', 'note'] }],
    delete: [3],
  })
})

test('a first access creates a permission for all fields, without a key', () => {
  const draft = withLevel(saved, saved, other, 'all')
  expect(writeOf(changesOf(saved, draft)).create).toEqual([
    { ...other, permissions: null, validation: null, presets: null, fields: ['*'] },
  ])
})

test('the rule of a create is its validation', () => {
  const draft = withLevel(saved, saved, { ...other, action: 'create' }, 'rule', rule)
  expect(writeOf(changesOf(saved, draft)).create[0]).toMatchObject({ permissions: null, validation: rule })
})

test('a rule changes one permission and leaves those beside it', () => {
  const second = { ...orders, id: 3, fields: ['note'] }
  const draft = withPermission([...saved, second], second, { ...second, permissions: null })
  expect(draft.map(({ id, permissions }) => [id, permissions])).toEqual([
    [1, rule],
    [2, null],
    [3, null],
  ])
})

test('a copy takes the place of what other cells had, with their keys', () => {
  const draft = withCopies(saved, saved, place, [{ collection: 'order_items', action: 'read' }, other])
  expect(writeOf(changesOf(saved, draft))).toEqual({
    create: [{ ...other, permissions: rule, validation: null, presets: null, fields: ['id', 'status'] }],
    update: [{ ...lines, permissions: rule, fields: ['id', 'status'] }],
    delete: [],
  })
})

test('a copy to create turns the rule into a validation', () => {
  const draft = withCopies(saved, saved, place, [{ collection: 'orders', action: 'create' }])
  expect(changesOf(saved, draft).created[0]).toMatchObject({ action: 'create', permissions: null, validation: rule })
})

test('copying an empty cell empties the others', () => {
  const draft = withCopies(saved, saved, other, [place])
  expect(writeOf(changesOf(saved, draft)).delete).toEqual([1])
})

test('a preview names the policy of what is new and changed, and the key of what goes', () => {
  const draft = withLevel(
    withLevel(withLevel(saved, saved, place, 'all'), saved, other, 'all'),
    saved,
    { collection: 'order_items', action: 'read' },
    'none',
  )
  expect(previewOf(changesOf(saved, draft), 'p')).toEqual([
    { policy: 'p', ...other, permissions: null, validation: null, presets: null, fields: ['*'] },
    { policy: 'p', ...orders, permissions: null },
    { id: 2, delete: true },
  ])
})
