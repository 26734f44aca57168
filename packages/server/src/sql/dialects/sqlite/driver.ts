import type { AbortFlag } from '../../../lib/abort-flag.ts'
import {
  DatabaseError,
  MOST_BYTES,
  type Driver,
  type QueryOptions,
  type Row,
  type Statement,
  type Transaction,
  type TransactionKind,
} from '../../driver.ts'
import { cancelled } from './errors.ts'
import type { Connection } from './connection.ts'
import type { Answer } from './messages.ts'
import { createPool, type FileOptions, type Pool } from './pool.ts'

const noRows: readonly Row[] = []

/** Splits the cells of an answer into rows. */
function rowsOf({ width, cells }: Answer): readonly Row[] {
  if (cells.length === 0) return noRows
  if (cells.length === width) return [cells]
  const rows: Row[] = []
  for (let start = 0; start < cells.length; start += width) rows.push(cells.slice(start, start + width))
  return rows
}

/** Any reader can run statements that only read. All others belong to the single writer. */
const isReading = ({ text }: Statement) => /^\s*(select|with|pragma|values|explain|count the rows)\b/iu.test(text)

export function createSqliteDriver(options: FileOptions): Driver {
  const pool = createPool(options)
  return {
    query: (statement, queryOptions) => runQuery(pool, statement, queryOptions?.signal),
    execute: async (statement) => {
      const connection = await pool.acquire('write')
      return finish(pool, connection, runIn(pool, connection, statement, null).catch(failCommit))
    },
    stream: (statement, queryOptions) => streamRows(pool, statement, queryOptions),
    transaction: (work, kind = 'write') => runTransaction(pool, work, kind),
    get isReachable() {
      return pool.isReachable
    },
    stats: () => pool.stats(),
    close: () => pool.close(),
  }
}

async function runIn(
  pool: Pool,
  connection: Connection,
  { text, values, mostBytes = MOST_BYTES }: Statement,
  begins: string | null,
): Promise<readonly Row[]> {
  if (begins !== null) pool.onStatement?.({ text: begins, values: [] })
  pool.onStatement?.({ text, values })
  return rowsOf(await connection.send({ kind: 'run', text, values, begins, mostBytes }))
}

async function finish<T>(pool: Pool, connection: Connection, result: Promise<T>): Promise<T> {
  try {
    return await result
  } finally {
    pool.release(connection)
  }
}

/** A statement cannot be stopped, but its caller does not have to wait for it. */
function unless<T>(pool: Pool, signal: AbortFlag | undefined, result: Promise<T>): Promise<T> {
  if (signal === undefined) return result
  return new Promise((resolve, reject) => {
    const watched = { signal, stop: () => reject(cancelled()) }
    pool.watched.add(watched)
    result.then(resolve, reject).finally(() => pool.watched.delete(watched))
  })
}

async function runQuery(pool: Pool, statement: Statement, signal: AbortFlag | undefined): Promise<readonly Row[]> {
  if (signal?.aborted === true) throw cancelled()
  if (statement.isSmall === true) {
    const answer = pool.runSmall(statement)
    if (answer !== null) return rowsOf(answer)
  }
  const connection = await pool.acquire(isReading(statement) ? 'read' : 'write')
  return unless(pool, signal, finish(pool, connection, runIn(pool, connection, statement, null)))
}

/** Rows are fetched as the reader of the stream requests them. The statement keeps its snapshot meanwhile. */
async function* streamRows(pool: Pool, statement: Statement, options?: QueryOptions): AsyncGenerator<readonly Row[]> {
  const signal = options?.signal
  if (signal?.aborted === true) throw cancelled()
  const connection = await pool.acquire('read')
  try {
    const { text, values, mostBytes = MOST_BYTES } = statement
    pool.onStatement?.(statement)
    let answer = await unless(pool, signal, connection.send({ kind: 'open', text, values, mostBytes }))
    for (;;) {
      const rows = rowsOf(answer)
      if (rows.length > 0) yield rows
      if (answer.isLast === true) return
      answer = await unless(pool, signal, connection.send({ kind: 'next' }))
    }
  } finally {
    await rollback(connection)
    pool.release(connection)
  }
}

/** The write lock is taken at the beginning: taking it later could fail and waste the work. */
const BEGIN: Readonly<Record<TransactionKind, string>> = { write: 'begin immediate', read: 'begin' }

const COMMIT: Statement = { text: 'commit', values: [] }

async function runTransaction<T>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<T>,
  kind: TransactionKind,
): Promise<T> {
  const connection = await pool.acquire(kind)
  let begins: string | null = BEGIN[kind]
  let isOver = false
  let last: Promise<unknown> = Promise.resolve()
  const query = (statement: Statement): Promise<readonly Row[]> => {
    if (isOver) return Promise.reject(new DatabaseError('other', 'the transaction is over'))
    // The thread runs one statement after another, even if the caller sends several at once.
    const result = runIn(pool, connection, statement, begins)
    begins = null
    last = result.catch(() => undefined)
    return result
  }
  try {
    const result = await work({ query })
    isOver = true
    await last
    if (begins === null) {
      pool.onStatement?.(COMMIT)
      await connection.send({ kind: 'commit' }).catch(failCommit)
    }
    return result
  } catch (error) {
    isOver = true
    await last
    await rollback(connection)
    throw error
  } finally {
    pool.release(connection)
  }
}

const rollback = (connection: Connection): Promise<unknown> =>
  connection.isDead ? Promise.resolve() : connection.send({ kind: 'rollback' }).catch(() => undefined)

/** If the thread ends now, the outcome of the transaction is unknown. SQL has a code for that. */
function failCommit(error: unknown): never {
  const isUnknown =
    error instanceof DatabaseError &&
    error.databaseCode === undefined &&
    ['unavailable', 'timeout', 'too-slow'].includes(error.fault)
  if (!isUnknown) throw error
  throw new DatabaseError('unavailable', `the outcome of the commit is unknown: ${error.message}`, '08007', {
    cause: error,
  })
}
