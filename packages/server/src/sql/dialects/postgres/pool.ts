import { Client, type ClientConfig } from 'pg'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import type { Row, Statement } from '../../driver.ts'
import {
  createConnectionPool,
  expiry,
  isAborted,
  silenceLimitOf,
  silent,
  unavailable,
  type PoolLimits,
} from '../base/pool.ts'
import { sendCancel } from './cancel.ts'
import {
  isInTransaction,
  RowQuery,
  type Cancel,
  type PoolCore,
  type PooledConnection,
  type Protocol,
  type WireClient,
} from './connection.ts'
import { cancelled, toConnectionError, toDatabaseError } from './errors.ts'
import { createPreparedStatements, forgetStatement } from './prepared-statements.ts'

export interface PoolOptions extends PoolLimits {
  readonly config: ClientConfig
  readonly statementTimeout: number
  readonly connectTimeout: number
  readonly preparedStatements: number
  readonly protocol: Protocol
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

const PROBE_MAX = 250

export function createPool(options: PoolOptions): Pool {
  const silenceLimit = silenceLimitOf(options.statementTimeout)
  const pool = createConnectionPool<PooledConnection>(options, {
    open,
    end: ({ client }, done) => client.end(done),
    destroy: ({ client }) => client.connection.stream.destroy(),
    failStatement,
    isReusable: (connection) => !isInTransaction(connection),
    isIdle,
    toConnectionError,
    cancelled,
    probeMax: PROBE_MAX,
  })
  const { broken } = pool

  const { protocol, onStatement } = options
  const core: PoolCore = {
    protocol,
    onStatement,
    get clock() {
      return pool.clock
    },
    finished,
    broken,
    forget,
  }

  /** Called when the response to the connection's statement is complete. */
  function finished(connection: PooledConnection): void {
    pool.isReachable = true
    if (connection.cancel !== undefined) {
      connection.cancel.statementOver = true
      settleCancel(connection, connection.cancel)
    } else if (!connection.held) {
      pool.reuse(connection)
    }
  }

  function release(connection: PooledConnection): void {
    connection.held = false
    connection.holderSignal = undefined
    // While a cancel is pending, the connection is returned when the cancel is over.
    if (!connection.dead && connection.query === undefined && connection.cancel === undefined) pool.reuse(connection)
  }

  function open(): void {
    const connection = createConnection()
    if (connection instanceof Error) return pool.openFailed(undefined, connection)
    const { client } = connection
    client.on('error', (error) => broken(connection, error))
    client.on('end', () => broken(connection, new Error('the connection ended')))
    client.connect((error: Error | null) => {
      // node-postgres calls this before it has registered that the server is ready.
      if (error) pool.openFailed(connection, error)
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
        expires: expiry(),
      }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  function prepareSession(connection: PooledConnection): void {
    if (connection.dead) return pool.openFailed(connection, new Error('the connection ended'))
    if (options.sessionSql === undefined) return opened(connection)
    connection.client.query(options.sessionSql, [], (error: Error | null) => {
      if (error) pool.openFailed(connection, error)
      else process.nextTick(opened, connection)
    })
  }

  function opened(connection: PooledConnection): void {
    if (connection.dead) return pool.openFailed(connection, new Error('the connection ended'))
    try {
      protocol.attach(connection)
    } catch (error) {
      return pool.openFailed(connection, toConnectionError(error))
    }
    pool.opened(connection)
  }

  function failStatement(connection: PooledConnection, error: unknown): void {
    const { query } = connection
    connection.query = undefined
    query?.reject(query.error === undefined ? toConnectionError(error) : toDatabaseError(query.error))
  }

  function forget(name: string): void {
    for (const connection of pool.connections) forgetStatement(connection.prepared, name)
  }

  function isIdle(connection: PooledConnection, clock: number): boolean {
    const { query } = connection
    if (query !== undefined) tickQuery(connection, query, clock)
    else if (connection.held) tickHolder(connection)
    else return connection.cancel === undefined
    return false
  }

  function tickQuery(connection: PooledConnection, query: RowQuery, clock: number): void {
    if (clock - connection.since > silenceLimit) broken(connection, silent())
    else if (isAborted(query) && connection.cancel === undefined) cancelQuery(connection, query)
  }

  function tickHolder(connection: PooledConnection): void {
    if (connection.holderSignal?.aborted === true) broken(connection, cancelled())
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
    if (!connection.held) pool.reuse(connection)
  }

  return {
    get isReachable() {
      return pool.isReachable
    },
    query(statement, signal) {
      return new Promise((resolve, reject) => {
        pool.request(new RowQuery(statement, signal, false, resolve, reject))
      })
    },
    acquire: (signal) =>
      pool.acquire(signal, (connection) => {
        connection.holderSignal = signal
      }),
    run(connection, statement, begins = false) {
      return new Promise((resolve, reject) => {
        const { holderSignal } = connection
        if (holderSignal !== undefined && holderSignal.aborted) reject(cancelled())
        else if (connection.dead) reject(unavailable('the connection was lost'))
        else new RowQuery(statement, holderSignal, begins, resolve, reject).start(connection)
      })
    },
    release,
    close: () => pool.close(),
  }
}
