import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Observe } from '../observe.ts'
import type { DeliveryStore, LeasedDelivery } from '../store/delivery-store.ts'
import { endOf, isGone, sendMessage, type SendOptions } from './deliver.ts'
import { createEnds, type Ends } from './ends.ts'
import { createLanes } from './lanes.ts'
import { createLoop } from './loop.ts'
import { createTaking, type Held, type TakingOptions } from './taking.ts'

export interface CourierOptions extends SendOptions, Omit<TakingOptions, 'lanes'> {
  readonly store: TakingOptions['store'] & Pick<DeliveryStore, 'release' | 'end' | 'disable'>
  /** Pauses before the repetitions. */
  readonly delays: readonly number[]
  readonly concurrency: number
  readonly observe: Observe
}

/** Sends deliveries that are due. */
export interface Courier {
  /** There may be something to send. */
  readonly wake: () => void
  /** Waits for what is under way. */
  readonly stop: () => Promise<void>
}

/** The shortest pause of a failing receiver, if nothing is repeated. */
const PROBE = 5000

export function createCourier(options: CourierOptions): Courier {
  const { store, observe, failpoints, hostConcurrency, delays } = options
  const returns = createReturns(options)
  const ends = createEnds({
    store,
    observe,
    failpoints,
    probe: delays[0] ?? PROBE,
    onWritten(changes) {
      taking.changed(changes)
      loop.wake()
    },
  })
  const lanes = createLanes<Held>({
    atOnce: options.concurrency,
    perHost: hostConcurrency,
    work: async (held) => {
      if (taking.isUseless(held)) returns.add(held.delivery)
      else await deliver(held, ends, options)
    },
    onFree: (host) => {
      if (lanes.load(host) === hostConcurrency) loop.wake()
    },
  })
  const taking = createTaking({ ...options, lanes })
  const loop = createLoop(taking.take, observe)
  return {
    wake: loop.wake,
    async stop() {
      taking.stop()
      await loop.stop()
      await lanes.stop()
      await returns.stop()
      await ends.stop()
      options.connections.close()
    },
  }
}

/** Gives deliveries back, all together that come in one turn. */
function createReturns({ store, observe }: Pick<CourierOptions, 'store' | 'observe'>) {
  let waiting: LeasedDelivery[] = []
  let running: Promise<void> | null = null
  async function run(): Promise<void> {
    await nextTurn()
    while (waiting.length > 0) {
      const deliveries = waiting
      waiting = []
      // Otherwise they are due again when their leases end.
      await store.release(deliveries).catch((error: unknown) => observe({ kind: 'webhooks-failed', error }))
    }
  }
  return {
    add(delivery: LeasedDelivery) {
      waiting.push(delivery)
      running ??= run().finally(() => (running = null))
    },
    stop: async () => running ?? undefined,
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
