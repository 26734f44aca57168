import { performance } from 'node:perf_hooks'
import type { Connection, ConnectionOptions } from 'mysql2'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import { DatabaseError, type Row, type Statement } from '../../driver.ts'
import { killQuery } from './cancel.ts'
import { open, send, type PooledConnection } from './connection.ts'
import { cancelled, isInterrupted, toConnectionError } from './errors.ts'

export interface PoolOptions {
  readonly config: ConnectionOptions
  readonly max: number
  readonly queueMax: number
  readonly acquireTimeout: number
  readonly statementTimeout: number
  readonly onStatement: ((statement: Statement) => void) | undefined
  /** The settings of a session on this server. Throws if this dialect does not support the server. */
  readonly sessionSql: (version: string) => string
}

export interface Pool {
  readonly isReachable: boolean
  acquire(signal: AbortFlag | undefined): Promise<PooledConnection>
  /** Runs one statement. Aborting the signal also ends it in the database. */
  run(connection: PooledConnection, statement: Statement, signal?: AbortFlag): Promise<readonly Row[]>
  release(connection: PooledConnection): void
  destroy(connection: PooledConnection, error: DatabaseError): void
  close(): Promise<void>
}

interface Waiter {
  readonly signal: AbortFlag | undefined
  readonly deadline: number
  readonly start: (connection: PooledConnection) => void
  readonly fail: (error: DatabaseError) => void
}

const TICK = 100
const IDLE_TIMEOUT = 30_000
const MAX_LIFETIME = 30 * 60_000
const PROBE_MIN = 100
const PROBE_MAX = 500
const CLOSE_GRACE = 5000
/** How much longer than the server's own limit the pool waits before it gives up on a silent connection. */
const SILENCE_GRACE = 5000

export function createPool(options: PoolOptions): Pool {
  const { max, queueMax, acquireTimeout, statementTimeout } = options
  const silenceLimit = statementTimeout > 0 ? statementTimeout + SILENCE_GRACE : Infinity
  const connections = new Set<PooledConnection>()
  const idle: PooledConnection[] = []
  const queue: Waiter[] = []
  let opening = 0
  /** The reason why the database is unavailable, while it is. */
  let outage: DatabaseError | undefined
  let isReachable = false
  let isClosing = false
  let closed: Promise<void> | undefined
  let whenClosed: (() => void) | undefined
  let probeDelay = PROBE_MIN
  let probeTimer: NodeJS.Timeout | undefined
  let growAfter = 0

  const ticker = setInterval(tick, TICK)
  ticker.unref()

  function request(waiter: Waiter): void {
    const connection = isClosing ? undefined : idle.pop()
    if (connection !== undefined) return waiter.start(connection)
    const refusal = refuse()
    if (refusal !== undefined) return waiter.fail(refusal)
    queue.push(waiter)
    grow()
  }

  function refuse(): DatabaseError | undefined {
    if (isClosing) return unavailable('the database driver is closed')
    if (outage !== undefined) return unavailable(outage.message, outage)
    if (queue.length >= queueMax + opening) return unavailable('too many statements wait for a connection')
    return undefined
  }

  function reuse(connection: PooledConnection): void {
    if (connection.dead) return
    if (isClosing || connection.retired || performance.now() > connection.expires) return discard(connection)
    for (let waiter = queue.shift(); waiter !== undefined; waiter = queue.shift()) {
      if (waiter.signal?.aborted !== true) return waiter.start(connection)
      waiter.fail(cancelled())
    }
    connection.since = performance.now()
    idle.push(connection)
  }

  function grow(): void {
    if (outage !== undefined || performance.now() < growAfter) return
    while (opening < queue.length && connections.size + opening < max) openOne()
  }

  function openOne(): void {
    opening += 1
    let wire: Connection
    try {
      wire = open(options.config)
    } catch (error) {
      opening -= 1
      return openFailed(error)
    }
    const connection: PooledConnection = {
      wire,
      dead: false,
      retired: false,
      running: undefined,
      signal: undefined,
      kill: undefined,
      holder: undefined,
      held: false,
      holdsLocks: false,
      since: performance.now(),
      expires: performance.now() + MAX_LIFETIME * (0.9 + Math.random() * 0.2),
    }
    const fail = (error: unknown) => {
      if (connection.dead) return
      connection.dead = true
      opening -= 1
      wire.destroy()
      openFailed(error)
    }
    wire.on('error', (error: unknown) => (connections.has(connection) ? broken(connection, error) : fail(error)))
    wire.on('end', () => {
      if (connections.has(connection)) broken(connection, new Error('the connection ended'))
      else fail(new Error('the connection ended'))
    })
    wire.once('connect', () => {
      prepareSession(connection).then(() => {
        if (connection.dead) return
        opening -= 1
        connections.add(connection)
        isReachable = true
        outage = undefined
        growAfter = 0
        clearTimeout(probeTimer)
        reuse(connection)
      }, fail)
    })
  }

  async function prepareSession(connection: PooledConnection): Promise<void> {
    const [row] = await send(connection, { text: 'select version()', values: [] })
    await send(connection, { text: options.sessionSql(row?.[0] ?? ''), values: [] })
  }

  function openFailed(error: unknown): void {
    if (isClosing) return settleClose()
    if (connections.size === 0 && opening === 0) startOutage(toConnectionError(error))
    // Open connections still work (the server may just be full), so do not try to open more with every query.
    else growAfter = performance.now() + PROBE_MAX
  }

  /** All waiting statements fail at once, and a single probe looks for the server instead of every query. */
  function startOutage(error: DatabaseError): void {
    probeDelay = outage === undefined ? PROBE_MIN : Math.min(probeDelay * 2, PROBE_MAX)
    outage = error
    isReachable = false
    for (const waiter of queue.splice(0)) waiter.fail(unavailable(error.message, error))
    clearTimeout(probeTimer)
    probeTimer = setTimeout(openOne, probeDelay * (0.75 + Math.random() * 0.25))
    probeTimer.unref()
  }

  /** The connection was lost: the server ended it, the network broke, or it became silent. */
  function broken(connection: PooledConnection, error: unknown): void {
    if (connection.dead) return
    remove(connection)
    connection.wire.destroy()
    connection.running?.fail(toConnectionError(error))
    connection.running = undefined
    if (isClosing) return settleClose()
    if (connections.size > 0) return grow()
    isReachable = false
    if (opening === 0 && outage === undefined) openOne()
  }

  function remove(connection: PooledConnection): void {
    connection.dead = true
    connections.delete(connection)
    const position = idle.indexOf(connection)
    if (position !== -1) idle.splice(position, 1)
  }

  function discard(connection: PooledConnection): void {
    remove(connection)
    connection.wire.end(() => undefined)
    if (isClosing) return settleClose()
    if (queue.length > 0) grow()
  }

  function tick(): void {
    const now = performance.now()
    while (queue.length > 0 && (queue[0]?.deadline ?? 0) <= now)
      queue.shift()?.fail(unavailable('no connection became free in time'))
    for (const waiter of queue.filter(({ signal }) => signal?.aborted === true)) {
      queue.splice(queue.indexOf(waiter), 1)
      waiter.fail(cancelled())
    }
    grow()
    for (const connection of connections) tickConnection(connection, now)
  }

  function tickConnection(connection: PooledConnection, now: number): void {
    const { running, signal, kill, holder } = connection
    if (holder?.aborted === true) broken(connection, cancelled())
    else if (running !== undefined) {
      if (signal?.aborted === true && kill === undefined)
        connection.kill = killQuery(options.config, connection.wire.threadId ?? 0).catch((error: unknown) =>
          broken(connection, error),
        )
      if (now - connection.since > silenceLimit)
        broken(connection, new DatabaseError('timeout', 'the database did not answer in time'))
    } else if (!connection.held && (now > connection.expires || now - connection.since > IDLE_TIMEOUT)) {
      discard(connection)
    }
  }

  /**
   * The kill uses a separate connection and can arrive late. The statement's own connection is returned only when both
   * have finished. It is never reused if the statement ended otherwise than by the kill, which might then hit the next
   * statement.
   */
  async function run(connection: PooledConnection, statement: Statement, signal?: AbortFlag): Promise<readonly Row[]> {
    if (signal?.aborted === true) throw cancelled()
    if (connection.dead) throw unavailable('the connection was lost')
    options.onStatement?.(statement)
    connection.since = performance.now()
    connection.signal = signal
    try {
      const rows = await send(connection, statement)
      if (connection.kill !== undefined) connection.retired = true
      isReachable = true
      return rows
    } catch (error) {
      if (connection.kill === undefined) throw error
      const { cause } = error as DatabaseError
      if (!isInterrupted(cause)) connection.retired = true
      throw cancelled()
    } finally {
      connection.signal = undefined
      if (connection.kill !== undefined) {
        await connection.kill
        connection.kill = undefined
      }
    }
  }

  function close(): Promise<void> {
    closed ??= startClosing()
    return closed
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
      while (idle[0] !== undefined) discard(idle[0])
      settleClose()
    })
  }

  function closeByForce(): void {
    for (const connection of connections) broken(connection, unavailable('the database driver is closed'))
    whenClosed?.()
  }

  function settleClose(): void {
    if (isClosing && connections.size + opening === 0) whenClosed?.()
  }

  return {
    get isReachable() {
      return isReachable
    },
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        const start = (connection: PooledConnection) => {
          connection.held = true
          resolve(connection)
        }
        request({ signal, deadline: performance.now() + acquireTimeout, start, fail: reject })
      }),
    run,
    release(connection) {
      connection.held = false
      reuse(connection)
    },
    destroy: broken,
    close,
  }
}

function unavailable(message: string, cause?: DatabaseError): DatabaseError {
  return new DatabaseError('unavailable', message, cause?.databaseCode, { cause })
}
