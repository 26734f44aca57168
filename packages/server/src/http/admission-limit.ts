/** Milliseconds that the event loop may be late, again and again, before requests are refused. */
const LONGEST_LAG = 100

/** How far what stands in the way exceeds what is bearable; above 1 requests are refused. */
export const pressureOf = ({
  wait,
  lag,
  acquireTimeout,
}: {
  readonly wait: number
  readonly lag: number
  readonly acquireTimeout: number
}): number => Math.max((wait * 4) / acquireTimeout, lag / LONGEST_LAG)

/**
 * The number of requests under way that keeps waits bearable: a wait grows with those who wait, so they are cut in
 * proportion at once, and let in again step by step.
 */
export function nextLimit({
  limit,
  inFlight,
  pressure,
  least,
  most,
}: {
  readonly limit: number
  readonly inFlight: number
  readonly pressure: number
  readonly least: number
  readonly most: number
}): number {
  if (pressure > 1) return Math.max(least, Math.min(limit, Math.floor(inFlight / pressure)))
  return Math.min(most, limit + Math.ceil(limit / 10))
}

/** A wait counts when it has stood for so many ticks. */
const STANDING = 3

/** How many requests may be under way. */
export interface Limit {
  limit(): number
  /** Called with each tick. */
  adapt(state: { readonly wait: number; readonly lag: number; readonly inFlight: number }): void
}

export function createLimit({
  poolMax,
  most: given,
  acquireTimeout,
}: {
  readonly poolMax: number
  readonly most: number
  readonly acquireTimeout: number
}): Limit {
  const most = Math.max(1, given)
  const least = Math.min(2 * poolMax, most)
  const pressures = Array.from({ length: STANDING }, () => 0)
  let limit = most
  return {
    limit: () => limit,
    adapt({ wait, lag, inFlight }) {
      pressures.shift()
      pressures.push(pressureOf({ wait, lag, acquireTimeout }))
      limit = nextLimit({ limit, inFlight, least, most, pressure: Math.min(...pressures) })
    },
  }
}
