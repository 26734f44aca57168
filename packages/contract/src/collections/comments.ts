import type { SystemCollection } from './collection.ts'

export const comments = {
  name: 'service_comments',
  path: 'comments',
  note: 'What people say about items.',
  key: 'id',
  isReadOnly: false,
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    collection: { type: 'text', isIndexed: true },
    item: { type: 'text' },
    comment: { type: 'text' },
    date_created: { type: 'timestamp', isNullable: true, default: { now: true }, special: 'date-created' },
    date_updated: { type: 'timestamp', isNullable: true, special: 'date-updated' },
    user_created: {
      type: 'uuid',
      isNullable: true,
      special: 'user-created',
      to: { collection: 'service_users', list: null, onDelete: 'SET NULL' },
    },
    user_updated: {
      type: 'uuid',
      isNullable: true,
      special: 'user-updated',
      to: { collection: 'service_users', list: null, onDelete: 'SET NULL' },
    },
  },
} as const satisfies SystemCollection
