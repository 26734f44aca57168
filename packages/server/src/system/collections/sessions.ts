import type { SystemCollection } from '../../schema/system-collection.ts'

/** Kept for whoever is signed in; there is no address to read it under. Tokens are kept as hashes. */
export const sessions: SystemCollection = {
  name: 'service_sessions',
  path: null,
  note: 'Who is signed in.',
  key: 'token',
  isReadOnly: true,
  columns: {
    token: { type: 'text', special: 'conceal' },
    user: { type: 'uuid', isNullable: true, isIndexed: true, to: { collection: 'service_users', list: null } },
    // Sessions that came out of one sign-in; an old token used again ends them all.
    family: { type: 'uuid', isIndexed: true },
    expires: { type: 'timestamp' },
    ip: { type: 'text', isNullable: true },
    user_agent: { type: 'text', isNullable: true },
    origin: { type: 'text', isNullable: true },
    next_token: { type: 'text', isNullable: true, special: 'conceal' },
    used: { type: 'timestamp', isNullable: true },
  },
}
