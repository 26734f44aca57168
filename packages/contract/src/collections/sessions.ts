import type { SystemCollection } from './collection.ts'

/** Sessions of signed-in users. No route reads them. Tokens are stored as hashes. */
export const sessions = {
  name: 'service_sessions',
  path: null,
  note: 'Who is signed in.',
  key: 'token',
  isReadOnly: true,
  columns: {
    token: { type: 'text', special: 'conceal' },
    user: { type: 'uuid', isNullable: true, isIndexed: true, to: { collection: 'service_users', list: null } },
    // Identifies the sessions of one login; reuse of an old token ends them all.
    family: { type: 'uuid', isIndexed: true },
    expires: { type: 'timestamp' },
    ip: { type: 'text', isNullable: true },
    user_agent: { type: 'text', isNullable: true },
    origin: { type: 'text', isNullable: true },
    next_token: { type: 'text', isNullable: true, special: 'conceal' },
    used: { type: 'timestamp', isNullable: true },
  },
} as const satisfies SystemCollection
