import mysql2, { type Connection, type ConnectionOptions } from 'mysql2'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import { DatabaseError, MOST_BYTES, type Row, type Statement } from '../../driver.ts'
import { toDatabaseError } from './errors.ts'
import { withValues } from './interpolate.ts'
import { receive, type Command } from './wire.ts'

export interface PooledConnection {
  readonly wire: Connection
  /** How it was opened; an order to stop a statement goes the same way. */
  readonly config: ConnectionOptions
  dead: boolean
  /** The state of the connection is unknown. */
  retired: boolean
  /** The running statement, so that it can be failed when the connection breaks. */
  running: { readonly fail: (error: DatabaseError) => void } | undefined
  /** Aborted when the caller no longer waits for the running statement; `kill` is then the order to stop it. */
  signal: AbortFlag | undefined
  kill: Promise<void> | undefined
  /** The reader of a stream. After it aborts, nothing else would return the connection. */
  holder: AbortFlag | undefined
  held: boolean
  holdsLocks: boolean
  since: number
  expires: number
}

export const open = (config: ConnectionOptions): Connection => mysql2.createConnection(config)

/** Warnings for a list that did not fit: its text was truncated and is no longer JSON, or is NULL. */
const CUT = new Set(['1260', '1301'])

/** Runs one statement on one connection. */
export function send(
  connection: PooledConnection,
  statement: Statement,
  onRow?: (row: Row) => void,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const rows: Row[] = []
    const finish = () => {
      connection.running = undefined
      resolve(rows)
    }
    const fail = (error: unknown) => {
      connection.running = undefined
      // mysql2 closes a connection on which reading failed, and reports it only with this flag.
      if ((error as { readonly fatal?: unknown }).fatal === true) connection.retired = true
      reject(toDatabaseError(error, statement.text))
    }
    connection.running = { fail }
    const command = connection.wire.query({ sql: withValues(statement) }, (error) => {
      if (error !== null) return fail(error)
      if (received.warnings === 0) return finish()
      warningsOf(connection).then((codes) => {
        const cut = codes.find((code) => CUT.has(code))
        if (cut === undefined) return finish()
        fail(new DatabaseError('too-large', 'a list is longer than the database gives at once', cut))
      }, fail)
    }) as unknown as Command
    const { mostBytes = MOST_BYTES } = statement
    // A stream releases its rows as they are read, so the size limit applies to each row.
    const received = receive(command, onRow ?? ((row) => rows.push(row)), mostBytes, onRow === undefined)
  })
}

function warningsOf({ wire }: PooledConnection): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const codes: string[] = []
    const command = wire.query({ sql: 'show warnings' }, (error) =>
      error === null ? resolve(codes) : reject(error),
    ) as unknown as Command
    receive(command, (row) => codes.push(row[1] ?? ''), MOST_BYTES, true)
  })
}
