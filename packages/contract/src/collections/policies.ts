import type { SystemCollection } from './collection.ts'

export const policies = {
  name: 'service_policies',
  path: 'policies',
  note: 'Sets of permissions that are attached to roles, to users or to the public.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    name: { type: 'text' },
    icon: { type: 'text', default: 'badge' },
    description: { type: 'text', isNullable: true },
    ip_access: { type: 'json', isNullable: true },
    enforce_tfa: { type: 'boolean', default: false },
    admin_access: { type: 'boolean', default: false },
    app_access: { type: 'boolean', default: false },
  },
} as const satisfies SystemCollection
