import { setTimeout as sleep } from 'node:timers/promises'
import { between, type Failpoints } from '../lib/failpoint.ts'
import type { Observe } from '../observe.ts'
import type { DeliveryEnd, DeliveryStore, ReceiverChanges } from '../store/delivery-store.ts'

export interface EndsOptions {
  readonly store: Pick<DeliveryStore, 'end'>
  readonly observe: Observe
  readonly failpoints: Failpoints | null
  /** The shortest pause of receivers that fail. */
  readonly probe: number
  /** Called after some were written: what waited for them may be due. */
  readonly onWritten: (changes: ReceiverChanges) => void
}

/** Writes down what came of deliveries, many at once while there are many. */
export interface Ends {
  readonly add: (end: DeliveryEnd) => void
  /** Resolves once what was added is written. */
  readonly written: () => Promise<void>
  readonly stop: () => Promise<void>
}

const MOST_ROWS = 200
/** The time of the last success is written at most this often. */
const NOTED = 1000
const RETRY = 500

export function createEnds({ store, observe, failpoints, probe, onWritten }: EndsOptions): Ends {
  let waiting: DeliveryEnd[] = []
  let writing: Promise<void> | null = null
  let isStopped = false
  const noted = new Map<string, number>()

  function successes(ends: readonly DeliveryEnd[]): readonly string[] {
    const now = performance.now()
    const meant = ends.filter(
      ({ status, delivery }) => status === 'delivered' && (noted.get(delivery.webhook) ?? -NOTED) <= now - NOTED,
    )
    for (const { delivery } of meant) noted.set(delivery.webhook, now)
    return [...new Set(meant.map(({ delivery }) => delivery.webhook))]
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const ends = waiting.slice(0, MOST_ROWS)
      try {
        const changes = await between(failpoints, 'webhooks.before-end', 'webhooks.after-end', () =>
          store.end(ends, { succeeded: successes(ends), probe }),
        )
        waiting = waiting.slice(ends.length)
        for (const webhook of changes.failing) observe({ kind: 'webhook-failing', webhook })
        for (const each of changes.recovered) observe({ kind: 'webhook-recovered', ...each })
        onWritten(changes)
      } catch (error) {
        observe({ kind: 'webhooks-failed', error })
        // Whoever takes them after their leases sends them again.
        if (isStopped) waiting = []
        else await sleep(RETRY)
      }
    }
  }

  return {
    add(end) {
      waiting.push(end)
      writing ??= write().finally(() => (writing = null))
    },
    written: async () => writing ?? undefined,
    async stop() {
      isStopped = true
      await writing
    },
  }
}
