import type { Observe } from '../observe.ts'
import type { DeliveryStore } from '../store/delivery-store.ts'
import { createLoop, IDLE, type Loop } from './loop.ts'
import type { Webhook } from './webhook.ts'

export interface CleaningOptions {
  readonly store: Pick<DeliveryStore, 'markFirsts' | 'giveUp' | 'removeOld'>
  readonly list: () => Promise<ReadonlyMap<string, Webhook>>
  /** Pauses before the repetitions. */
  readonly delays: readonly number[]
  readonly isReady: () => boolean
  /** Whether there may be webhooks. */
  readonly isMeant: () => boolean
  /** Called when deliveries were marked: they may be due. */
  readonly onMarked: () => void
  readonly observe: Observe
}

const CLEANING = 60_000
const DAY = 24 * 3600 * 1000

/** Works off, some at a time, what deliveries leave behind: marks that are missing, deliveries that nobody will take, old ones. */
export function createCleaning(options: CleaningOptions): Loop {
  let isStopped = false
  const loop = createLoop(async () => {
    if (!options.isReady()) return IDLE
    if (options.isMeant()) await clean(options, () => isStopped)
    return CLEANING
  }, options.observe)
  return {
    wake: loop.wake,
    async stop() {
      isStopped = true
      await loop.stop()
    },
  }
}

async function clean({ store, list, delays, onMarked }: CleaningOptions, isStopped: () => boolean): Promise<void> {
  const all = async (work: () => Promise<boolean>): Promise<void> => {
    while (!isStopped() && (await work()));
  }
  const longest = Math.max(
    DAY,
    delays.reduce((sum, delay) => sum + delay, 0),
  )
  for (const { id, isActive, stored } of (await list()).values()) {
    let after: string | null = ''
    await all(async () => {
      const { count, next } = await store.markFirsts(id, after ?? '')
      if (count > 0) onMarked()
      after = next
      return next !== null
    })
    // Without attempts that fail, deliveries to a receiver that is gone would be kept forever.
    if (isActive && stored.failing !== null && stored.failing.since > longest)
      await all(() => store.giveUp(id, longest))
  }
  await all(() => store.removeOld())
}
