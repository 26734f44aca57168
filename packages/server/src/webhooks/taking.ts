import { between, type Failpoints } from '../lib/failpoint.ts'
import type { DeliveryStore, DueTime, LeasedDelivery, ReceiverChanges } from '../store/delivery-store.ts'
import type { Laned, Lanes } from './lanes.ts'
import { IDLE } from './loop.ts'
import type { Webhook } from './webhook.ts'

export interface TakingOptions {
  readonly store: Pick<DeliveryStore, 'dueTimes' | 'take'>
  /** Webhooks as they were a moment ago, or as they are now. */
  readonly webhooks: (isNewest: boolean) => Promise<ReadonlyMap<string, Webhook>>
  /** Where deliveries wait until they are sent. */
  readonly lanes: Pick<Lanes<Held>, 'add' | 'load'>
  readonly hostConcurrency: number
  /** Longest time of one attempt. */
  readonly timeout: number
  readonly failpoints: Failpoints | null
}

/** A delivery that this process has leased. */
export interface Held extends Laned {
  readonly delivery: LeasedDelivery
  /** The one attempt at a receiver that fails. */
  readonly isProbe: boolean
  readonly webhook: Webhook
  /** The clock of the database. */
  readonly now: () => number
}

/** Leases deliveries that are due, of receivers that have room for them. */
export interface Taking {
  /** Returns how long to wait until there may be more. */
  readonly take: () => Promise<number>
  /** Receivers began to fail, or take deliveries again. */
  readonly changed: (changes: ReceiverChanges) => void
  /** Whether a delivery was leased before its receiver began to fail, so that it is not sent. */
  readonly isUseless: (held: Held) => boolean
  readonly stop: () => void
}

/** A host has at most this many deliveries leased for each one that is sent at once. */
const AHEAD = 4
/** A lease lasts this much longer than an attempt: so long it may wait before it begins. */
const SLACK = 15_000
const SHORTEST = 10
/** Attempts at receivers that fail share the places of one host, so that any number of them leaves room for the others. */
const FAILING = 'failing'

export function createTaking(options: TakingOptions): Taking {
  const { store, lanes, failpoints, hostConcurrency } = options
  let isStopped = false
  let isChanged = false
  let failing: Set<string> = new Set()

  function hasRoom({ isActive, url, stored: { failing: state } }: Webhook): boolean {
    if (!isActive) return false
    if (state === null) return lanes.load(url.host) < hostConcurrency * AHEAD
    return state.probe <= 0 && lanes.load(FAILING) < hostConcurrency
  }

  async function take(): Promise<number> {
    const isNewest = isChanged
    isChanged = false
    const webhooks = await options.webhooks(isNewest)
    failing = new Set([...webhooks.values()].filter(({ stored }) => stored.failing !== null).map(({ id }) => id))
    const open = [...webhooks.values()].filter(hasRoom).map(({ id }) => id)
    if (open.length === 0 || isStopped) return IDLE
    const times = await store.dueTimes(open)
    const due = times.filter(({ isDue }) => isDue)
    if (due.length === 0) return pauseOf(times)
    const places = Math.max(0, hostConcurrency - lanes.load(FAILING))
    const tried = longestWaiting(
      due.filter(({ webhook }) => failing.has(webhook)),
      webhooks,
    ).slice(0, places)
    const probes = new Set(tried)
    const wanted = [
      ...due.filter(({ webhook }) => !failing.has(webhook)).map(({ webhook }) => ({ webhook, isProbe: false })),
      ...due.filter(({ webhook }) => probes.has(webhook)).map(({ webhook }) => ({ webhook, isProbe: true })),
    ]
    const { time, deliveries } = await between(failpoints, 'webhooks.before-take', 'webhooks.after-take', () =>
      store.take(wanted, options.timeout + SLACK),
    )
    const taken = performance.now()
    if (deliveries.length === 0) return pauseOf(times)
    // A secret may have been rotated before the change that is delivered.
    const current = await options.webhooks(false)
    lanes.add(heldBy({ deliveries, webhooks: current, probes, time, taken }))
    return 0
  }

  return {
    take,
    changed(changes) {
      for (const webhook of changes.failing) failing.add(webhook)
      isChanged ||= changes.failing.length > 0 || changes.recovered.length > 0
    },
    isUseless: ({ isProbe, webhook }) => !isProbe && failing.has(webhook.id),
    stop() {
      isStopped = true
    },
  }
}

interface Taken {
  readonly deliveries: readonly LeasedDelivery[]
  readonly webhooks: ReadonlyMap<string, Webhook>
  readonly probes: ReadonlySet<string>
  /** The clock of the database, and of this process, when they were leased. */
  readonly time: number
  readonly taken: number
}

const heldBy = ({ deliveries, webhooks, probes, time, taken }: Taken): readonly Held[] =>
  deliveries.flatMap((delivery) => {
    const webhook = webhooks.get(delivery.webhook)
    if (webhook === undefined) return []
    const isProbe = probes.has(webhook.id)
    const host = isProbe ? FAILING : webhook.url.host
    return [{ delivery, webhook, isProbe, host, now: () => time + performance.now() - taken, until: taken + SLACK }]
  })

/** Failing receivers, the one first whose next attempt was due first. */
function longestWaiting(due: readonly DueTime[], webhooks: ReadonlyMap<string, Webhook>): readonly string[] {
  const waitOf = (id: string) => webhooks.get(id)?.stored.failing?.probe ?? 0
  return due.map(({ webhook }) => webhook).toSorted((one, other) => waitOf(one) - waitOf(other))
}

const pauseOf = (times: readonly DueTime[]): number =>
  Math.max(SHORTEST, Math.min(IDLE, ...times.map(({ wait }) => wait ?? IDLE)))
