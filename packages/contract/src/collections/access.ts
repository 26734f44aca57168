import type { SystemCollection } from './collection.ts'

export const access = {
  name: 'service_access',
  path: 'access',
  note: 'Which policy is attached to which role or user; to the public where both are empty.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  sortField: 'sort',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    role: {
      type: 'uuid',
      isNullable: true,
      isIndexed: true,
      to: { collection: 'service_roles', list: 'policies', junction: 'policy', deselect: 'delete' },
    },
    user: {
      type: 'uuid',
      isNullable: true,
      isIndexed: true,
      to: { collection: 'service_users', list: 'policies', junction: 'policy', deselect: 'delete' },
    },
    policy: {
      type: 'uuid',
      isIndexed: true,
      to: { collection: 'service_policies', list: 'roles', alsoList: ['users'], junction: 'role', deselect: 'delete' },
    },
    sort: { type: 'integer', isNullable: true },
  },
} as const satisfies SystemCollection
