import type { SystemCollection } from './collection.ts'

export const activity = {
  name: 'service_activity',
  path: 'activity',
  note: 'Who did what to which item, and when.',
  key: 'id',
  isReadOnly: true,
  columns: {
    id: { type: 'counter' },
    action: { type: 'text' },
    /** Stays when the user is deleted. */
    user: { type: 'uuid', isNullable: true, to: { collection: 'service_users', list: null, isLoose: true } },
    timestamp: { type: 'timestamp', default: { now: true } },
    ip: { type: 'text', isNullable: true },
    user_agent: { type: 'text', isNullable: true },
    origin: { type: 'text', isNullable: true },
    collection: { type: 'text', isIndexed: true },
    item: { type: 'text' },
  },
} as const satisfies SystemCollection
