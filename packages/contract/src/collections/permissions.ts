import type { SystemCollection } from './collection.ts'

export const permissions = {
  name: 'service_permissions',
  path: 'permissions',
  note: 'What a policy allows: an action on a collection, for some rows and fields.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'counter' },
    policy: {
      type: 'uuid',
      isIndexed: true,
      to: { collection: 'service_policies', list: 'permissions', deselect: 'delete' },
    },
    collection: { type: 'text' },
    action: { type: 'text' },
    permissions: { type: 'json', isNullable: true },
    validation: { type: 'json', isNullable: true },
    presets: { type: 'json', isNullable: true },
    fields: { type: 'json', isNullable: true },
  },
} as const satisfies SystemCollection
