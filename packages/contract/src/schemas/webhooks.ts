import { Type } from 'typebox'
import type { WebhookProcedureName } from '../procedures/webhooks.ts'
import { json, nullable, object, optional, text } from './parts.ts'
import type { ProcedureSchema } from './procedure-schema.ts'

const replayed = object(
  { replayed: Type.Integer({ description: 'How many deliveries are sent again.' }) },
  { title: 'webhooks_replayed' },
)
const position = Type.String({ description: 'A position that a delivery has told.' })

export const webhookSchemas = {
  listDeliveries: { input: object({ id: text }), output: Type.Array(json) },
  replayDelivery: { input: object({ id: text, delivery: text }), output: replayed },
  replayDeliveries: { input: object({ id: text, from: position, to: optional(position) }), output: replayed },
  testWebhook: {
    input: object({ id: text }),
    output: object(
      {
        status: nullable(Type.Integer({ description: 'The status of the response; null: there was none.' })),
        duration: Type.Integer({ description: 'Milliseconds.' }),
        error: nullable(Type.String({ description: 'Why there was no response.' })),
      },
      { title: 'webhooks_test' },
    ),
  },
  rotateWebhook: {
    input: object({ id: text }),
    output: object(
      { id: Type.String(), secret: Type.String({ description: 'Shown this once.' }) },
      { title: 'webhooks_secret' },
    ),
  },
} as const satisfies Readonly<Record<WebhookProcedureName, ProcedureSchema>>
