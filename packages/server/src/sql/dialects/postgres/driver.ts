import type { ConnectOptions } from '../../database.ts'
import { type ClientConfig, escapeLiteral } from 'pg'
import {
  BATCH_BYTES,
  bytesOf,
  DatabaseError,
  type Driver,
  type QueryOptions,
  type Row,
  type Statement,
  type Transaction,
} from '../../driver.ts'
import { serversIn } from '../../servers-url.ts'
import { createServer, type Server } from './capabilities.ts'
import { isFailedTransaction, isInTransaction, type PooledConnection } from './connection.ts'
import { cancelled } from './errors.ts'
import { createPool, type Pool } from './pool.ts'
import { afterCommit, afterReplayOf, failBehind, POSITION, takePosition, thenCommit } from './log-position.ts'
import { protocols } from './protocols.ts'
import { MAX_VALUES } from './wire.ts'

export interface PostgresDriverOptions extends ConnectOptions {
  /** Whether connections are spread over the servers of the URL. False by default. */
  readonly isSpread?: boolean
}

const IDLE_IN_TRANSACTION_TIMEOUT = 15_000
/** A stream waits for its reader inside a transaction, and a slow download is not an abandoned transaction. */
const STREAM_IDLE_TIMEOUT = 300_000
const STREAM_BATCH = 500
/** The first batch measures the row size before larger batches are fetched. */
const FIRST_BATCH = 20
const KEEP_ALIVE_DELAY = 30_000

export function createPostgresDriver(options: PostgresDriverOptions, server: Server = createServer()): Driver {
  const pool = createPool({
    configs: clientConfigs(options),
    wantsPrimary: options.isReadOnly !== true && serversIn(options.url)?.wants !== 'any',
    isSpread: options.isSpread === true,
    max: options.poolMax,
    queueMax: options.queueMax ?? options.poolMax * 10,
    acquireTimeout: options.acquireTimeout,
    statementTimeout: options.statementTimeout,
    connectTimeout: options.connectTimeout,
    preparedStatements: options.preparedStatements,
    protocol: protocols[options.postgresProtocol ?? 'direct'],
    sessionSql: options.preparedStatements === 0 ? sessionSql(options) : undefined,
    server,
    onStatement: options.onStatement,
  })
  const { onCommit } = options
  return {
    query: (statement, queryOptions) => runQuery(pool, statement, queryOptions),
    execute: (statement) => (onCommit === undefined ? execute(pool, statement) : executeAt(pool, statement, onCommit)),
    stream: (statement, queryOptions) => streamRows(pool, statement, queryOptions),
    transaction: (work, kind) => runTransaction(pool, work, kind === 'read' ? undefined : onCommit),
    get isReachable() {
      return pool.isReachable
    },
    stats: () => pool.stats(),
    close: () => pool.close(),
  }
}

function runQuery(pool: Pool, statement: Statement, options: QueryOptions | undefined): Promise<readonly Row[]> {
  const refusal = refuseStatement(statement)
  if (refusal !== undefined) return Promise.reject(refusal)
  const signal = options?.signal
  if (signal?.aborted === true) return Promise.reject(cancelled())
  const position = options?.position
  return position === undefined
    ? pool.query(statement, signal)
    : pool.query(statement, signal, afterReplayOf(position)).catch(failBehind)
}

async function execute(pool: Pool, statement: Statement): Promise<readonly Row[]> {
  const refusal = refuseStatement(statement)
  if (refusal !== undefined) throw refusal
  const connection = await pool.acquire(undefined)
  try {
    return await pool.run(connection, statement).catch(failCommit)
  } finally {
    pool.release(connection)
  }
}

/** As execute, in a transaction of the same message, because the position is known after the commit only. */
async function executeAt(pool: Pool, statement: Statement, onCommit: OnCommit): Promise<readonly Row[]> {
  const refusal = refuseStatement(statement)
  if (refusal !== undefined) throw refusal
  const connection = await pool.acquire(undefined)
  try {
    const rows = await pool.run(connection, statement, true, thenCommit).catch(failCommit)
    const [own, position] = takePosition(rows)
    onCommit(position)
    return own
  } finally {
    await rollback(pool, connection)
    pool.release(connection)
  }
}

/** Refuses statements that the protocol cannot carry: they would be truncated and misread. */
function refuseStatement({ text, values }: Statement): DatabaseError | undefined {
  if (values.length > MAX_VALUES)
    return new DatabaseError('too-complex', `a statement has at most ${MAX_VALUES} values`)
  if (text.includes('\0')) return new DatabaseError('invalid-value', 'a statement cannot contain a zero byte')
  return undefined
}

/**
 * Uses a declared cursor instead of a protocol portal (pg-cursor): statement_timeout keeps running while a portal waits
 * for its next fetch, so a slow reader or a long export would be cancelled. With a declared cursor, each fetch is a
 * statement with its own timeout, however long the stream takes, and every statement has a timeout. It also works
 * through PgBouncer in transaction mode.
 */
async function* streamRows(pool: Pool, statement: Statement, options?: QueryOptions): AsyncGenerator<readonly Row[]> {
  const refusal = refuseStatement(statement)
  if (refusal !== undefined) throw refusal
  const signal = options?.signal
  if (signal?.aborted === true) throw cancelled()
  const connection = await pool.acquire(signal)
  try {
    await pool.run(connection, STREAM_SETTINGS, true)
    const text = `declare tain_stream no scroll cursor without hold for ${statement.text}`
    await pool.run(connection, { text, values: statement.values })
    for (let count = FIRST_BATCH; ;) {
      const fetch = `fetch ${count} from tain_stream`
      const rows = await pool.run(connection, { text: fetch, values: [], ...boundOf(statement) })
      if (rows.length > 0) yield rows
      if (rows.length < count) return
      // Fetch as many rows as make about one batch, judging by the size of the last rows.
      count = Math.max(1, Math.min(STREAM_BATCH, Math.floor(BATCH_BYTES / (bytesOf(rows) / count + 1))))
    }
  } finally {
    await rollback(pool, connection)
    pool.release(connection)
  }
}

/** All rows will be read, so the planner must optimize for the last row, not for the first tenth. */
const STREAM_SETTINGS: Statement = {
  text: `select set_config('idle_in_transaction_session_timeout', $1, true), set_config('cursor_tuple_fraction', '1', true)`,
  values: [String(STREAM_IDLE_TIMEOUT)],
}

const boundOf = ({ mostBytes }: Statement): Pick<Statement, 'mostBytes'> =>
  mostBytes === undefined ? {} : { mostBytes }

type OnCommit = NonNullable<ConnectOptions['onCommit']>

const COMMIT: Statement = { text: 'commit', values: [], name: 'tain_commit' }
const ROLLBACK: Statement = { text: 'rollback', values: [] }

async function runTransaction<T>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<T>,
  onCommit: OnCommit | undefined,
): Promise<T> {
  const connection = await pool.acquire(undefined)
  const statements = createSequence(pool, connection)
  try {
    const result = await work(statements)
    await statements.end()
    await commit(pool, connection, statements.firstError(), onCommit)
    return result
  } catch (error) {
    await statements.end()
    await rollback(pool, connection)
    throw error
  } finally {
    pool.release(connection)
  }
}

interface Sequence extends Transaction {
  /** Resolves when no statement is running; later statements are refused. */
  end(): Promise<void>
  firstError(): unknown
}

/** Runs statements one after another on one connection, even if the caller starts several at once. */
function createSequence(pool: Pool, connection: PooledConnection): Sequence {
  let last: Promise<unknown> | undefined
  let hasBegun = false
  let isOver = false
  let firstError: unknown

  function run(statement: Statement): Promise<readonly Row[]> {
    // BEGIN is sent with the first statement, which saves a round trip.
    const begins = !hasBegun
    hasBegun = true
    return pool.run(connection, statement, begins)
  }

  function query(statement: Statement): Promise<readonly Row[]> {
    const refusal = isOver ? new DatabaseError('other', 'the transaction is over') : refuseStatement(statement)
    if (refusal !== undefined) return Promise.reject(refusal)
    const result = last === undefined ? run(statement) : last.then(() => run(statement))
    const settled: Promise<unknown> = result.then(
      () => settle(settled),
      (error: unknown) => {
        firstError ??= error
        settle(settled)
      },
    )
    last = settled
    return result
  }

  function settle(settled: Promise<unknown>): void {
    if (last === settled) last = undefined
  }

  async function end(): Promise<void> {
    isOver = true
    await last
  }

  return { query, end, firstError: () => firstError }
}

/** PostgreSQL answers COMMIT of a failed transaction with a rollback and no error; this must not count as success. */
async function commit(
  pool: Pool,
  connection: PooledConnection,
  firstError: unknown,
  onCommit: OnCommit | undefined,
): Promise<void> {
  if (connection.dead || isFailedTransaction(connection)) {
    throw firstError ?? new DatabaseError('unavailable', 'the connection was lost')
  }
  if (!isInTransaction(connection)) return
  if (onCommit === undefined) await pool.run(connection, COMMIT).catch(failCommit)
  else onCommit(takePosition(await pool.run(connection, POSITION, false, afterCommit).catch(failCommit))[1])
}

/** If the connection breaks now, the outcome of the transaction is unknown; SQLSTATE 08007 reports that. */
function failCommit(error: unknown): never {
  // A timeout without a code is ours: the server stopped responding, but may have committed.
  const isUnknown =
    error instanceof DatabaseError &&
    (error.fault === 'unavailable' || (error.fault === 'timeout' && error.databaseCode === undefined))
  if (!isUnknown) throw error
  throw new DatabaseError('unavailable', `the outcome of the commit is unknown: ${error.message}`, '08007', {
    cause: error,
  })
}

/** A connection that cannot be rolled back is not idle, and the pool destroys it. */
async function rollback(pool: Pool, connection: PooledConnection): Promise<void> {
  connection.holderSignal = undefined
  const isFree = !connection.dead && connection.query === undefined && connection.cancel === undefined
  if (isFree && isInTransaction(connection)) await pool.run(connection, ROLLBACK).catch(() => undefined)
}

function sessionSettings(options: PostgresDriverOptions): [name: string, value: string][] {
  return [
    ['TimeZone', 'UTC'],
    ['DateStyle', 'ISO'],
    ['IntervalStyle', 'iso_8601'],
    ['extra_float_digits', '1'],
    ['bytea_output', 'hex'],
    ['standard_conforming_strings', 'on'],
    ['jit', 'off'],
    ['statement_timeout', String(options.statementTimeout)],
    ['lock_timeout', String(options.lockTimeout)],
    ['idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_TIMEOUT)],
  ]
}

/** Never sent as a statement: behind PgBouncer it would stay on a server connection that other clients use next. */
const READ_ONLY: readonly [name: string, value: string][] = [['default_transaction_read_only', 'on']]

/**
 * Settings are sent in the startup message, so a connection is ready without another round trip. PgBouncer refuses
 * startup `options`. If prepared statements are disabled, the driver assumes PgBouncer and sends the settings as a
 * batch instead. In transaction mode this is safe for settings that change the text of values: PgBouncer tracks
 * TimeZone, DateStyle and standard_conforming_strings per client and sets them again on each server connection it picks,
 * since 1.20 also IntervalStyle, on which only arrays of intervals depend (see iso-interval.ts). The others are
 * PostgreSQL's defaults. The timeouts are best effort there; setting them with
 * `alter role ... set` guarantees them.
 */
export function clientConfigs(options: PostgresDriverOptions): readonly [ClientConfig, ...ClientConfig[]] {
  const [first, ...others] = serversIn(options.url)?.urls ?? [options.url]
  return [clientConfig(options, first), ...others.map((url) => clientConfig(options, url))]
}

function clientConfig(options: PostgresDriverOptions, server: string): ClientConfig {
  const [url, urlOptions] = takeOptions(server)
  const settings = [...sessionSettings(options), ...(options.isReadOnly === true ? READ_ONLY : [])]
  const startup = settings.map(([name, value]) => `-c ${name}=${value}`)
  return {
    connectionString: url,
    application_name: options.applicationName,
    // The last setting of a name wins. Ours come last, because they decide how values are read.
    ...(options.preparedStatements > 0 ? { options: [urlOptions, ...startup].join(' ').trim() } : {}),
    connectionTimeoutMillis: options.connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
  }
}

function sessionSql(options: PostgresDriverOptions): string {
  return sessionSettings(options)
    .map(([name, value]) => `set ${name} = ${escapeLiteral(value)}`)
    .join(';')
}

/** Takes `options` out of the URL: node-postgres would let them replace ours. */
function takeOptions(url: string): [url: string, options: string] {
  const start = url.indexOf('?')
  if (start === -1) return [url, '']
  const search = new URLSearchParams(url.slice(start + 1))
  const options = search.get('options') ?? ''
  search.delete('options')
  return [`${url.slice(0, start)}?${search.toString()}`, options]
}
