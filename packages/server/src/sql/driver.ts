import type { AbortFlag } from '../lib/abort-flag.ts'
import type { DatabaseFault, FaultDetails } from './faults.ts'

/** A row as the database prints it: text for every value, null for NULL. Values are parsed only when needed. */
export type Row = readonly (string | null)[]

/** A bigint where the database accepts nothing else; otherwise text or a list of texts. */
export type Bind = string | bigint | null | readonly (string | null)[]

export interface Statement {
  readonly text: string
  readonly values: readonly Bind[]
  /** Frequent statements have a name. The driver prepares them once per connection and limits how many it keeps. */
  readonly name?: string
  /** Looks up one row and does no work that grows with the data, so it takes almost no time wherever it runs. */
  readonly isSmall?: boolean
  /** Maximum bytes of its rows, or of one batch if they are streamed. MOST_BYTES by default. */
  readonly mostBytes?: number
}

/** Maximum bytes of rows held per statement: a JavaScript string has at most 512 MiB, and JSON escapes double text. */
export const MOST_BYTES = 256 * 1024 ** 2

export interface QueryOptions {
  /** When the caller gives up, the statement is cancelled in the database. */
  readonly signal?: AbortFlag
  /**
   * A position in the log of the primary. The statement fails with the fault 'behind' on every server that does not follow
   * the primary, or has not replayed its log so far.
   */
  readonly position?: string
}

/** Runs statements inside one transaction. */
export interface Transaction {
  query(statement: Statement): Promise<readonly Row[]>
}

/** A read transaction does not block writers. */
export type TransactionKind = 'write' | 'read'

/** Why a statement got no connection: the database is away, too many wait already, or none became free in time. */
export const poolRefusals = ['outage', 'full', 'late'] as const
export type PoolRefusal = (typeof poolRefusals)[number]

/** The state of a pool of connections. */
export interface PoolStats {
  /** The most connections that it opens. */
  readonly max: number
  readonly open: number
  readonly idle: number
  /** Statements that wait for a connection. */
  readonly waiting: number
  /** Statements refused since the start. */
  readonly refused: Readonly<Record<PoolRefusal, number>>
  /** Why the database counts as away, in the words of the last attempt to connect; null: it does not. */
  readonly outage: string | null
  /** Milliseconds that a new statement would wait for a connection, judged by how fast the queue has moved lately. */
  readonly wait: number
}

export interface Driver {
  query(statement: Statement, options?: QueryOptions): Promise<readonly Row[]>
  /** Runs a write as its own transaction. If the connection is lost, the error says that the outcome is unknown. */
  execute(statement: Statement): Promise<readonly Row[]>
  /** Reads rows in batches from a cursor; memory use does not depend on their number. */
  stream(statement: Statement, options?: QueryOptions): AsyncIterable<readonly Row[]>
  /** `kind` is 'write' by default. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T>
  /** True while the last contact with the database was a response. */
  readonly isReachable: boolean
  stats(): PoolStats
  close(): Promise<void>
}

export class DatabaseError extends Error {
  readonly fault: DatabaseFault
  /** The database's own error code. */
  readonly databaseCode: string | undefined
  /** The objects that the database named when it refused a value. */
  readonly details: FaultDetails | undefined

  constructor(
    fault: DatabaseFault,
    message: string,
    databaseCode?: string,
    options?: ErrorOptions & { readonly details?: FaultDetails },
  ) {
    super(message, options)
    this.details = options?.details
    this.name = 'DatabaseError'
    this.fault = fault
    this.databaseCode = databaseCode
  }
}

/** Approximate bytes of one batch of streamed rows. */
export const BATCH_BYTES = 8 * 1024 ** 2

/** Approximate bytes of rows: the number of characters while they are held in memory. */
export function bytesOf(rows: readonly Row[]): number {
  let bytes = 0
  for (const row of rows) for (const cell of row) bytes += cell?.length ?? 0
  return bytes
}

export const tooLarge = (mostBytes: number): DatabaseError =>
  new DatabaseError('too-large', `the rows have more than ${mostBytes} bytes`, undefined, { details: { mostBytes } })
