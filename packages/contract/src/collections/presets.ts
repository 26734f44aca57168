import type { SystemCollection } from './collection.ts'

export const presets = {
  name: 'service_presets',
  path: 'presets',
  note: 'How people like to see their lists, and their bookmarks.',
  key: 'id',
  isReadOnly: false,
  columns: {
    id: { type: 'counter' },
    bookmark: { type: 'text', isNullable: true },
    user: { type: 'uuid', isNullable: true, isIndexed: true, to: { collection: 'service_users', list: null } },
    role: { type: 'uuid', isNullable: true, to: { collection: 'service_roles', list: null } },
    collection: { type: 'text', isNullable: true },
    search: { type: 'text', isNullable: true },
    layout: { type: 'text', isNullable: true, default: 'tabular' },
    layout_query: { type: 'json', isNullable: true },
    layout_options: { type: 'json', isNullable: true },
    refresh_interval: { type: 'integer', isNullable: true },
    filter: { type: 'json', isNullable: true },
    icon: { type: 'text', isNullable: true, default: 'bookmark' },
    color: { type: 'text', isNullable: true },
  },
} as const satisfies SystemCollection
