/** How many of the last answers are looked at: a busy machine makes many of them slow, hardly ever all. */
const ANSWERS = 8
const SHARE = 20
/** A change from outside is to be seen within three seconds, and reading it takes time too. */
const LONGEST = 1500

export interface PollDelay {
  /** How long to wait after an answer that took this long, both in milliseconds. */
  after(cost: number): number
}

/**
 * Asking costs at most about a twentieth of one connection's time, as long as a change is still seen in time. What an answer
 * costs by itself is what the fastest of the last ones took; the rest is the machine's.
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
