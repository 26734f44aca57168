import type { OutsideTransaction } from '../sql/outside.ts'

/** Transactions that are appended together have no more changes. */
const TOGETHER = 1000
/** Changes that wait, before the database has to wait. */
const MOST_WAITING = 10_000

export interface OutsideQueue {
  /** Resolves once there is room for the next one. */
  readonly take: (transaction: OutsideTransaction) => Promise<void>
  /** Nothing waits, and nothing is being appended. */
  readonly isEmpty: () => boolean
  /** Milliseconds since the oldest one that waits was committed. */
  readonly lag: () => number
  readonly close: () => Promise<void>
}

interface QueueParts {
  readonly append: (transactions: readonly OutsideTransaction[]) => Promise<void>
  readonly standsAlone: (transaction: OutsideTransaction) => boolean
  readonly failed: (error: unknown) => void
}

function nextOf(waiting: readonly OutsideTransaction[], standsAlone: QueueParts['standsAlone']): OutsideTransaction[] {
  const taken: OutsideTransaction[] = []
  let count = 0
  for (const transaction of waiting) {
    const isAlone = standsAlone(transaction)
    if (taken.length > 0 && (isAlone || count + transaction.count > TOGETHER)) break
    taken.push(transaction)
    count += transaction.count
    if (isAlone) break
  }
  return taken
}

/** While one append runs, the transactions of the next one gather. */
export function createOutsideQueue({ append, standsAlone, failed }: QueueParts): OutsideQueue {
  const waiting: OutsideTransaction[] = []
  const state = { changes: 0, isClosed: false, room: Promise.withResolvers<void>() }
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    while (waiting.length > 0 && !state.isClosed) {
      const taken = nextOf(waiting, standsAlone)
      await append(taken)
      waiting.splice(0, taken.length)
      for (const transaction of taken) {
        state.changes -= transaction.count
        transaction.close()
      }
      state.room.resolve()
      state.room = Promise.withResolvers()
    }
  }

  const begin = () => {
    working ??= work()
      .catch((error: unknown) => {
        state.isClosed = true
        failed(error)
      })
      .finally(() => {
        working = null
        // Nobody may wait on a promise that stays resolved while there is no room: that would be a loop without an end.
        if (state.isClosed) state.room.resolve()
        // One may have come after the last look.
        if (waiting.length > 0 && !state.isClosed) begin()
      })
  }

  return {
    async take(transaction) {
      waiting.push(transaction)
      state.changes += transaction.count
      begin()
      while (state.changes > MOST_WAITING && !state.isClosed) await state.room.promise
    },
    isEmpty: () => waiting.length === 0 && working === null,
    lag: () => (waiting[0] === undefined ? 0 : Math.max(0, Date.now() - waiting[0].time)),
    async close() {
      state.isClosed = true
      state.room.resolve()
      await working
      for (const transaction of waiting) transaction.close()
    },
  }
}
