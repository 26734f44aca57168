import { expect, it } from 'vitest'
import type { SnapshotSections } from '@tain/contract'
import { alignKeys } from './remap-keys.ts'

const permissionModel = (role: string, policy: string, more: readonly object[] = []) =>
  ({
    collections: [],
    fields: [],
    systemFields: [],
    relations: [],
    roles: [{ id: role, name: 'Editors', parent: null }, ...more],
    policies: [{ id: policy, name: 'Editing' }],
    access: [{ role, policy, sort: null }],
    permissions: [{ policy, collection: 'shop', action: 'read', rules: [] }],
    settings: [{ public_registration_role: role }],
  }) as unknown as SnapshotSections

it('roles and policies of the same name are the same, under the keys that they have here', () => {
  expect(alignKeys(permissionModel('r1', 'p1'), permissionModel('r2', 'p2'))).toEqual(permissionModel('r2', 'p2'))
})

it('a name that is there twice says nothing', () => {
  const here = permissionModel('r2', 'p1', [{ id: 'r3', name: 'Editors', parent: null }])
  expect(alignKeys(permissionModel('r1', 'p1'), here)).toEqual(permissionModel('r1', 'p1'))
})

it('what has its key here keeps it, whatever it is called', () => {
  const renamed = { ...permissionModel('r1', 'p1'), roles: [{ id: 'r1', name: 'Writers', parent: null }] }
  expect(alignKeys(renamed as unknown as SnapshotSections, permissionModel('r1', 'p1'))).toEqual(renamed)
})
