import { Client, type ClientConfig } from 'pg'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import type { PoolStats, Row, Statement } from '../../driver.ts'
import {
  createConnectionPool,
  expiry,
  isAborted,
  silenceLimitOf,
  silent,
  unavailable,
  type PoolLimits,
} from '../base/pool.ts'
import { createServerList } from '../base/next-server.ts'
import type { Server } from './capabilities.ts'
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
import { cancelled, standby, toConnectionError, toDatabaseError } from './errors.ts'
import { createOutgoing } from './names/outgoing.ts'
import { createPreparedStatements, forgetStatement } from './prepared-statements.ts'
import type { Around } from './wire.ts'

export interface PoolOptions extends PoolLimits {
  /** One for each server; the first that works is used. */
  readonly configs: readonly [ClientConfig, ...ClientConfig[]]
  /** A standby is no server to work with. */
  readonly wantsPrimary: boolean
  /** Whether connections are spread over the servers; otherwise all lead to the one that worked last. */
  readonly isSpread: boolean
  readonly statementTimeout: number
  readonly connectTimeout: number
  readonly preparedStatements: number
  readonly protocol: Protocol
  /** Runs on every new connection before its first use; for servers that accept no startup options. */
  readonly sessionSql: string | undefined
  /** Asked once what it is. */
  readonly server: Server
  readonly onStatement: ((statement: Statement) => void) | undefined
}

export interface Pool {
  readonly isReachable: boolean
  query(statement: Statement, signal: AbortFlag | undefined, around?: Around): Promise<readonly Row[]>
  /** A connection for several statements; the caller releases it. */
  acquire(signal: AbortFlag | undefined): Promise<PooledConnection>
  run(connection: PooledConnection, statement: Statement, begins?: boolean, around?: Around): Promise<readonly Row[]>
  release(connection: PooledConnection): void
  stats(): PoolStats
  close(): Promise<void>
}

const PROBE_MAX = 250

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

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
  const servers = createServerList(options.configs, options.connectTimeout, options.isSpread)

  const { protocol, onStatement } = options
  const core: PoolCore = {
    wantsPrimary: options.wantsPrimary,
    protocol,
    onStatement,
    outgoing: createOutgoing(options.server),
    get clock() {
      return pool.clock
    },
    finished,
    broken,
    forget,
    retireAll: pool.retireAll,
  }

  /** Called when the response to the connection's statement is complete. */
  function finished(connection: PooledConnection): void {
    // One that was retired says nothing about the server that is needed.
    if (!connection.retired) pool.isReachable = true
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
    let last: PooledConnection | undefined
    servers.open(
      (config, worked, next) => {
        const connection = createConnection(config)
        if (connection instanceof Error) {
          next(connection)
          return () => undefined
        }
        last = connection
        const failed = (error: unknown) => {
          if (connection.dead) return
          connection.dead = true
          connection.client.connection.stream.destroy()
          next(error)
        }
        connect(connection, failed, () => {
          worked()
          pool.opened(connection)
        })
        return failed
      },
      (error) => pool.openFailed(last, error),
    )
  }

  function connect(connection: PooledConnection, failed: (error: unknown) => void, done: () => void): void {
    const { client } = connection
    const lost = (error: unknown) => (pool.connections.has(connection) ? broken(connection, error) : failed(error))
    client.on('error', lost)
    client.on('end', () => lost(new Error('the connection ended')))
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') connection.isStandby = parameterValue === 'on'
    })
    client.connect((error: Error | null) => {
      // node-postgres calls this before it has registered that the server is ready.
      if (error) failed(error)
      else process.nextTick(prepareSession, connection, failed, done)
    })
  }

  function createConnection(config: ClientConfig): PooledConnection | Error {
    try {
      return {
        client: new Client(config) as unknown as WireClient,
        pool: core,
        prepared: createPreparedStatements(options.preparedStatements),
        query: undefined,
        held: false,
        holderSignal: undefined,
        cancel: undefined,
        isStandby: undefined,
        dead: false,
        retired: false,
        since: 0,
        expires: expiry(),
      }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  function prepareSession(connection: PooledConnection, failed: (error: unknown) => void, done: () => void): void {
    if (connection.dead) return
    const { client, isStandby } = connection
    const attach = () => {
      if (connection.dead) return
      try {
        protocol.attach(connection)
      } catch (error) {
        return failed(toConnectionError(error))
      }
      done()
    }
    const run = (text: string, then: (rows: readonly unknown[][]) => void) =>
      client.query({ text, rowMode: 'array' }, (error: Error | null, result: { rows: readonly unknown[][] }) => {
        if (error) failed(error)
        else process.nextTick(then, result.rows)
      })
    const meet = () =>
      options.server.isMet
        ? attach()
        : run('select version()', ([row]) => {
            options.server.meet(String(row?.[0]))
            attach()
          })
    const prepare = () => (options.sessionSql === undefined ? meet() : run(options.sessionSql, meet))
    if (!options.wantsPrimary || isStandby === false) return prepare()
    if (isStandby === true) return failed(standby())
    // A server before version 14, or a pooler, does not tell by itself.
    run('select pg_is_in_recovery()', ([row]) => (row?.[0] === true ? failed(standby()) : prepare()))
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
    query(statement, signal, around) {
      return new Promise((resolve, reject) => {
        pool.request(new RowQuery(statement, signal, false, resolve, reject, around))
      })
    },
    acquire: (signal) =>
      pool.acquire(signal, (connection) => {
        connection.holderSignal = signal
      }),
    run(connection, statement, begins = false, around) {
      return new Promise((resolve, reject) => {
        const { holderSignal } = connection
        if (holderSignal !== undefined && holderSignal.aborted) reject(cancelled())
        else if (connection.dead) reject(unavailable('the connection was lost'))
        else new RowQuery(statement, holderSignal, begins, resolve, reject, around).start(connection)
      })
    },
    release,
    stats: pool.stats,
    close: () => pool.close(),
  }
}
