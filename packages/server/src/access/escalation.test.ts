import { describe, expect, test } from 'vitest'
import { coverageOf, isOpen, same } from './escalation.ts'
import type { Attachment, Permission, Policy, PermissionModel } from './permissions.ts'

const permission = (changes: Partial<Permission> = {}): Permission => ({
  id: 1,
  policy: 'own',
  collection: 'notes',
  action: 'read',
  rule: null,
  validation: null,
  presets: null,
  fields: 'all',
  ...changes,
})

const policy = (id: string, changes: Partial<Policy> = {}): Policy => ({
  id,
  addresses: [],
  enforcesTfa: false,
  isAdmin: false,
  isApp: false,
  permissions: [],
  ...changes,
})

const permissionModelOf = (policies: readonly Policy[], attachments: readonly Attachment[] = []): PermissionModel => ({
  version: 1,
  roles: new Map([
    ['parent', { id: 'parent', parent: null }],
    ['child', { id: 'child', parent: 'parent' }],
  ]),
  policies: new Map(policies.map((each) => [each.id, each])),
  attachments,
})

/** The coverage of a caller with these permissions. */
const holding = (...permissions: Permission[]) =>
  coverageOf({ isAdmin: false, policies: ['own'] }, permissionModelOf([policy('own', { permissions })]))

const mine = { owner: { _eq: '$CURRENT_USER' } }

/** The caller's permission, the wanted permission, and whether the first covers the second. */
const cases: readonly (readonly [string, Permission, Permission, boolean])[] = [
  ['the same', permission(), permission({ id: 2 }), true],
  ['fewer fields', permission(), permission({ fields: new Set(['title']) }), true],
  [
    'more fields',
    permission({ fields: new Set(['title']) }),
    permission({ fields: new Set(['title', 'body']) }),
    false,
  ],
  ['all fields instead of some', permission({ fields: new Set(['title']) }), permission(), false],
  ['fewer rows', permission(), permission({ rule: mine }), true],
  ['more rows', permission({ rule: mine }), permission(), false],
  ['other rows', permission({ rule: mine }), permission({ rule: { owner: { _nnull: true } } }), false],
  ['the same rows', permission({ rule: mine }), permission({ rule: { owner: { _eq: '$CURRENT_USER' } } }), true],
  ['every row, written as {}', permission({ rule: mine }), permission({ rule: {} }), false],
  [
    'one rule, by every row that is written as an empty list',
    permission({ rule: { _and: [] } }),
    permission({ rule: mine }),
    true,
  ],
  [
    'one rule, by a list of nothing that is a condition',
    permission({ rule: { _and: [null] } }),
    permission({ rule: mine }),
    false,
  ],
  ['an empty rule is none', permission({ rule: {} }), permission({ rule: mine }), true],
  ['a rule that cannot be read holds nothing', permission({ rule: { _what: 1 } }), permission({ rule: mine }), false],
  ['another action', permission(), permission({ action: 'update' }), false],
  ['another collection', permission(), permission({ collection: 'users' }), false],
  ['create looks at no rows', permission({ action: 'create', rule: mine }), permission({ action: 'create' }), true],
  [
    'create without the validation',
    permission({ action: 'create', validation: { status: { _eq: 'draft' } } }),
    permission({ action: 'create' }),
    false,
  ],
  [
    'create with the same validation',
    permission({ action: 'create', validation: { status: { _eq: 'draft' } } }),
    permission({ action: 'create', validation: { status: { _eq: 'draft' } } }),
    true,
  ],
  [
    'a preset for a field that may be written',
    permission({ action: 'create', fields: new Set(['status']) }),
    permission({ action: 'create', fields: new Set(), presets: { status: 'x' } }),
    true,
  ],
  [
    'a preset for a field that may not be written',
    permission({ action: 'create', fields: new Set(['title']) }),
    permission({ action: 'create', fields: new Set(['title']), presets: { role: 'x' } }),
    false,
  ],
  [
    'delete looks at no fields',
    permission({ action: 'delete', fields: new Set() }),
    permission({ action: 'delete' }),
    true,
  ],
  ['delete of more rows', permission({ action: 'delete', rule: mine }), permission({ action: 'delete' }), false],
]

test.each(cases)('%s', (_, held, wanted, expected) => {
  expect(holding(held).permission(wanted, [])).toBe(expected)
})

test('several permissions cover a field list together, but only with rows that fit', () => {
  const [title, body] = [permission({ fields: new Set(['title']) }), permission({ fields: new Set(['body']) })]
  const both = permission({ fields: new Set(['title', 'body']) })
  expect(holding(title, body).permission(both, [])).toBe(true)
  expect(holding(title, { ...body, rule: mine }).permission(both, [])).toBe(false)
  expect(holding(title, { ...body, rule: mine }).permission({ ...both, rule: mine }, [])).toBe(true)
})

describe('a policy', () => {
  const coverage = holding(permission())

  test('is covered when all it holds is', () => {
    expect(coverage.policy(policy('p'))).toBe(true)
    expect(coverage.policy(policy('p', { permissions: [permission()] }))).toBe(true)
    expect(coverage.policy(policy('p', { permissions: [permission(), permission({ action: 'delete' })] }))).toBe(false)
  })

  test('with administrator or app access asks for the same', () => {
    expect(coverage.policy(policy('p', { isAdmin: true }))).toBe(false)
    expect(coverage.policy(policy('p', { isApp: true }))).toBe(false)
    const app = coverageOf({ isAdmin: false, policies: ['a'] }, permissionModelOf([policy('a', { isApp: true })]))
    expect(app.policy(policy('p', { isApp: true }))).toBe(true)
    expect(app.policy(policy('p', { isAdmin: true, isApp: true }))).toBe(false)
    expect(
      coverageOf({ isAdmin: true, policies: [] }, permissionModelOf([])).policy(policy('p', { isAdmin: true })),
    ).toBe(true)
  })

  test('that holds for some addresses covers nothing for others', () => {
    const own = policy('own', { addresses: ['10.0.0.0/8'], permissions: [permission()] })
    const bound = coverageOf({ isAdmin: false, policies: ['own'] }, permissionModelOf([own]))
    expect(bound.policy(policy('p', { permissions: [permission()] }))).toBe(false)
    expect(bound.policy(policy('p', { addresses: ['10.0.0.0/8'], permissions: [permission()] }))).toBe(true)
  })
})

test('a role brings the policies of its parents along, a user its own', () => {
  const other = policy('other', { permissions: [permission({ collection: 'secrets' })] })
  const own = policy('own', { permissions: [permission()] })
  const attach = (holder: Partial<Attachment>, id: string) => ({ role: null, user: null, ...holder, policy: id })
  const coverageOfRole = (attachments: Attachment[]) => {
    const permissionModel = permissionModelOf([own, other], attachments)
    return { permissionModel, coverage: coverageOf({ isAdmin: false, policies: ['own'] }, permissionModel) }
  }
  const inherited = coverageOfRole([attach({ role: 'parent' }, 'other'), attach({ role: 'child' }, 'own')])
  expect(inherited.coverage.role('child', inherited.permissionModel)).toBe(false)
  const plain = coverageOfRole([attach({ role: 'child' }, 'own'), attach({}, 'other')])
  expect(plain.coverage.role('child', plain.permissionModel)).toBe(true)
  expect(plain.coverage.user('u', 'child', plain.permissionModel)).toBe(true)
  const personal = coverageOfRole([attach({ user: 'u' }, 'other')])
  expect(personal.coverage.user('u', null, personal.permissionModel)).toBe(false)
  expect(personal.coverage.user('v', null, personal.permissionModel)).toBe(true)
})

test('rules are compared as JSON, whatever the order of their keys', () => {
  expect(same({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
  expect(same([1, 2], [2, 1])).toBe(false)
  expect([isOpen(null), isOpen({}), isOpen({ _and: [] }), isOpen(mine), isOpen('what')]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})
