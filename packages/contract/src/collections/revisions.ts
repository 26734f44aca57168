import type { SystemCollection } from './collection.ts'

export const revisions = {
  name: 'service_revisions',
  path: 'revisions',
  note: 'Items as they were after each change.',
  key: 'id',
  isReadOnly: true,
  columns: {
    id: { type: 'counter' },
    activity: { type: 'counter', isIndexed: true, to: { collection: 'service_activity', list: 'revisions' } },
    collection: { type: 'text', isIndexed: true },
    item: { type: 'text' },
    data: { type: 'json', isNullable: true, rowOf: 'collection' },
    delta: { type: 'json', isNullable: true, rowOf: 'collection' },
    parent: { type: 'counter', isNullable: true },
    version: { type: 'text', isNullable: true },
  },
} as const satisfies SystemCollection
