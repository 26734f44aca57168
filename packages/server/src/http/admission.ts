import type { Observe } from '../observe.ts'
import { awaySpread, createRecent } from './retry-after.ts'

/** Why a request is refused before anything is done for it: the database is away, or the wait for it is too long. */
export type Refusal = 'away' | 'full'

/** What a request would meet in the database now. */
export interface Load {
  /** Why the database counts as away; null: it does not. */
  readonly outage: string | null
  /** Milliseconds that a new statement would wait for a connection. */
  readonly wait: number
}

/** Decides which requests come in, and counts those that are under way. */
export interface Admission {
  /** null: a request may come in now. Counts a refusal. `wait`: the milliseconds until it would begin. */
  refuse(wait: number): Refusal | null
  enter(): void
  leave(): void
  /** Seconds after which a refused caller may try again. */
  retryAfter(): number
  readonly stats: () => AdmissionStats
  stop(): void
}

export interface AdmissionStats {
  readonly inFlight: number
  /** Milliseconds that a new request would wait for a connection. */
  readonly wait: number
}

export interface AdmissionOptions {
  /** The most requests under way; null: the wait alone decides. */
  readonly most: number | null
  /** How long a statement may wait for a connection, in milliseconds. */
  readonly acquireTimeout: number
  readonly load: () => Load
  /** Cheap enough for every request; false during an outage, and for a moment without one. */
  readonly isReachable: () => boolean
  /** False until the schema was read; the start reports itself what it waits for. */
  readonly isStarted: () => boolean
  readonly observe: Observe
  readonly onRefusal?: (refusal: Refusal) => void
  readonly now?: () => number
  readonly random?: () => number
}

const TICK = 100
/**
 * The share of the longest wait for a connection up to which requests come in. The rest is for those inside already, whose
 * later statements wait too, and for databases that become slower meanwhile.
 */
const BEARABLE = 0.75
/** Milliseconds without a refusal after which an overload is over. */
const CALM = 5000

export function createAdmission(options: AdmissionOptions): Admission {
  const { load, isStarted, most, acquireTimeout, now = () => performance.now(), random = Math.random } = options
  const episodes = createEpisodes(options.observe, now())
  const recent = createRecent()
  let inFlight = 0
  let outage: string | null = null

  const timer = setInterval(() => {
    const clock = now()
    const { outage: found } = load()
    recent.fade()
    if (isStarted()) notice(found, clock)
    if (found === null) episodes.calm(clock)
  }, TICK)
  timer.unref()

  function notice(found: string | null, clock: number): void {
    if (found !== null && outage === null) episodes.awayBegan(clock, found)
    if (found === null && outage !== null) episodes.awayEnded(clock)
    outage = found
  }

  function count(refusal: Refusal, wait: number): Refusal {
    recent.refused += 1
    options.onRefusal?.(refusal)
    episodes.refused(refusal, now(), { inFlight, wait })
    return refusal
  }

  return {
    refuse(before) {
      if (!isStarted()) return count('away', 0)
      const found = load()
      const away = options.isReachable() ? null : found.outage
      if (away !== outage) notice(away, now())
      if (away !== null) return count('away', 0)
      const wait = before + found.wait
      const isFull = wait > acquireTimeout * BEARABLE || (most !== null && inFlight >= most)
      return isFull ? count('full', wait) : null
    },
    enter() {
      inFlight += 1
    },
    leave() {
      inFlight -= 1
      recent.served += 1
    },
    retryAfter() {
      const isAway = outage !== null || !isStarted()
      const spread = isAway ? awaySpread(now() - episodes.awaySince()) : recent.spread()
      return 1 + Math.floor(random() * spread)
    },
    stats: () => ({ inFlight, wait: load().wait }),
    stop: () => clearInterval(timer),
  }
}

interface Episodes {
  awayBegan(clock: number, reason: string): void
  awayEnded(clock: number): void
  awaySince(): number
  refused(refusal: Refusal, clock: number, at: AdmissionStats): void
  /** Called while the database answers. */
  calm(clock: number): void
}

/** Reports an outage or an overload twice: when it begins and, with its counts, when it is over. */
function createEpisodes(observe: Observe, began: number): Episodes {
  let away = { since: began, refused: 0 }
  let full: { readonly since: number; until: number; refused: number } | null = null
  return {
    awayBegan(clock, reason) {
      away = { since: clock, refused: 0 }
      observe({ kind: 'outage-began', reason })
    },
    awayEnded(clock) {
      observe({ kind: 'outage-ended', milliseconds: clock - away.since, refused: away.refused })
    },
    awaySince: () => away.since,
    refused(refusal, clock, at) {
      if (refusal === 'away') {
        away.refused += 1
        return
      }
      if (full === null) {
        full = { since: clock, until: clock, refused: 0 }
        observe({ kind: 'overload-began', ...at })
      }
      full.until = clock
      full.refused += 1
    },
    calm(clock) {
      if (full === null || clock - full.until < CALM) return
      observe({ kind: 'overload-ended', milliseconds: full.until - full.since, refused: full.refused })
      full = null
    },
  }
}
