import type { SystemCollection } from './collection.ts'

export const panels = {
  name: 'service_panels',
  path: 'panels',
  note: 'What a dashboard shows, and where.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    dashboard: {
      type: 'uuid',
      isIndexed: true,
      to: { collection: 'service_dashboards', list: 'panels', onDelete: 'CASCADE', deselect: 'delete' },
    },
    name: { type: 'text', isNullable: true },
    icon: { type: 'text', isNullable: true },
    color: { type: 'text', isNullable: true },
    show_header: { type: 'boolean', default: false },
    note: { type: 'text', isNullable: true },
    type: { type: 'text' },
    position_x: { type: 'integer' },
    position_y: { type: 'integer' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    options: { type: 'json', isNullable: true },
    date_created: { type: 'timestamp', isNullable: true, default: { now: true }, special: 'date-created' },
    user_created: {
      type: 'uuid',
      isNullable: true,
      special: 'user-created',
      to: { collection: 'service_users', list: null, onDelete: 'SET NULL' },
    },
  },
} as const satisfies SystemCollection
