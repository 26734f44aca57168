import type { SnapshotDiff } from '@tain/contract'
import { expect, test } from 'vitest'
import { changeLine, namesOfRows, snapshotChanges, type RowNames } from './change-lines.ts'

const changeLines = (found: SnapshotDiff, names: RowNames) => snapshotChanges(found, names).map(changeLine)
const rule = (fields: readonly string[]) => ({ permissions: {}, validation: null, presets: null, fields })

const diff: SnapshotDiff = {
  collections: [{ collection: 'products', diff: [{ kind: 'E', path: ['meta', 'note'], lhs: null, rhs: 'Goods' }] }],
  fields: [
    {
      collection: 'products',
      field: 'weight',
      diff: [{ kind: 'N', rhs: { collection: 'products', field: 'weight' } }],
    },
    { collection: 'products', field: 'size', diff: [{ kind: 'D', lhs: {} }] },
    {
      collection: 'products',
      field: 'price',
      diff: [
        { kind: 'E', path: ['schema', 'is_nullable'], lhs: true, rhs: false },
        { kind: 'N', path: ['meta'], rhs: { required: true } },
      ],
    },
  ],
  relations: [
    { collection: 'products', field: 'category', related_collection: 'categories', diff: [{ kind: 'N', rhs: {} }] },
  ],
  names: [{ kind: 'field', collection: 'categories', relation: 'products.category', diff: [{ kind: 'N', rhs: {} }] }],
  roles: [{ id: 'r2', diff: [{ kind: 'N', rhs: { id: 'r2', name: 'Guest' } }] }],
  policies: [{ id: 'p1', diff: [{ kind: 'E', path: ['icon'], lhs: 'a', rhs: 'b' }] }],
  access: [
    { role: null, policy: 'p1', diff: [{ kind: 'N', rhs: {} }] },
    { role: 'r2', policy: 'p1', diff: [{ kind: 'D', lhs: {} }] },
  ],
  permissions: [
    {
      policy: 'p1',
      collection: 'articles',
      action: 'read',
      diff: [{ kind: 'E', path: ['rules'], lhs: [rule(['id'])], rhs: [rule(['id', 'title'])] }],
    },
    {
      policy: 'p1',
      collection: 'articles',
      action: 'update',
      diff: [{ kind: 'E', path: ['rules'], lhs: [rule(['id'])], rhs: [rule(['id']), rule(['*'])] }],
    },
  ],
  settings: [{ diff: [{ kind: 'E', path: ['project_name'], lhs: 'Shop', rhs: 'Shop 2' }] }],
}

test('every change is a line', () => {
  const several = JSON.stringify({ fields: ['id'], permissions: {}, presets: null, validation: null })
  const all = JSON.stringify({ fields: ['*'], permissions: {}, presets: null, validation: null })
  expect(changeLines(diff, namesOfRows([{ id: 'p1', name: 'Editor' }], diff))).toEqual([
    '~ collection products meta.note: null -> "Goods"',
    '+ field products.weight',
    '- field products.size',
    '~ field products.price schema.is_nullable: true -> false',
    '~ field products.price meta: null -> {"required":true}',
    '+ relation products.category',
    '+ name categories products.category',
    '+ role Guest',
    '~ policy Editor icon: "a" -> "b"',
    '+ access public Editor',
    '- access Guest Editor',
    '~ permission Editor read articles fields: ["id"] -> ["id","title"]',
    `~ permission Editor update articles rules: [${several}] -> [${several},${all}]`,
    '~ setting project_name: "Shop" -> "Shop 2"',
  ])
})

test('a row without a known name is told by its key', () => {
  expect(changeLines({ policies: [{ id: 'p9', diff: [{ kind: 'D', lhs: {} }] }] }, new Map())).toEqual(['- policy p9'])
})

test('a change has the parts of its line', () => {
  const changes = snapshotChanges(diff, namesOfRows([{ id: 'p1', name: 'Editor' }], diff))
  expect(changes).toContainEqual({ sign: '-', kind: 'field', name: 'products.size' })
  const edit = { sign: '~', kind: 'permission', name: 'Editor read articles', member: 'fields' }
  expect(changes).toContainEqual({ ...edit, before: ['id'], after: ['id', 'title'] })
  const setting = { sign: '~', kind: 'setting', name: 'project_name', before: 'Shop', after: 'Shop 2' }
  expect(changes).toContainEqual(setting)
})
