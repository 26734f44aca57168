import type { Duplex } from 'node:stream'
import type { Client, Connection } from 'pg'
import type { AbortFlag } from '../../../lib/abort-flag.ts'
import { MOST_BYTES, type DatabaseError, type Row, type Statement } from '../../driver.ts'
import { isQueryCancelled, isReadOnlyRefusal, isStatementMixUp, standby, toDatabaseError } from './errors.ts'
import { forgetStatement, type PreparedStatements } from './prepared-statements.ts'
import { encodeStatement, type Around } from './wire.ts'

/** A request for a connection: a single query, or a holder that runs several statements. */
export interface Waiter {
  readonly signal: AbortFlag | undefined
  deadline: number
  start(connection: PooledConnection): void
  fail(error: DatabaseError): void
}

export interface PooledConnection {
  readonly client: WireClient
  readonly pool: PoolCore
  readonly prepared: PreparedStatements
  /** The query that runs now, or the last one while its response is incomplete. */
  query: RowQuery | undefined
  held: boolean
  /** The signal of the holder, watched while none of its statements runs. */
  holderSignal: AbortFlag | undefined
  cancel: Cancel | undefined
  /** As the server told; undefined: it did not, so the server behind the connection may change (a pooler). */
  isStandby: boolean | undefined
  dead: boolean
  retired: boolean
  since: number
  expires: number
}

/** A pending cancel. The connection cannot be reused until both the statement and the cancel request are over. */
export interface Cancel {
  requestOver: boolean
  statementOver: boolean
  sure: boolean
}

/** How statements reach the server, and rows come back. */
export interface Protocol {
  /** Called once for each connection, before its first statement. Throws if node-postgres is not as expected. */
  attach(connection: PooledConnection): void
  send(connection: PooledConnection, query: RowQuery): void
}

/** The events that a query reports to its pool. */
export interface PoolCore {
  readonly wantsPrimary: boolean
  readonly protocol: Protocol
  readonly onStatement: ((statement: Statement) => void) | undefined
  /** The text of a statement as the server gets it. */
  readonly outgoing: (text: string) => string
  clock: number
  finished(connection: PooledConnection): void
  broken(connection: PooledConnection, error: unknown): void
  forget(name: string): void
  retireAll(): void
}

/** The parts of node-postgres that its typings leave out. */
export interface WireConnection extends Connection {
  readonly stream: Duplex
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
  sendCopyFail(message: string): void
}

export interface WireClient extends Omit<Client, 'ssl'> {
  readonly connection: WireConnection
  readonly processID: number
  readonly secretKey: number
  readonly ssl: boolean | object
  readonly sslNegotiation: string
}

/**
 * A query as node-postgres accepts it (a "submittable"), and also the queue entry of the pool. It is a class because
 * this is the hot path: methods on the prototype cost nothing per query, closures and event listeners do. Query of pg
 * requests column descriptions and builds parsers and a Result for each response; text rows need none of that.
 */
export class RowQuery implements Waiter {
  deadline = 0
  error: unknown = undefined
  readonly rows: Row[] = []
  bytes = 0
  completed = 0
  readonly mostBytes: number
  readonly statement: Statement
  readonly signal: AbortFlag | undefined
  readonly begins: boolean
  readonly around: Around | undefined
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: DatabaseError) => void
  connection: PooledConnection | undefined = undefined

  constructor(
    statement: Statement,
    signal: AbortFlag | undefined,
    begins: boolean,
    resolve: (rows: readonly Row[]) => void,
    reject: (error: DatabaseError) => void,
    around?: Around,
  ) {
    this.statement = statement
    this.mostBytes = statement.mostBytes ?? MOST_BYTES
    this.signal = signal
    this.begins = begins
    this.around = around
    this.resolve = resolve
    this.reject = reject
  }

  start(connection: PooledConnection): void {
    this.connection = connection
    connection.query = this
    connection.since = connection.pool.clock
    const { onStatement } = connection.pool
    if (onStatement !== undefined) report(onStatement, this)
    connection.pool.protocol.send(connection, this)
  }

  fail(error: DatabaseError): void {
    this.reject(error)
  }

  submit(connection: Connection): null {
    const owner = this.connection!
    try {
      connection.stream.write(
        encodeStatement(owner.prepared, owner.pool.outgoing, this.statement, this.begins, this.around),
      )
    } catch (error) {
      // It is unknown how much was written, so the connection must not be used again.
      this.error = toDatabaseError(error)
      owner.pool.broken(owner, error)
    }
    return null
  }

  handleReadyForQuery(): void {
    const connection = this.connection!
    connection.query = undefined
    // Release the connection first: the database runs the next statement while these rows are processed.
    connection.pool.finished(connection)
    this.resolve(this.rows)
  }

  handleError(error: unknown): void {
    const connection = this.connection!
    this.error = error
    if (connection.dead) return
    // node-postgres drops a failed query before the server is ready again; the pool must keep it until then.
    connection.client.connection.once('readyForQuery', () => statementFailed(this, connection))
  }

  handleRowDescription(): void {}

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('this driver does not copy')
  }

  handleCopyData(): void {}
}

export const BEGIN_STATEMENT: Statement = { text: 'begin', values: [] }

function report(onStatement: (statement: Statement) => void, { statement, begins, around }: RowQuery): void {
  if (begins) onStatement(BEGIN_STATEMENT)
  for (const each of [...(around?.before ?? []), statement, ...(around?.after ?? [])]) onStatement(each)
}

/** Everything has been done but the last statement, which only tells something. */
const isDone = ({ begins, around, completed }: RowQuery): boolean =>
  around?.isLastOptional === true && completed >= (begins ? 1 : 0) + around.before.length + around.after.length

/** The server refused a statement and is ready for the next. */
export function statementFailed(query: RowQuery, connection: PooledConnection): void {
  if (connection.query !== query) return
  const isMoved = connection.pool.wantsPrimary && connection.isStandby !== false && isReadOnlyRefusal(query.error)
  const error = isMoved ? standby() : toDatabaseError(query.error)
  const { name } = query.statement
  if (name !== undefined) {
    // The statement may have failed before or after it was prepared; closing a missing statement is not an error.
    if (connection.prepared.parsing === name) forgetStatement(connection.prepared, name)
    // The plan is stale on every other connection too.
    if (error.fault === 'schema-changed') connection.pool.forget(name)
  }
  if (isStatementMixUp(query.error)) connection.retired = true
  // What a pooler leads to is not the primary any more. New connections ask first.
  if (isMoved) connection.pool.retireAll()
  if (connection.cancel !== undefined) connection.cancel.sure = isQueryCancelled(query.error)
  connection.query = undefined
  connection.pool.finished(connection)
  if (isDone(query)) query.resolve(query.rows)
  else query.reject(error)
}

export function isInTransaction(connection: PooledConnection): boolean {
  const status = connection.client.getTransactionStatus()
  return status === 'T' || status === 'E'
}

export function isFailedTransaction(connection: PooledConnection): boolean {
  return connection.client.getTransactionStatus() === 'E'
}
