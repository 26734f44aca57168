import type { SystemCollection } from './collection.ts'

/** What is sent to webhooks, and what came of it. Read below the webhook. */
export const deliveries = {
  name: 'service_deliveries',
  path: null,
  note: 'What webhooks were sent, or will be.',
  key: 'id',
  isReadOnly: true,
  columns: {
    id: { type: 'text' },
    webhook: {
      type: 'uuid',
      isIndexed: true,
      to: { collection: 'service_webhooks', list: null, onDelete: 'CASCADE' },
    },
    type: { type: 'text' },
    collection: { type: 'text' },
    key: { type: 'text' },
    position: { type: 'text' },
    status: { type: 'text', default: 'waiting' },
    attempts: { type: 'json' },
    next_attempt: { type: 'timestamp', isNullable: true },
  },
} as const satisfies SystemCollection
