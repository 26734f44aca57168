import { performance } from 'node:perf_hooks'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import { createQueueWait } from '../../../lib/queue-wait.ts'
import { DatabaseError, type PoolRefusal, type PoolStats } from '../../driver.ts'

/** A request for a connection: a single query, or a holder that runs several statements. */
export interface Waiter<C> {
  readonly signal: AbortFlag | undefined
  deadline: number
  start(connection: C): void
  fail(error: DatabaseError): void
}

/** The part of a connection that the pool knows. */
export interface Pooled {
  dead: boolean
  /** The state of the connection is unknown, so it is not used again. */
  retired: boolean
  held: boolean
  since: number
  expires: number
}

export interface PoolLimits {
  readonly max: number
  readonly queueMax: number
  readonly acquireTimeout: number
}

/** What a pool does with the connections of one kind of database. */
export interface Wire<C> {
  /** Opens a connection and reports it to `opened` or `openFailed`. */
  readonly open: () => void
  /** Ends a connection that is no longer used; calls `done` when the pool need not wait for it any more. */
  readonly end: (connection: C, done: () => void) => void
  /** Closes a lost connection. */
  readonly destroy: (connection: C) => void
  /** Fails the statement of a lost connection. */
  readonly failStatement: (connection: C, error: unknown) => void
  readonly isReusable: (connection: C) => boolean
  /** Looks after a connection in use: aborted callers, unresponsive servers. True if the connection is idle. */
  readonly isIdle: (connection: C, clock: number) => boolean
  readonly toConnectionError: (error: unknown) => DatabaseError
  readonly cancelled: () => DatabaseError
  /** The longest delay between two attempts to reach the server, in milliseconds. */
  readonly probeMax: number
}

export interface ConnectionPool<C> {
  isReachable: boolean
  /** The time of the last tick. It is coarse, so that a query need not ask for the time. */
  readonly clock: number
  readonly connections: ReadonlySet<C>
  readonly request: (waiter: Waiter<C>) => void
  /** A connection for several statements; the caller releases it. */
  readonly acquire: (signal: AbortFlag | undefined, hold: (connection: C) => void) => Promise<C>
  readonly reuse: (connection: C) => void
  readonly opened: (connection: C) => void
  readonly openFailed: (connection: C | undefined, error: unknown) => void
  readonly broken: (connection: C, error: unknown) => void
  /** None of the connections is used again: the server behind them may be another one now. A new one has to tell. */
  readonly retireAll: () => void
  readonly stats: () => PoolStats
  readonly close: () => Promise<void>
}

const TICK = 100
const IDLE_TIMEOUT = 30_000
const MAX_LIFETIME = 30 * 60_000
const PROBE_MIN = 100
/** Milliseconds after which another probe begins, and how many there are at once. */
const PROBE_OVERLAP = 400
const PROBES_MAX = 3
const CLOSE_GRACE = 5_000

/** Connections end at different times, so that they are not all opened again at once. */
export const expiry = (): number => performance.now() + MAX_LIFETIME * (0.9 + Math.random() * 0.2)

/** Extra time after the server's own statement timeout before an unresponsive connection is given up. */
const SILENCE_GRACE = 5_000

export const silenceLimitOf = (statementTimeout: number): number =>
  statementTimeout > 0 ? statementTimeout + SILENCE_GRACE : Infinity

export const silent = (): DatabaseError => new DatabaseError('timeout', 'the database did not answer in time')

export const unavailable = (message: string, cause?: DatabaseError): DatabaseError =>
  new DatabaseError('unavailable', message, cause?.databaseCode, { cause })

export const isAborted = ({ signal }: { readonly signal: AbortFlag | undefined }): boolean =>
  signal !== undefined && signal.aborted

/** The server did respond if only the rows were refused as too large. */
const isLoss = (error: unknown) => !(error instanceof DatabaseError) || error.fault !== 'too-large'

export function createConnectionPool<C extends Pooled>(limits: PoolLimits, wire: Wire<C>): ConnectionPool<C> {
  const { max, queueMax, acquireTimeout } = limits
  const connections = new Set<C>()
  const idle: C[] = []
  const queue: Waiter<C>[] = []
  let clock = performance.now()
  let opening = 0
  let ending = 0
  /** The error behind the current outage, if there is one. */
  let outage: DatabaseError | undefined
  let isReachable = false
  let isClosing = false
  let closed: Promise<void> | undefined
  let whenClosed: (() => void) | undefined
  let probeDelay = PROBE_MIN
  let probeTimer: NodeJS.Timeout | undefined
  let growAfter = 0
  const refused: Record<PoolRefusal, number> = { outage: 0, full: 0, late: 0 }
  const queueWait = createQueueWait(max)

  // One coarse timer for everything that takes time: queue timeouts, aborted signals, idle and unresponsive
  // connections. So a query sets no timer and adds no listener.
  const ticker = setInterval(tick, TICK)
  ticker.unref()

  function request(waiter: Waiter<C>): void {
    const connection = isClosing ? undefined : idle.pop()
    if (connection !== undefined) return waiter.start(connection)
    const refusal = refuse()
    if (refusal !== undefined) return waiter.fail(refusal)
    const now = performance.now()
    waiter.deadline = now + acquireTimeout
    queue.push(waiter)
    queueWait.joined(now)
    grow()
  }

  function refuse(): DatabaseError | undefined {
    if (isClosing) return unavailable('the database driver is closed')
    if (outage !== undefined) {
      refused.outage += 1
      return unavailable(outage.message, outage)
    }
    if (queue.length >= queueMax + opening) {
      refused.full += 1
      return unavailable('too many statements wait for a connection')
    }
    return undefined
  }

  function stats(): PoolStats {
    return {
      max,
      open: connections.size,
      idle: idle.length,
      waiting: queue.length,
      refused,
      outage: outage?.message ?? null,
      wait: queueWait.expected(performance.now(), queue.length),
    }
  }

  function reuse(connection: C): void {
    if (isClosing || connection.retired || clock > connection.expires || !wire.isReusable(connection))
      return discard(connection)
    for (;;) {
      const waiter = queue.shift()
      if (waiter === undefined) break
      if (!isAborted(waiter)) {
        queueWait.served()
        return waiter.start(connection)
      }
      waiter.fail(wire.cancelled())
    }
    connection.since = clock
    idle.push(connection)
  }

  function grow(): void {
    if (outage !== undefined || clock < growAfter) return
    while (opening < queue.length && connections.size + opening < max) open()
  }

  function open(): void {
    opening += 1
    wire.open()
  }

  function opened(connection: C): void {
    opening -= 1
    connections.add(connection)
    isReachable = true
    outage = undefined
    growAfter = 0
    clearTimeout(probeTimer)
    reuse(connection)
  }

  function openFailed(connection: C | undefined, error: unknown): void {
    opening -= 1
    if (connection !== undefined) {
      connection.dead = true
      wire.destroy(connection)
    }
    if (isClosing) return settleClose()
    if (connections.size === 0 && opening === 0) startOutage(wire.toConnectionError(error))
    // Open connections still work (the server may just be full); do not try to open more with every query.
    else growAfter = performance.now() + wire.probeMax
  }

  /** All waiting statements fail at once, and a few probes look for the server instead of every query. */
  function startOutage(error: DatabaseError): void {
    probeDelay = outage === undefined ? PROBE_MIN : Math.min(probeDelay * 2, wire.probeMax)
    outage = error
    isReachable = false
    refused.outage += queue.length
    for (const waiter of queue.splice(0)) waiter.fail(unavailable(error.message, error))
    clearTimeout(probeTimer)
    probeTimer = setTimeout(look, probeDelay * (0.75 + Math.random() * 0.25))
    probeTimer.unref()
  }

  /** A proxy without a server holds a connection for seconds, so the next one does not wait for it. */
  function look(): void {
    open()
    probeTimer = setTimeout(() => {
      if (outage !== undefined && opening < PROBES_MAX && opening < max) look()
    }, PROBE_OVERLAP)
    probeTimer.unref()
  }

  /** The connection is lost: the server closed it, the network broke, or the server stopped responding. */
  function broken(connection: C, error: unknown): void {
    if (connection.dead) return
    const wasOpen = connections.has(connection)
    remove(connection)
    wire.destroy(connection)
    // While the connection is being opened, the opening code handles the error.
    if (!wasOpen) return
    wire.failStatement(connection, error)
    if (isClosing) return settleClose()
    if (connections.size > 0) return grow()
    if (isLoss(error)) isReachable = false
    probe()
  }

  /** Asks for the server at once, so that waiting statements and isReachable are not left hanging. */
  function probe(): void {
    if (connections.size === 0 && opening === 0 && outage === undefined && !isClosing) open()
  }

  function remove(connection: C): void {
    connection.dead = true
    connections.delete(connection)
    const position = idle.indexOf(connection)
    if (position !== -1) idle.splice(position, 1)
  }

  /** Closes a connection gracefully. */
  function discard(connection: C): void {
    remove(connection)
    ending += 1
    wire.end(connection, () => {
      ending -= 1
      settleClose()
    })
    if (queue.length > 0) grow()
    if (!isReachable) probe()
  }

  function retireAll(): void {
    isReachable = false
    for (const connection of connections) connection.retired = true
    while (idle.length > 0) discard(idle[0]!)
  }

  function tick(): void {
    clock = performance.now()
    if (queue.length > 0) tickQueue()
    queueWait.tick(clock, queue.length)
    for (const connection of connections) {
      const isOld = clock > connection.expires || clock - connection.since > IDLE_TIMEOUT
      if (wire.isIdle(connection, clock) && isOld) discard(connection)
    }
  }

  function tickQueue(): void {
    while (queue.length > 0 && queue[0]!.deadline <= clock) {
      refused.late += 1
      queue.shift()!.fail(unavailable('no connection became free in time'))
    }
    for (const waiter of queue.filter(isAborted)) {
      queue.splice(queue.indexOf(waiter), 1)
      waiter.fail(wire.cancelled())
    }
    grow()
  }

  function startClosing(): Promise<void> {
    isClosing = true
    clearInterval(ticker)
    clearTimeout(probeTimer)
    for (const waiter of queue.splice(0)) waiter.fail(unavailable('the database driver is closed'))
    return new Promise((resolve) => {
      const timer = setTimeout(closeByForce, CLOSE_GRACE)
      whenClosed = () => {
        clearTimeout(timer)
        resolve()
      }
      while (idle.length > 0) discard(idle[0]!)
      settleClose()
    })
  }

  function closeByForce(): void {
    for (const connection of connections) broken(connection, unavailable('the database driver is closed'))
    whenClosed?.()
  }

  function settleClose(): void {
    if (connections.size + opening + ending === 0) whenClosed?.()
  }

  return {
    get isReachable() {
      return isReachable
    },
    set isReachable(reached) {
      isReachable = reached
    },
    get clock() {
      return clock
    },
    connections,
    request,
    acquire: (signal, hold) =>
      new Promise((resolve, reject) => {
        const start = (connection: C): void => {
          connection.held = true
          hold(connection)
          resolve(connection)
        }
        request({ signal, deadline: 0, start, fail: reject })
      }),
    reuse,
    opened,
    openFailed,
    broken,
    retireAll,
    stats,
    close: () => (closed ??= startClosing()),
  }
}
