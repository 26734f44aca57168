import type { SystemCollection } from './collection.ts'

export const roles = {
  name: 'service_roles',
  path: 'roles',
  note: 'Groups of users; policies are attached to them, and a role inherits those of its parents.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    name: { type: 'text' },
    icon: { type: 'text', default: 'supervised_user_circle' },
    description: { type: 'text', isNullable: true },
    parent: {
      type: 'uuid',
      isNullable: true,
      to: { collection: 'service_roles', list: 'children', onDelete: 'SET NULL' },
    },
  },
} as const satisfies SystemCollection
