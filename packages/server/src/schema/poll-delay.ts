/** Number of recent polls to consider: on a loaded machine many of them are slow, but hardly ever all. */
const ANSWERS = 8
const SHARE = 20
/** An external change must be visible within three seconds, and reading it takes time too. */
const LONGEST = 1500

/** How far a delay may be from the plain one, as a share of it. */
const JITTER = 0.1

/** Replicas that were started together must not ask together for ever. */
export const jittered = (delay: number): number => delay * (1 - JITTER + 2 * JITTER * Math.random())

export interface PollDelay {
  /** The delay after a poll that took `cost`, both in milliseconds. */
  after(cost: number): number
}

/**
 * Polling takes at most about a twentieth of one connection's time, as long as changes are still seen in time. The real
 * cost of a poll is the time of the fastest recent one; the rest is machine load.
 */
export function createPollDelay(interval: number): PollDelay {
  const costs: number[] = []
  return {
    after(cost) {
      costs.push(cost)
      if (costs.length > ANSWERS) costs.shift()
      return Math.max(interval, Math.min(Math.min(...costs) * SHARE, LONGEST))
    },
  }
}
