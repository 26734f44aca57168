import { between } from '../lib/failpoint.ts'
import type { Observe } from '../observe.ts'
import type { DeliveryStore, LeasedDelivery } from '../store/deliveries.ts'
import { endOf, isGone, sendMessage, type SendOptions } from './deliver.ts'
import { createEnds, type Ends } from './ends.ts'
import { createLanes, type Laned } from './lanes.ts'
import { createLoop, IDLE } from './loop.ts'
import type { Webhook } from './webhook.ts'

export interface CourierOptions extends SendOptions {
  readonly store: Pick<DeliveryStore, 'take' | 'end' | 'disable' | 'nextDue'>
  /** Webhooks as they are now. */
  readonly webhooks: () => Promise<ReadonlyMap<string, Webhook>>
  /** Pauses before the repetitions. */
  readonly delays: readonly number[]
  readonly concurrency: number
  readonly hostConcurrency: number
  readonly observe: Observe
}

/** Sends deliveries that are due. */
export interface Courier {
  /** There may be something to send. */
  readonly wake: () => void
  /** Waits for what is under way. */
  readonly stop: () => Promise<void>
}

/** A host has at most this many deliveries leased for each one that is sent at once. */
const AHEAD = 4
/** A lease lasts this much longer than an attempt: so long it may wait before it begins. */
const SLACK = 15_000
const SHORTEST = 10

interface Held extends Laned {
  readonly delivery: LeasedDelivery
  readonly webhook: Webhook
  /** The clock of the database. */
  readonly now: () => number
}

export function createCourier(options: CourierOptions): Courier {
  const { store, observe, failpoints, hostConcurrency } = options
  let isStopped = false
  const ends = createEnds({ store, observe, failpoints, onWritten: () => loop.wake() })
  const lanes = createLanes<Held>({
    atOnce: options.concurrency,
    perHost: hostConcurrency,
    work: (held) => deliver(held, ends, options),
    onFree: (host) => {
      if (lanes.load(host) === hostConcurrency) loop.wake()
    },
  })

  /** Returns how long to wait until there may be more. */
  async function take(): Promise<number> {
    const webhooks = await options.webhooks()
    const most = hostConcurrency * AHEAD
    const open = [...webhooks.values()].filter(({ isActive, url }) => isActive && lanes.load(url.host) < most)
    if (open.length === 0 || isStopped) return IDLE
    const ids = open.map(({ id }) => id)
    const { time, deliveries } = await between(failpoints, 'webhooks.before-take', 'webhooks.after-take', () =>
      store.take(ids, options.timeout + SLACK),
    )
    const taken = performance.now()
    const now = () => time + performance.now() - taken
    lanes.add(
      deliveries.flatMap((delivery) => {
        const webhook = webhooks.get(delivery.webhook)
        return webhook === undefined ? [] : [{ delivery, webhook, host: webhook.url.host, now, until: taken + SLACK }]
      }),
    )
    if (deliveries.length > 0) return 0
    return Math.min(IDLE, Math.max(SHORTEST, (await store.nextDue()) ?? IDLE))
  }

  const loop = createLoop(take, observe)
  return {
    wake: loop.wake,
    async stop() {
      isStopped = true
      await loop.stop()
      await lanes.stop()
      await ends.stop()
      options.connections.close()
    },
  }
}

/** Sends one. It never fails: what went wrong is written down. */
async function deliver({ delivery, webhook, now }: Held, ends: Ends, options: CourierOptions): Promise<void> {
  const { store, observe, delays } = options
  const at = now()
  try {
    const outcome = await sendMessage({ id: delivery.id, body: delivery.content, at }, webhook, options)
    const end = endOf(delivery, outcome, at, delays)
    ends.add(end)
    if (end.status === 'dead') observe({ kind: 'webhook-dead', webhook: webhook.id, delivery: delivery.id })
    if (!isGone(outcome)) return
    observe({ kind: 'webhook-gone', webhook: webhook.id })
    await ends.written()
    await store.disable(webhook.id)
  } catch (error) {
    observe({ kind: 'webhooks-failed', error })
  }
}
