import { performance } from 'node:perf_hooks'
import { Client, type ClientConfig } from 'pg'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import { DatabaseError, type Row, type Statement } from '../../driver.ts'
import { sendCancel } from './cancel.ts'
import {
  isInTransaction,
  RowQuery,
  type Cancel,
  type PoolCore,
  type PooledConnection,
  type Waiter,
  type WireClient,
} from './connection.ts'
import { cancelled, toConnectionError, toDatabaseError } from './errors.ts'
import { readRows } from './rows.ts'
import { createPreparedStatements, forgetStatement } from './wire.ts'

export interface PoolOptions {
  readonly config: ClientConfig
  readonly max: number
  readonly queueMax: number
  readonly acquireTimeout: number
  readonly statementTimeout: number
  readonly connectTimeout: number
  readonly preparedStatements: number
  /** Runs on every new connection before its first use; for servers that accept no startup options. */
  readonly sessionSql: string | undefined
  readonly onStatement: ((statement: Statement) => void) | undefined
}

export interface Pool {
  readonly isReachable: boolean
  query(statement: Statement, signal: AbortFlag | undefined): Promise<readonly Row[]>
  /** A connection for several statements; the caller releases it. */
  acquire(signal: AbortFlag | undefined): Promise<PooledConnection>
  run(connection: PooledConnection, statement: Statement, begins?: boolean): Promise<readonly Row[]>
  release(connection: PooledConnection): void
  close(): Promise<void>
}

const TICK = 100
const IDLE_TIMEOUT = 30_000
const MAX_LIFETIME = 30 * 60_000
const PROBE_MIN = 100
const PROBE_MAX = 250
const CLOSE_GRACE = 5_000
/** Extra time after the server's own statement_timeout before an unresponsive connection is given up. */
const SILENCE_GRACE = 5_000

export function createPool(options: PoolOptions): Pool {
  const { max, queueMax, acquireTimeout, statementTimeout } = options
  const silenceLimit = statementTimeout > 0 ? statementTimeout + SILENCE_GRACE : Infinity
  const connections = new Set<PooledConnection>()
  const idle: PooledConnection[] = []
  const queue: Waiter[] = []
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

  const core: PoolCore = { onStatement: options.onStatement, clock: performance.now(), finished, broken, forget }

  // One coarse timer for everything that takes time: queue timeouts, aborted signals, idle and unresponsive
  // connections. So a query sets no timer and adds no listener.
  const ticker = setInterval(tick, TICK)
  ticker.unref()

  function request(waiter: Waiter): void {
    const connection = isClosing ? undefined : idle.pop()
    if (connection !== undefined) {
      waiter.start(connection)
      return
    }
    const refusal = refuse()
    if (refusal !== undefined) {
      waiter.fail(refusal)
      return
    }
    waiter.deadline = performance.now() + acquireTimeout
    queue.push(waiter)
    grow()
  }

  function refuse(): DatabaseError | undefined {
    if (isClosing) return unavailable('the database driver is closed')
    if (outage !== undefined) return unavailable(outage.message, outage)
    if (queue.length >= queueMax + opening) return unavailable('too many statements wait for a connection')
    return undefined
  }

  /** Called when the response to the connection's statement is complete. */
  function finished(connection: PooledConnection): void {
    isReachable = true
    if (connection.cancel !== undefined) {
      connection.cancel.statementOver = true
      settleCancel(connection, connection.cancel)
    } else if (!connection.held) {
      reuse(connection)
    }
  }

  function reuse(connection: PooledConnection): void {
    if (isClosing || connection.retired || core.clock > connection.expires || isInTransaction(connection)) {
      discard(connection)
      return
    }
    for (;;) {
      const waiter = queue.shift()
      if (waiter === undefined) break
      if (waiter.signal === undefined || !waiter.signal.aborted) {
        waiter.start(connection)
        return
      }
      waiter.fail(cancelled())
    }
    connection.since = core.clock
    idle.push(connection)
  }

  function release(connection: PooledConnection): void {
    connection.held = false
    connection.holderSignal = undefined
    // While a cancel is pending, the connection is returned when the cancel is over.
    if (!connection.dead && connection.query === undefined && connection.cancel === undefined) reuse(connection)
  }

  function grow(): void {
    if (outage !== undefined || core.clock < growAfter) return
    while (opening < queue.length && connections.size + opening < max) open()
  }

  function open(): void {
    opening++
    const connection = createConnection()
    if (connection instanceof Error) {
      openFailed(undefined, connection)
      return
    }
    const { client } = connection
    client.on('error', (error) => broken(connection, error))
    client.on('end', () => broken(connection, new Error('the connection ended')))
    client.connect((error: Error | null) => {
      // node-postgres calls this before it has registered that the server is ready.
      if (error) openFailed(connection, error)
      else process.nextTick(prepareSession, connection)
    })
  }

  function createConnection(): PooledConnection | Error {
    try {
      return {
        client: new Client(options.config) as unknown as WireClient,
        pool: core,
        prepared: createPreparedStatements(options.preparedStatements),
        query: undefined,
        held: false,
        holderSignal: undefined,
        cancel: undefined,
        dead: false,
        retired: false,
        since: 0,
        expires: performance.now() + MAX_LIFETIME * (0.9 + Math.random() * 0.2),
      }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  function prepareSession(connection: PooledConnection): void {
    if (connection.dead) return openFailed(connection, new Error('the connection ended'))
    if (options.sessionSql === undefined) return opened(connection)
    connection.client.query(options.sessionSql, [], (error: Error | null) => {
      if (error) openFailed(connection, error)
      else process.nextTick(opened, connection)
    })
  }

  function opened(connection: PooledConnection): void {
    opening--
    if (connection.dead) return failOpening(connection, new Error('the connection ended'))
    connections.add(connection)
    readRows(connection.client.connection.stream, connection, (error) => broken(connection, error))
    isReachable = true
    endOutage()
    reuse(connection)
  }

  function openFailed(connection: PooledConnection | undefined, error: Error): void {
    opening--
    failOpening(connection, error)
  }

  function failOpening(connection: PooledConnection | undefined, error: Error): void {
    if (connection !== undefined) {
      connection.dead = true
      connection.client.connection.stream.destroy()
    }
    if (isClosing) return settleClose()
    if (connections.size === 0 && opening === 0) startOutage(toConnectionError(error))
    // Open connections still work (the server may just be full); do not try to open more with every query.
    else growAfter = performance.now() + PROBE_MAX
  }

  /** All waiting statements fail at once, and a single probe looks for the server instead of every query. */
  function startOutage(error: DatabaseError): void {
    probeDelay = outage === undefined ? PROBE_MIN : Math.min(probeDelay * 2, PROBE_MAX)
    outage = error
    isReachable = false
    for (const waiter of queue.splice(0)) waiter.fail(unavailable(error.message, error))
    clearTimeout(probeTimer)
    probeTimer = setTimeout(open, probeDelay * (0.75 + Math.random() * 0.25))
    probeTimer.unref()
  }

  function endOutage(): void {
    outage = undefined
    growAfter = 0
    clearTimeout(probeTimer)
  }

  /** The connection is lost: the server closed it, the network broke, or the server stopped responding. */
  function broken(connection: PooledConnection, error: unknown): void {
    if (connection.dead) return
    const wasOpen = connections.has(connection)
    remove(connection)
    connection.client.connection.stream.destroy()
    // While the connection is being opened, the opening code handles the error.
    if (!wasOpen) return
    const { query } = connection
    connection.query = undefined
    query?.reject(query.error === undefined ? toConnectionError(error) : toDatabaseError(query.error))
    if (isClosing) return settleClose()
    if (connections.size > 0) return grow()
    // If only the rows were refused as too large, the server did respond and is reachable.
    if (!(error instanceof DatabaseError) || error.fault !== 'too-large') isReachable = false
    // Probe the server at once, so that waiting statements and isReachable are not left hanging.
    if (opening === 0 && outage === undefined) open()
  }

  function remove(connection: PooledConnection): void {
    connection.dead = true
    connections.delete(connection)
    const position = idle.indexOf(connection)
    if (position !== -1) idle.splice(position, 1)
  }

  /** Closes a connection gracefully. */
  function discard(connection: PooledConnection): void {
    remove(connection)
    ending++
    connection.client.end(() => {
      ending--
      settleClose()
    })
    if (queue.length > 0) grow()
  }

  function forget(name: string): void {
    for (const connection of connections) forgetStatement(connection.prepared, name)
  }

  function tick(): void {
    core.clock = performance.now()
    if (queue.length > 0) tickQueue()
    for (const connection of connections) tickConnection(connection)
  }

  function tickQueue(): void {
    while (queue.length > 0 && queue[0]!.deadline <= core.clock) {
      queue.shift()!.fail(unavailable('no connection became free in time'))
    }
    for (const waiter of queue.filter(isAborted)) {
      queue.splice(queue.indexOf(waiter), 1)
      waiter.fail(cancelled())
    }
    grow()
  }

  function tickConnection(connection: PooledConnection): void {
    const { query } = connection
    if (query !== undefined) tickQuery(connection, query)
    else if (connection.held) tickHolder(connection)
    else if (connection.cancel === undefined) tickIdle(connection)
  }

  function tickQuery(connection: PooledConnection, query: RowQuery): void {
    if (core.clock - connection.since > silenceLimit) {
      broken(connection, new DatabaseError('timeout', 'the database did not answer in time'))
    } else if (isAborted(query) && connection.cancel === undefined) {
      cancelQuery(connection, query)
    }
  }

  function tickHolder(connection: PooledConnection): void {
    if (connection.holderSignal?.aborted === true) broken(connection, cancelled())
  }

  function tickIdle(connection: PooledConnection): void {
    if (core.clock > connection.expires || core.clock - connection.since > IDLE_TIMEOUT) discard(connection)
  }

  function cancelQuery(connection: PooledConnection, query: RowQuery): void {
    query.reject(cancelled())
    const cancel: Cancel = { requestOver: false, statementOver: false, sure: false }
    connection.cancel = cancel
    sendCancel(connection.client, options.connectTimeout, (error) => {
      if (connection.dead) return
      if (error !== undefined) return broken(connection, cancelled())
      cancel.requestOver = true
      settleCancel(connection, cancel)
    })
  }

  /**
   * The server handles a cancel request before it closes the connection that sent it, and ignores the request if the
   * session is idle. So once both the statement and the request are over, the cancel cannot hit a later statement. If
   * the statement ended for another reason than the cancel, a pooler in between may still forward it, so the connection
   * is retired.
   */
  function settleCancel(connection: PooledConnection, cancel: Cancel): void {
    if (!cancel.requestOver || !cancel.statementOver || connection.dead) return
    connection.cancel = undefined
    if (!cancel.sure) connection.retired = true
    if (!connection.held) reuse(connection)
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
    query(statement, signal) {
      return new Promise((resolve, reject) => {
        request(new RowQuery(statement, signal, false, resolve, reject))
      })
    },
    acquire(signal) {
      return new Promise((resolve, reject) => {
        const start = (connection: PooledConnection): void => {
          connection.held = true
          connection.holderSignal = signal
          resolve(connection)
        }
        request({ signal, deadline: 0, start, fail: reject })
      })
    },
    run(connection, statement, begins = false) {
      return new Promise((resolve, reject) => {
        const { holderSignal } = connection
        if (holderSignal !== undefined && holderSignal.aborted) reject(cancelled())
        else if (connection.dead) reject(unavailable('the connection was lost'))
        else new RowQuery(statement, holderSignal, begins, resolve, reject).start(connection)
      })
    },
    release,
    close,
  }
}

function isAborted(waiter: { readonly signal: AbortFlag | undefined }): boolean {
  return waiter.signal !== undefined && waiter.signal.aborted
}

function unavailable(message: string, cause?: DatabaseError): DatabaseError {
  return new DatabaseError('unavailable', message, cause?.databaseCode, { cause })
}
