import { performance } from 'node:perf_hooks'
import type { Connection, ConnectionOptions } from 'mysql2'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import { DatabaseError, type PoolStats, type Row, type Statement } from '../../driver.ts'
import { createConnectionPool, expiry, silenceLimitOf, silent, unavailable, type PoolLimits } from '../base/pool.ts'
import { createServerList } from '../base/next-server.ts'
import { killQuery } from './cancel.ts'
import { GALERA_SESSION, GALERA_STATE, isReadyNode, nodeWithoutQuorum, readOnlyServer, roleOf } from './role.ts'
import { open, send, type PooledConnection } from './connection.ts'
import { cancelled, isDemoted, isInterrupted, toConnectionError } from './errors.ts'

export interface PoolOptions extends PoolLimits {
  /** One for each server; the first that works is used. */
  readonly configs: readonly [ConnectionOptions, ...ConnectionOptions[]]
  readonly statementTimeout: number
  readonly connectTimeout: number
  readonly onStatement: ((statement: Statement) => void) | undefined
  /** The settings of a session on this server. Throws if this dialect does not support the server. */
  readonly sessionSql: (version: string) => string
  /** What asks a server for its part in a cluster, as `roleOf` reads it; null: any server will do. */
  readonly roleSql: (() => string) | null
  /** Called when the server is a node of a cluster. */
  readonly onCluster: () => void
}

export interface Pool {
  readonly isReachable: boolean
  acquire(signal: AbortFlag | undefined): Promise<PooledConnection>
  /** Runs one statement. Aborting the signal also ends it in the database. */
  run(connection: PooledConnection, statement: Statement, signal?: AbortFlag): Promise<readonly Row[]>
  release(connection: PooledConnection): void
  /** Closes the connection and ends its statement in the database. */
  destroy(connection: PooledConnection, error: DatabaseError): void
  stats(): PoolStats
  close(): Promise<void>
}

const PROBE_MAX = 500

const pooled = (wire: Connection, config: ConnectionOptions): PooledConnection => ({
  wire,
  config,
  dead: false,
  retired: false,
  running: undefined,
  signal: undefined,
  kill: undefined,
  holder: undefined,
  held: false,
  holdsLocks: false,
  since: performance.now(),
  expires: expiry(),
})

export function createPool(options: PoolOptions): Pool {
  const silenceLimit = silenceLimitOf(options.statementTimeout)
  const pool = createConnectionPool<PooledConnection>(options, {
    open: openOne,
    end: ({ wire }, done) => {
      wire.end(() => undefined)
      done()
    },
    destroy: ({ wire }) => wire.destroy(),
    failStatement,
    isReusable: () => true,
    isIdle,
    toConnectionError,
    cancelled,
    probeMax: PROBE_MAX,
  })
  const { broken } = pool

  const servers = createServerList(options.configs, options.connectTimeout)
  const hasSeveral = options.configs.length > 1
  /** A server that only reads is taken where nothing says that it refuses: its user may write all the same. */
  let isStrict = hasSeveral

  function openOne(): void {
    let last: PooledConnection | undefined
    servers.open(
      (config, worked, next) => {
        let wire: Connection
        try {
          wire = open(config)
        } catch (error) {
          next(error)
          return () => undefined
        }
        const connection = pooled(wire, config)
        last = connection
        const failed = (error: unknown) => {
          if (connection.dead) return
          connection.dead = true
          wire.destroy()
          next(error)
        }
        const lost = (error: unknown) => (pool.connections.has(connection) ? broken(connection, error) : failed(error))
        wire.on('error', lost)
        wire.on('end', () => lost(new Error('the connection ended')))
        wire.once('connect', () => {
          prepareSession(connection).then(() => {
            if (connection.dead) return
            worked()
            pool.opened(connection)
          }, failed)
        })
        return failed
      },
      (error) => pool.openFailed(last, error),
    )
  }

  async function prepareSession(connection: PooledConnection): Promise<void> {
    const [row] = await send(connection, { text: 'select version()', values: [] })
    await send(connection, { text: options.sessionSql(row?.[0] ?? ''), values: [] })
    if (options.roleSql === null) return
    const [facts = []] = await send(connection, { text: options.roleSql(), values: [] })
    const { readsOnly, isGalera } = roleOf(facts)
    if (isGalera) {
      options.onCluster()
      const [state] = await send(connection, { text: GALERA_STATE, values: [] })
      if (!isReadyNode(state)) throw nodeWithoutQuorum()
      await send(connection, { text: GALERA_SESSION, values: [] })
    }
    if (readsOnly && isStrict) throw readOnlyServer()
    if (!readsOnly) isStrict = hasSeveral
  }

  function failStatement(connection: PooledConnection, error: unknown): void {
    connection.running?.fail(toConnectionError(error))
    connection.running = undefined
  }

  function isIdle(connection: PooledConnection, clock: number): boolean {
    const { running, signal, kill, holder } = connection
    if (holder?.aborted === true) {
      abandon(connection, cancelled())
      return false
    }
    if (running === undefined) return !connection.held
    if (signal?.aborted === true && kill === undefined)
      connection.kill = killQuery(connection.config, connection.wire.threadId ?? 0, options.connectTimeout).catch(
        (error: unknown) => broken(connection, error),
      )
    if (clock - connection.since > silenceLimit) broken(connection, silent())
    return false
  }

  /** A server that has nothing to send does not notice that the connection is closed, and goes on with its statement. */
  function abandon(connection: PooledConnection, error: DatabaseError): void {
    const { config, wire, running } = connection
    broken(connection, error)
    if (running !== undefined) killQuery(config, wire.threadId ?? 0, options.connectTimeout).catch(() => undefined)
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
      // One that was retired says nothing about the server that is needed.
      if (!connection.retired) pool.isReachable = true
      return rows
    } catch (error) {
      if (error instanceof DatabaseError && isDemoted(error)) demoted()
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

  /** The server takes no writes any more. New connections ask first, and all are new. */
  function demoted(): void {
    isStrict = true
    pool.retireAll()
  }

  return {
    get isReachable() {
      return pool.isReachable
    },
    acquire: (signal) => pool.acquire(signal, () => undefined),
    run,
    release(connection) {
      connection.held = false
      if (!connection.dead) pool.reuse(connection)
    },
    destroy: abandon,
    stats: pool.stats,
    close: () => pool.close(),
  }
}
