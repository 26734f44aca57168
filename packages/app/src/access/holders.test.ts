import { expect, test } from 'vitest'
import { flattened, holdersOf, rolesAbove, rolesBelow, roleTree, type AccessRow, type Role } from './holders.ts'

const role = (id: string, parent: string | null = null): Role => ({
  id,
  name: id,
  icon: null,
  description: null,
  parent,
})
const roles = [role('staff'), role('sales', 'staff'), role('keys', 'sales'), role('guests')]

test('roles are a tree in the order of their names', () => {
  expect(flattened(roleTree(roles)).map(({ id, depth }) => [id, depth])).toEqual([
    ['guests', 0],
    ['staff', 0],
    ['sales', 1],
    ['keys', 2],
  ])
})

test('a role with a missing parent, or in a circle, is still shown', () => {
  const odd = [role('a', 'gone'), role('b', 'c'), role('c', 'b')]
  expect(flattened(roleTree(odd)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test('a role inherits from all above it', () => {
  expect(rolesAbove('keys', roles)).toEqual(['sales', 'staff'])
  expect(rolesBelow('staff', roles)).toEqual(['sales', 'keys'])
})

test('the holders of a policy are its roles, those below them, its users and the public', () => {
  const row = (policy: string, part: Partial<AccessRow>): AccessRow => ({
    id: policy,
    role: null,
    user: null,
    sort: null,
    policy,
    ...part,
  })
  const access = [row('p', { role: 'sales' }), row('p', { user: 'anna' }), row('q', {})]
  expect(holdersOf('p', access, roles)).toEqual({
    roles: ['sales'],
    allRoles: ['sales', 'keys'],
    users: ['anna'],
    isPublic: false,
  })
  expect(holdersOf('q', access, roles).isPublic).toBe(true)
})
