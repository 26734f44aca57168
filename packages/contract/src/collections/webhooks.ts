import type { SystemCollection } from './collection.ts'

/** Who is told of changes by a request to an address of theirs. For administrators only. */
export const webhooks = {
  name: 'service_webhooks',
  path: 'webhooks',
  note: 'Addresses that are told of changes.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    name: { type: 'text' },
    url: { type: 'text' },
    status: { type: 'text', default: 'active' },
    collections: { type: 'json' },
    events: { type: 'json' },
    fields: { type: 'json' },
    filter: { type: 'json', isNullable: true },
    // The key stays when the user is deleted: then nothing may be read, instead of everything.
    user: { type: 'uuid', isNullable: true, to: { collection: 'service_users', list: null, isLoose: true } },
    headers: { type: 'json', isNullable: true, special: 'conceal' },
    secret: { type: 'text', special: 'conceal' },
    dead_count: { type: 'integer', default: 0 },
    last_success: { type: 'timestamp', isNullable: true },
    last_failure: { type: 'timestamp', isNullable: true },
    // Set while the receiver fails: only one delivery is tried then, at `next_probe`.
    failing_since: { type: 'timestamp', isNullable: true },
    next_probe: { type: 'timestamp', isNullable: true },
  },
} as const satisfies SystemCollection
