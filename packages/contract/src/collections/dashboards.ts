import type { SystemCollection } from './collection.ts'

export const dashboards = {
  name: 'service_dashboards',
  path: 'dashboards',
  note: 'Pages of panels that show figures.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    name: { type: 'text' },
    icon: { type: 'text', default: 'dashboard' },
    note: { type: 'text', isNullable: true },
    color: { type: 'text', isNullable: true },
    date_created: { type: 'timestamp', isNullable: true, default: { now: true }, special: 'date-created' },
    user_created: {
      type: 'uuid',
      isNullable: true,
      special: 'user-created',
      to: { collection: 'service_users', list: null, onDelete: 'SET NULL' },
    },
  },
} as const satisfies SystemCollection
