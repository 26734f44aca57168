const LONGEST = 30
const LONGEST_AWAY = 10
/** How much of the recent counts remains after a tenth of a second: half of them is 1.5 seconds old at most. */
const DECAY = 0.955

/** Callers that are refused together come back apart: the longer the database is away, the further. */
export const awaySpread = (milliseconds: number): number => Math.min(milliseconds / 1000, LONGEST_AWAY)

/** Recent counts of requests. */
export interface Recent {
  refused: number
  served: number
  /** Called every tenth of a second. */
  fade(): void
  /** Seconds over which refused callers are spread: the more are refused for each that is served, the more. */
  spread(): number
}

export const createRecent = (): Recent => ({
  refused: 0,
  served: 0,
  fade() {
    this.refused *= DECAY
    this.served *= DECAY
  },
  spread() {
    return Math.min(this.refused / Math.max(this.served, 1), LONGEST)
  },
})
