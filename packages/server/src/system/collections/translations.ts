import type { SystemCollection } from '../../schema/system-collection.ts'

export const translations: SystemCollection = {
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
}
