import type { ProcedureRow } from './row.ts'

/** What administrators do with webhooks besides reading and writing them. */
export const webhookProcedures = {
  listDeliveries: {
    callers: 'administrators',
    dryRun: 'harmless',
    response: 'items',
    items: 'service_deliveries',
    input: { id: 'path' },
    rest: [['GET', '/webhooks/:id/deliveries']],
    graphql: { operation: 'query', name: 'webhooks_deliveries', keys: ['id'] },
  },
  replayDelivery: {
    callers: 'administrators',
    dryRun: 'refused',
    response: 'data',
    input: { id: 'path', delivery: 'path' },
    rest: [['POST', '/webhooks/:id/deliveries/:delivery/replay']],
    graphql: { operation: 'mutation', name: 'webhooks_replay_delivery', keys: ['id', 'delivery'] },
  },
  replayDeliveries: {
    callers: 'administrators',
    dryRun: 'refused',
    response: 'data',
    input: { id: 'path', from: 'body', to: 'body' },
    rest: [['POST', '/webhooks/:id/replay']],
    graphql: { operation: 'mutation', name: 'webhooks_replay', keys: ['id'] },
  },
  testWebhook: {
    callers: 'administrators',
    dryRun: 'refused',
    response: 'data',
    input: { id: 'path' },
    rest: [['POST', '/webhooks/:id/test']],
    graphql: { operation: 'mutation', name: 'webhooks_test', keys: ['id'] },
  },
  rotateWebhook: {
    callers: 'administrators',
    dryRun: 'refused',
    isSecret: true,
    response: 'data',
    input: { id: 'path' },
    rest: [['POST', '/webhooks/:id/rotate']],
    graphql: { operation: 'mutation', name: 'webhooks_rotate', keys: ['id'] },
  },
} as const satisfies Readonly<Record<string, ProcedureRow>>

export type WebhookProcedureName = keyof typeof webhookProcedures
