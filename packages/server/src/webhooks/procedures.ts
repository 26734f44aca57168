import { forbidden, invalidPayload, type WebhookProcedureName } from '@tain/contract'
import { deliveries } from '@tain/contract/collections'
import type { Actor } from '../access/actor.ts'
import type { Engine } from '../engine/engine.ts'
import { listRead } from '../engine/items/read-items.ts'
import { parsePosition, type Position } from '../events/position.ts'
import { isUuid } from '../lib/uuid.ts'
import type { Implementations, Procedure } from '../procedure.ts'
import { queryKeyOf } from '../query/keyed-query.ts'
import type { Filter } from '../query/query.ts'
import type { Webhooks } from './webhooks.ts'

export interface WebhookProcedureServices {
  readonly engine: Engine
  readonly webhooks: Webhooks
}

/** What administrators do with webhooks besides reading and writing them. */
export const createWebhookProcedures = (services: WebhookProcedureServices): Implementations<WebhookProcedureName> => ({
  listDeliveries: listDeliveries(services),
  replayDelivery: replayDelivery(services),
  replayDeliveries: replayDeliveries(services),
  testWebhook: testWebhook(services),
  rotateWebhook: rotateWebhook(services),
})

/** The id of a webhook that is there, for administrators. To others none is. */
async function webhookFor(
  actor: Actor,
  given: string,
  { engine, webhooks }: WebhookProcedureServices,
): Promise<string> {
  const { isAdmin } = await engine.renew(actor)
  const id = given.toLowerCase()
  if (!isAdmin || !isUuid(id) || !(await webhooks.has(id))) throw forbidden()
  return id
}

const listDeliveries =
  (services: WebhookProcedureServices): Procedure<'listDeliveries'> =>
  async ({ actor, input, selection }) => {
    const id = await webhookFor(actor, input.id, services)
    const { query, values } = selection()
    const isOwn: Filter = {
      kind: 'test',
      field: { name: 'webhook', fn: null },
      operator: '_eq',
      operand: values.length,
    }
    const own = {
      ...query,
      filter: query.filter === null ? isOwn : ({ kind: 'and', parts: [isOwn, query.filter] } as const),
    }
    const read = { query: own, queryKey: queryKeyOf(own), values: [...values, id], meta: [], cursor: null }
    const { rows } = await services.engine.list(actor, listRead({ collection: deliveries.name, isSystem: true }, read))
    return rows
  }

const replayDelivery =
  (services: WebhookProcedureServices): Procedure<'replayDelivery'> =>
  async ({ actor, input }) => {
    const id = await webhookFor(actor, input.id, services)
    if (!(await services.webhooks.replay(id, input.delivery))) throw forbidden()
    return { replayed: 1 }
  }

const replayDeliveries =
  (services: WebhookProcedureServices): Procedure<'replayDeliveries'> =>
  async ({ actor, input }) => {
    const id = await webhookFor(actor, input.id, services)
    const from = parsePosition(input.from)
    const upTo = input.to === null ? Number.MAX_SAFE_INTEGER : endOf(from, parsePosition(input.to, 'to'))
    return { replayed: await services.webhooks.replayAll(id, { epoch: from.epoch, after: from.number, upTo }) }
  }

function endOf(from: Position, to: Position): number {
  if (to.epoch !== from.epoch || to.number < from.number)
    throw invalidPayload('"to" has to be a position after "from", of the same log')
  return to.number
}

const testWebhook =
  (services: WebhookProcedureServices): Procedure<'testWebhook'> =>
  async ({ actor, input }) => {
    const outcome = await services.webhooks.test(await webhookFor(actor, input.id, services))
    if (outcome === null) throw forbidden()
    return { status: outcome.response, duration: outcome.duration, error: outcome.error }
  }

const rotateWebhook =
  (services: WebhookProcedureServices): Procedure<'rotateWebhook'> =>
  async ({ actor, input }) => {
    const id = await webhookFor(actor, input.id, services)
    const secret = await services.webhooks.rotate(id)
    if (secret === null) throw forbidden()
    return { id, secret }
  }
