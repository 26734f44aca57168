import { randomUUID } from 'node:crypto'
import type { SecretEncryption } from '../auth/secret-encryption.ts'
import type { Watch } from '../engine/watch.ts'
import type { EventLog } from '../events/event-log.ts'
import { between } from '../lib/failpoint.ts'
import type { Schema } from '../schema/schema.ts'
import type { DeliveryStore } from '../store/delivery-store.ts'
import { newWebhookSecret, webhookOwner } from '../system/guards/webhooks.ts'
import type { ChooseRows } from './choose-rows.ts'
import { createCleaning } from './cleaning.ts'
import { createCourier, type CourierOptions } from './courier.ts'
import { sendMessage } from './deliver.ts'
import type { Outcome } from './exchange.ts'
import { createGather, type Gather } from './gather.ts'
import { createLoop, IDLE } from './loop.ts'
import { openWebhook, type Webhook } from './webhook.ts'

export interface WebhooksOptions extends Omit<CourierOptions, 'store' | 'webhooks'> {
  readonly store: DeliveryStore
  /** null: no log is kept, so nothing new is delivered. */
  readonly log: EventLog | null
  readonly schema: () => Schema
  readonly latestSchema: () => Promise<Schema>
  readonly chooseRows: ChooseRows
  readonly shownKey: Watch['shownKey']
  readonly encryption: () => SecretEncryption
  /** False while the database has not been reached yet. */
  readonly isReady: () => boolean
  /** Whether this process delivers. */
  readonly isDelivering: boolean
}

export interface Webhooks {
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** Some were made or changed: resolves once the log keeps what they ask for. */
  readonly changed: () => Promise<void>
  /** null: there is no such webhook. */
  readonly test: (id: string) => Promise<Outcome | null>
  /** The new secret; null: there is no such webhook. */
  readonly rotate: (id: string) => Promise<string | null>
  readonly replay: DeliveryStore['replay']
  readonly replayAll: DeliveryStore['replayAll']
  readonly has: (id: string) => Promise<boolean>
}

/** Webhooks are read again after so long. */
const FRESH = 250

type List = (isNewest?: boolean) => Promise<ReadonlyMap<string, Webhook>>

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { observe, log } = options
  const list = createList(options)
  const gather = log === null ? null : createGather({ ...options, log })
  const courier = createCourier({
    ...options,
    webhooks: async (isNewest) => (isListening(options) ? list(isNewest) : new Map<string, Webhook>()),
  })
  const gathering = createLoop(
    gatherOnce(options, list, gather, () => courier.wake()),
    observe,
  )
  const cleaning = createCleaning({
    ...options,
    list,
    isMeant: () => isListening(options),
    onMarked: () => courier.wake(),
  })
  const news = createListening(
    log,
    () => isListening(options),
    () => gathering.wake(),
  )

  const wake = () => {
    gathering.wake()
    courier.wake()
  }
  return {
    start() {
      if (!options.isDelivering) return
      wake()
      cleaning.wake()
      news.start()
    },
    async stop() {
      news.stop()
      await Promise.all([gathering.stop(), cleaning.stop()])
      await courier.stop()
    },
    async changed() {
      await gather?.settle([...(await list(true)).values()])
      if (!options.isDelivering) return
      news.look()
      wake()
    },
    ...calls(options, list, wake),
  }
}

/** Whether the log keeps anything. Without, there is no webhook that could have been told of a change. */
function isListening({ isReady, schema }: WebhooksOptions): boolean {
  if (!isReady()) return false
  for (const { capturedSince } of schema().collections.values()) if (capturedSince !== null) return true
  return false
}

function gatherOnce(options: WebhooksOptions, list: List, gather: Gather | null, onNew: () => void) {
  let isFirst = true
  return async (): Promise<number> => {
    // A process may have died between making a webhook and having the log listen.
    const isMeant = isListening(options) || (isFirst && options.isReady())
    if (gather === null || !isMeant) return IDLE
    // Where there is none, a stream of changes is no reason to look for them all the time.
    if (!isFirst && (await list()).size === 0) return IDLE
    await gather.settle([...(await list(true)).values()])
    isFirst = false
    const webhooks = [...(await list(true)).values()]
    const hasNew = await between(options.failpoints, 'webhooks.before-gather', 'webhooks.after-gather', () =>
      gather.run(webhooks),
    )
    if (hasNew) onNew()
    return IDLE
  }
}

/** Hears of news only while something is listened to: the log rests if nobody wants to hear. */
function createListening(log: EventLog | null, isWanted: () => boolean, onNews: () => void) {
  let end: (() => void) | null = null
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    if (log !== null && end === null && isWanted()) end = log.onNews(onNews)
  }
  return {
    look,
    start() {
      look()
      timer = setInterval(look, IDLE)
      timer.unref()
    },
    stop() {
      if (timer !== null) clearInterval(timer)
      end?.()
    },
  }
}

function createList({ store, encryption }: WebhooksOptions): List {
  let known: ReadonlyMap<string, Webhook> = new Map()
  let readAt = -FRESH
  return async (isNewest = false) => {
    if (!isNewest && performance.now() - readAt < FRESH) return known
    const began = performance.now()
    const stored = await store.webhooks()
    // One that began later may have ended first.
    if (began < readAt) return known
    known = new Map(stored.map((each) => [each.id, openWebhook(each, encryption())]))
    readAt = began
    return known
  }
}

const calls = (
  options: WebhooksOptions,
  list: List,
  wake: () => void,
): Pick<Webhooks, 'test' | 'rotate' | 'replay' | 'replayAll' | 'has'> => ({
  async test(id) {
    const webhook = (await list(true)).get(id)
    if (webhook === undefined) return null
    const at = Date.now()
    const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date(at).toISOString(), data: { webhook: id } })
    return sendMessage({ id: `evt_test_${randomUUID()}`, body, at }, webhook, options)
  },
  async rotate(id) {
    if (!(await list(true)).has(id)) return null
    const secret = newWebhookSecret()
    await options.store.rotate(id, options.encryption().encrypt(secret, webhookOwner(id)))
    await list(true)
    return secret
  },
  async replay(webhook, delivery) {
    const isThere = await options.store.replay(webhook, delivery)
    wake()
    return isThere
  },
  async replayAll(webhook, range) {
    const count = await options.store.replayAll(webhook, range)
    wake()
    return count
  },
  has: async (id) => (await list(true)).has(id),
})
