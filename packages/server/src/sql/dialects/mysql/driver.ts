import type { AbortFlag } from '../../../lib/abort-flag.ts'
import type { ConnectOptions } from '../../database.ts'
import {
  BATCH_BYTES,
  bytesOf,
  DatabaseError,
  type Driver,
  type Row,
  type Statement,
  type Transaction,
} from '../../driver.ts'
import { createServer, type Server } from './capabilities.ts'
import { send, type PooledConnection } from './connection.ts'
import { cancelled, endsTransaction, toDatabaseError } from './errors.ts'
import { serversIn } from '../../servers-url.ts'
import { createPool, type Pool } from './pool.ts'
import { roleSql } from './role.ts'
import { connectionOptions, sessionSql } from './session.ts'

export interface MysqlDriverOptions extends ConnectOptions {
  /** Statements that may wait for a connection; 10 per connection by default. */
}

const MAX_VALUES = 65_535
const STREAM_BATCH = 500
/** Approximate maximum of rows that are buffered for a slow reader. */
const STREAM_AHEAD = 2000

export function createMysqlDriver(options: MysqlDriverOptions, server: Server = createServer()): Driver {
  const pool = createPool({
    configs: connectionOptions(options),
    max: options.poolMax,
    queueMax: options.queueMax ?? options.poolMax * 10,
    acquireTimeout: options.acquireTimeout,
    statementTimeout: options.statementTimeout,
    connectTimeout: options.connectTimeout,
    onStatement: options.onStatement,
    sessionSql: (version) => {
      server.meet(version)
      return sessionSql(options, server.can)
    },
    onCluster: () => server.meetCluster(),
    roleSql:
      options.isReadOnly === true || serversIn(options.url)?.wants === 'any'
        ? null
        : () => roleSql(server.can.hasGalera),
  })
  return {
    query: (statement, queryOptions) => runQuery(pool, statement, queryOptions?.signal),
    execute: (statement) => runQuery(pool, statement, undefined).catch(failCommit),
    stream: (statement, queryOptions) => streamRows(pool, server, statement, queryOptions?.signal, options.onStatement),
    transaction: (work) => runTransaction(pool, work),
    get isReachable() {
      return pool.isReachable
    },
    stats: () => pool.stats(),
    close: () => pool.close(),
  }
}

async function runQuery(pool: Pool, statement: Statement, signal: AbortFlag | undefined): Promise<readonly Row[]> {
  refuse(statement)
  if (signal?.aborted === true) throw cancelled()
  const connection = await pool.acquire(signal)
  try {
    return await pool.run(connection, statement, signal)
  } finally {
    pool.release(connection)
  }
}

/** Refuses statements that the protocol cannot carry. */
function refuse({ text, values }: Statement): void {
  if (values.length > MAX_VALUES) throw new DatabaseError('too-complex', `a statement has at most ${MAX_VALUES} values`)
  if (text.includes('\0')) throw new DatabaseError('invalid-value', 'a statement cannot contain a zero byte')
}

/**
 * Yields rows as they arrive, and pauses the socket while the reader is slow. Reading has no time limit: the statement
 * timeout does not apply. A reader that stops early costs the connection.
 */
async function* streamRows(
  pool: Pool,
  server: Server,
  statement: Statement,
  signal: AbortFlag | undefined,
  onStatement: ((statement: Statement) => void) | undefined,
): AsyncGenerator<readonly Row[]> {
  refuse(statement)
  if (signal?.aborted === true) throw cancelled()
  const connection = await pool.acquire(signal)
  const { wire } = connection
  let waiting: Row[] = []
  let bytes = 0
  const isEnough = () => waiting.length >= STREAM_BATCH || bytes >= BATCH_BYTES
  let wake: (() => void) | undefined
  const state: { isOver: boolean; error: unknown } = { isOver: false, error: undefined }
  connection.holder = signal
  onStatement?.(statement)
  const text = server.can.withoutTimeout(statement.text)
  connection.since = Infinity
  send(connection, { ...statement, text }, (row) => {
    waiting.push(row)
    bytes += bytesOf([row])
    if (waiting.length >= STREAM_AHEAD || bytes >= BATCH_BYTES) wire.pause()
    if (isEnough()) wake?.()
  }).then(
    () => {
      state.isOver = true
      wake?.()
    },
    (error: unknown) => {
      state.isOver = true
      state.error = signal?.aborted === true ? cancelled() : error
      wake?.()
    },
  )
  try {
    for (;;) {
      if (!isEnough() && !state.isOver)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      wake = undefined
      if (state.error !== undefined) throw toDatabaseError(state.error)
      const batch = waiting.slice(0, STREAM_BATCH)
      waiting = waiting.slice(STREAM_BATCH)
      bytes = bytesOf(waiting)
      if (!isEnough()) wire.resume()
      if (batch.length > 0) yield batch
      if (state.isOver && waiting.length === 0) return
    }
  } finally {
    connection.holder = undefined
    if (state.isOver) pool.release(connection)
    else pool.destroy(connection, cancelled())
  }
}

const BEGIN: Statement = { text: 'begin', values: [] }
const COMMIT: Statement = { text: 'commit', values: [] }
const ROLLBACK: Statement = { text: 'rollback', values: [] }
const RELEASE_LOCKS: Statement = { text: 'do release_all_locks()', values: [] }

/** Named locks belong to the session, but the driver releases them at the end of the transaction. */
const takesLock = ({ text }: Statement) => text.includes('get_lock(')

/** Statements that wait for the lock. A statement that only tries it checks the result itself. */
const isPatient = ({ text }: Statement) => text.startsWith('select get_lock(')

async function runTransaction<T>(pool: Pool, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const connection = await pool.acquire(undefined)
  const statements = createSequence(pool, connection)
  try {
    const result = await work(statements)
    await statements.end()
    const failed = statements.failure()
    if (failed !== undefined) throw failed
    if (statements.hasBegun()) await pool.run(connection, COMMIT).catch(failCommit)
    return result
  } catch (error) {
    await statements.end()
    if (statements.hasBegun() && !connection.dead)
      await pool.run(connection, ROLLBACK).catch(() => {
        connection.retired = true
      })
    throw error
  } finally {
    if (connection.holdsLocks && !connection.dead) {
      connection.holdsLocks = false
      await pool.run(connection, RELEASE_LOCKS).catch(() => {
        connection.retired = true
      })
    }
    pool.release(connection)
  }
}

interface Sequence extends Transaction {
  /** Resolves when no statement is running; later statements are refused. */
  end(): Promise<void>
  hasBegun(): boolean
  /** The error of a failed statement, unless a rollback to a savepoint has undone it. */
  failure(): unknown
}

const isWayBack = ({ text }: Statement) => text.startsWith('rollback to')

/**
 * A connection runs one statement after another, even if the caller sends several at once. After a failure only a
 * rollback to a savepoint is allowed: the server would continue, or, after a deadlock, run statements outside of any
 * transaction.
 */
function createSequence(pool: Pool, connection: PooledConnection): Sequence {
  let last: Promise<unknown> = Promise.resolve()
  let hasBegun = false
  let isOver = false
  let isLost = false
  let failure: unknown

  async function run(statement: Statement): Promise<readonly Row[]> {
    if (failure !== undefined && (isLost || !isWayBack(statement))) throw failure
    if (!hasBegun) {
      hasBegun = true
      await pool.run(connection, BEGIN)
    }
    if (takesLock(statement)) connection.holdsLocks = true
    const rows = await pool.run(connection, statement)
    if (isWayBack(statement)) failure = undefined
    if (isPatient(statement) && rows[0]?.[0] !== '1')
      throw new DatabaseError('timeout', 'the lock was not released in time')
    return rows
  }

  function query(statement: Statement): Promise<readonly Row[]> {
    if (isOver) return Promise.reject(new DatabaseError('other', 'the transaction is over'))
    const result = last.then(() => {
      refuse(statement)
      return run(statement)
    })
    last = result.catch((error: unknown) => {
      failure ??= error
      if (error instanceof DatabaseError && endsTransaction(error)) isLost = true
    })
    return result
  }

  return {
    query,
    async end() {
      isOver = true
      await last
    },
    hasBegun: () => hasBegun,
    failure: () => failure,
  }
}

/** If the connection breaks now, the outcome of the transaction is unknown. SQL has a code for that. */
function failCommit(error: unknown): never {
  const isUnknown =
    error instanceof DatabaseError &&
    (error.fault === 'unavailable' || (error.fault === 'timeout' && error.databaseCode === undefined))
  if (!isUnknown) throw error
  throw new DatabaseError('unavailable', `the outcome of the commit is unknown: ${error.message}`, '08007', {
    cause: error,
  })
}
