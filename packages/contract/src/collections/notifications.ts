import type { SystemCollection } from './collection.ts'

export const notifications = {
  name: 'service_notifications',
  path: 'notifications',
  note: 'Messages to users.',
  key: 'id',
  isReadOnly: false,
  columns: {
    id: { type: 'counter' },
    timestamp: { type: 'timestamp', isNullable: true, default: { now: true }, special: 'date-created' },
    status: { type: 'text', isNullable: true, default: 'inbox' },
    recipient: { type: 'uuid', isIndexed: true, to: { collection: 'service_users', list: null } },
    sender: { type: 'uuid', isNullable: true, to: { collection: 'service_users', list: null, onDelete: 'SET NULL' } },
    subject: { type: 'text' },
    message: { type: 'text', isNullable: true },
    collection: { type: 'text', isNullable: true },
    item: { type: 'text', isNullable: true },
  },
} as const satisfies SystemCollection
