import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutsideMode } from '../config/events.ts'
import type { Failpoints } from '../lib/failpoint.ts'
import type { Observe } from '../observe.ts'
import { takeLease, type Lease } from '../schema/lease.ts'
import type { Collection } from '../schema/schema.ts'
import type { SchemaCache } from '../schema/schema-cache.ts'
import type { Database } from '../sql/database.ts'
import type { LogicalSource, LogPlace, Obstacle } from '../sql/outside.ts'
import type { EventLog } from './event-log.ts'
import { setMark, storedMark } from './outside-mark.ts'
import { beginSession, type Session } from './outside-session.ts'
import { createTriggers } from './outside-triggers.ts'

const LEASE = 'writes from outside'
/** A reader that is gone is replaced within this time. */
const TIMES = { lifetime: 6000, interval: 1500 }
const PAUSE = 1000
/** Until the schema is known and somebody listens; nothing is asked of the database meanwhile. */
const IDLE_PAUSE = 100
/** An administrator may remove an obstacle meanwhile. */
const OBSTACLE_PAUSE = 30_000
const SETTLE_WAIT = 3000
const SETTLE_PAUSE = 5

export interface OutsideParts {
  readonly mode: OutsideMode
  readonly slot: string
  readonly isUnbounded: boolean
  /** Whether changes are kept at all: a database need not keep its log for nobody. */
  readonly isWanted: () => boolean
  readonly database: Database
  readonly systemSchema: string
  readonly schemaCache: SchemaCache
  readonly log: EventLog
  readonly isCaptured: (collection: Collection) => boolean
  readonly observe: Observe
  readonly failpoints: Failpoints | null
}

/** How writes of other programs are heard now. */
export interface OutsideFacts {
  readonly outside: Exclude<OutsideMode, 'auto'>
  /** Milliseconds since the oldest change that is not told was committed; null: another replica reads, or nobody. */
  readonly lag: number | null
  /** `behind`: bytes of log that the database keeps for the service. */
  readonly slot: { readonly state: LogPlace['state']; readonly behind: number | null } | null
}

/** Hears of writes of other programs, on one replica at a time. */
export interface Outside {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly facts: () => Promise<OutsideFacts>
  /** Resolves once everything that is committed is in the log of changes, or does not come there in time. */
  readonly settle: () => Promise<void>
}

const UNBOUNDED: Obstacle = {
  reason:
    'max_slot_wal_keep_size is less than 1 GB or has no bound: set it, or EVENTS_SLOT_UNBOUNDED if the slot may fill the disk',
  statements: [`alter system set max_slot_wal_keep_size = '10GB'`, 'select pg_reload_conf()'],
}

/** What stands in the way of reading the log, told once. */
function createObstacles({ mode, slot, systemSchema, isUnbounded, observe }: OutsideParts, source: LogicalSource) {
  let told: string | null = null
  const find = async (): Promise<Obstacle | null> => {
    const found = await source.obstacle({ slot, systemSchema })
    if (found !== null || isUnbounded || (await source.isBounded())) return found
    if (mode === 'auto') return UNBOUNDED
    if (told !== UNBOUNDED.reason) observe({ kind: 'outside-unbounded' })
    told = UNBOUNDED.reason
    return null
  }
  return async (): Promise<boolean> => {
    const obstacle = await find()
    if (obstacle === null) return false
    if (told !== obstacle.reason) observe({ kind: 'outside-refused', ...obstacle })
    told = obstacle.reason
    return true
  }
}

/** Reads the log whenever this replica has the lease, until it is stopped. */
function createReading(parts: OutsideParts, source: LogicalSource) {
  const { database, systemSchema, slot, schemaCache, observe } = parts
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  const findObstacle = createObstacles(parts, source)
  const state = { session: null as Session | null, hasObstacle: parts.mode === 'auto', isFailing: false }
  const looked = Promise.withResolvers<void>()

  async function readWith(lease: Lease): Promise<void> {
    const { assertHeld } = lease
    try {
      state.session = await beginSession({ ...parts, logical: source, options: { slot, systemSchema }, assertHeld })
      state.isFailing = false
      await Promise.race([state.session.over, stopped])
    } catch (error) {
      // The server takes the place, and fails again at the same change: the next session has to begin anew.
      if (source.isLost(error)) await setMark(parts, 'renewing')
      throw error
    } finally {
      await state.session?.close()
      state.session = null
      await lease.release()
    }
  }

  /** How long to wait before the next attempt. */
  async function attempt(): Promise<number> {
    if (schemaCache.current() === null || !parts.isWanted()) return IDLE_PAUSE
    state.hasObstacle = await findObstacle()
    looked.resolve()
    if (state.hasObstacle) return OBSTACLE_PAUSE
    const lease = await takeLease(database, systemSchema, LEASE, 0, TIMES)
    if (lease !== null) await readWith(lease)
    return PAUSE
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await attempt().catch((error: unknown) => {
        if (!stopping.signal.aborted) observe({ kind: 'outside-failed', error })
        state.isFailing = true
        looked.resolve()
        return PAUSE
      })
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }
  /** Whether the log is read, here or on another replica. */
  const isRead = () => !state.hasObstacle && !state.isFailing
  const stop = () => {
    stopping.abort()
    looked.resolve()
  }
  return { state, run, isRead, looked: looked.promise, stop }
}

type Reading = ReturnType<typeof createReading>

/** Waits until the reader, on whatever replica, has come by a beat of its own. Calls that come meanwhile share the next one. */
function createSettle(parts: OutsideParts, source: LogicalSource, reading: Reading): () => Promise<void> {
  const { slot, systemSchema } = parts
  const { looked, isRead } = reading
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const run = async () => {
    // Right after the start nobody has looked yet.
    await Promise.race([looked, sleep(SETTLE_WAIT, undefined, { ref: false })])
    if (!isRead()) return
    const place = await source.beat({ slot, systemSchema })
    for (const end = performance.now() + SETTLE_WAIT; performance.now() < end; await sleep(SETTLE_PAUSE)) {
      const mark = await storedMark(parts)
      if (!isRead()) return
      // A reader that has yet to begin, or to begin anew, does not hear what is written before it does.
      if (mark !== null && mark !== 'renewing' && mark.done === null && source.compare(mark.position, place) >= 0)
        return
    }
  }
  const settle = (): Promise<void> => {
    if (running === null) {
      running = run()
        .catch(() => undefined)
        .finally(() => {
          running = null
        })
      return running
    }
    next ??= running.then(() => {
      next = null
      return settle()
    })
    return next
  }
  return settle
}

const NOTHING: OutsideFacts = { outside: 'none', lag: null, slot: null }

/** Nothing is read: what triggers have told is in the outbox when it is committed. */
function byTriggers(parts: OutsideParts): Outside {
  return {
    ...createTriggers(parts, true),
    facts: () => Promise.resolve({ outside: 'triggers', lag: null, slot: null }),
  }
}

const unheard = ({ mode, observe }: OutsideParts): Outside => ({
  start() {
    if (mode === 'none') observe({ kind: 'outside-off' })
    const reason =
      mode === 'triggers'
        ? 'triggers cannot tell on this database'
        : 'this database keeps no log that can be read; EVENTS_OUTSIDE=triggers tells them'
    if (mode === 'triggers' || mode === 'logical') observe({ kind: 'outside-refused', reason, statements: [] })
  },
  stop: () => Promise.resolve(),
  facts: () => Promise.resolve(NOTHING),
  settle: () => Promise.resolve(),
})

function byLog(parts: OutsideParts, logical: LogicalSource): Outside {
  const { systemSchema, slot } = parts
  const reading = createReading(parts, logical)
  const { state, run, stop } = reading
  let running: Promise<void> | null = null
  const settle = createSettle(parts, logical, reading)
  return {
    settle: async () => (running === null || !parts.isWanted() ? undefined : settle()),
    start() {
      running ??= run()
    },
    async stop() {
      stop()
      await running
    },
    async facts() {
      if (state.hasObstacle) return NOTHING
      const { state: place, behind } = await logical.place(null, { slot, systemSchema })
      return { outside: 'logical', lag: state.session?.lag() ?? null, slot: { state: place, behind } }
    },
  }
}

/** Triggers that are still there do nothing: nobody expects what they would tell. */
function withoutTriggers(outside: Outside, parts: OutsideParts): Outside {
  if (parts.database.outside.triggers === null) return outside
  const triggers = createTriggers(parts, false)
  return {
    ...outside,
    start() {
      triggers.start()
      outside.start()
    },
    async stop() {
      await triggers.stop()
      await outside.stop()
    },
  }
}

export function createOutside(parts: OutsideParts): Outside {
  const { mode, database } = parts
  const { logical, triggers } = database.outside
  if (mode === 'triggers' && triggers !== null) return byTriggers(parts)
  const isRead = mode === 'auto' || mode === 'logical'
  return withoutTriggers(isRead && logical !== null ? byLog(parts, logical) : unheard(parts), parts)
}
