import type { SystemCollection } from './collection.ts'

export const translations = {
  name: 'service_translations',
  path: 'translations',
  note: 'Texts in several languages.',
  key: 'id',
  isReadOnly: false,
  uniques: [['language', 'key']],
  columns: {
    id: { type: 'uuid', special: 'uuid' },
    language: { type: 'text' },
    key: { type: 'text' },
    value: { type: 'text' },
  },
} as const satisfies SystemCollection
