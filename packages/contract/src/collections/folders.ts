import type { SystemCollection } from './collection.ts'

export const folders = {
  name: 'service_folders',
  path: 'folders',
  note: 'Where files are kept.',
  key: 'id',
  isReadOnly: false,
  accountability: 'all',
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    name: { type: 'text' },
    parent: { type: 'uuid', isNullable: true, to: { collection: 'service_folders', list: null, onDelete: 'SET NULL' } },
  },
} as const satisfies SystemCollection
