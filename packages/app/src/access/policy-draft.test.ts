import { expect, test } from 'vitest'
import type { Permission } from './permission.ts'
import {
  isSameState,
  policyChanges,
  policyWrite,
  propertySentence,
  rebasedDraft,
  type PolicyDraft,
} from './policy-draft.ts'

const permission: Permission = {
  id: 1,
  collection: 'orders',
  action: 'read',
  permissions: null,
  validation: null,
  presets: null,
  fields: ['*'],
}

const saved: PolicyDraft = {
  properties: {
    name: 'Sales',
    icon: null,
    description: null,
    ip_access: null,
    enforce_tfa: false,
    admin_access: false,
    app_access: true,
  },
  permissions: [permission],
  attachments: [{ id: 'a', role: 'sales', user: null }],
}

const write = (draft: PolicyDraft) => policyWrite(policyChanges(saved, draft), draft)

test('a write holds only what changes', () => {
  expect(write(saved)).toEqual({})
  expect(write({ ...saved, properties: { ...saved.properties, name: 'Sellers' } })).toEqual({ name: 'Sellers' })
})

test('attachments and permissions are written together with the policy', () => {
  const draft = { ...saved, permissions: [], attachments: [{ id: null, role: null, user: 'anna' }] }
  expect(write(draft)).toEqual({
    permissions: { create: [], update: [], delete: [1] },
    roles: { create: [{ role: null, user: 'anna' }], update: [], delete: ['a'] },
  })
})

test('changes are kept when somebody else has saved the policy', () => {
  const draft = { ...saved, permissions: [{ ...permission, fields: ['id'] }], attachments: [] }
  const fresh: PolicyDraft = {
    properties: { ...saved.properties, name: 'Sellers' },
    permissions: [permission, { ...permission, id: 2, action: 'update' }],
    attachments: [...saved.attachments, { id: 'b', role: 'keys', user: null }],
  }
  const next = rebasedDraft(saved, draft, fresh)
  expect(policyWrite(policyChanges(fresh, next), next)).toEqual({
    permissions: { create: [], update: [{ ...permission, fields: ['id'] }], delete: [] },
    roles: { create: [], update: [], delete: ['a'] },
  })
  expect(isSameState(saved, fresh)).toBe(false)
})

test('a changed property is said with its value before', () => {
  const draft = { ...saved, properties: { ...saved.properties, enforce_tfa: true } }
  expect(propertySentence('enforce_tfa', saved, draft)).toBe('Second factor required: yes, before: no')
})
