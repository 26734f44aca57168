import type { AbortFlag } from '../lib/abort-flag.ts'
import type { DatabaseFault, FaultDetails } from './faults.ts'

/** A row as the database spells it: text for every value, null for NULL. Nothing is parsed until somebody needs it. */
export type Row = readonly (string | null)[]

/** A whole number where the database takes nothing else, text and lists of it everywhere else. */
export type Bind = string | bigint | null | readonly (string | null)[]

export interface Statement {
  readonly text: string
  readonly values: readonly Bind[]
  /** Hot shapes carry a name; the driver prepares them once per connection and bounds how many it keeps. */
  readonly name?: string
  /** Looks up one row and nothing that grows with the data, so that it takes next to no time wherever it runs. */
  readonly isSmall?: boolean
  /** Bytes that its rows may have; a batch of them where they are streamed. MOST_BYTES unless told. */
  readonly mostBytes?: number
}

/** Rows of one statement that are held at once: a string of JavaScript has at most 512 MiB, and JSON escapes double text. */
export const MOST_BYTES = 256 * 1024 ** 2

export interface QueryOptions {
  /** When nobody waits any more, the statement is cancelled in the database. */
  readonly signal?: AbortFlag
}

/** Runs statements inside one transaction. */
export interface Transaction {
  query(statement: Statement): Promise<readonly Row[]>
}

/** What only reads keeps nobody from writing. */
export type TransactionKind = 'write' | 'read'

export interface Driver {
  query(statement: Statement, options?: QueryOptions): Promise<readonly Row[]>
  /** A write that is its own transaction. A connection that is lost meanwhile leaves its outcome unknown, and that is said. */
  execute(statement: Statement): Promise<readonly Row[]>
  /** Rows in batches from a cursor; memory stays constant however many there are. */
  stream(statement: Statement, options?: QueryOptions): AsyncIterable<readonly Row[]>
  /** `kind` is 'write' unless told. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T>
  /** True while the last thing heard from the database was an answer. */
  readonly isReachable: boolean
  close(): Promise<void>
}

export class DatabaseError extends Error {
  readonly fault: DatabaseFault
  /** The database's own code, for logs only. */
  readonly databaseCode: string | undefined
  /** What the database named in its refusal of a value. */
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

/** Rows that are streamed are fetched in batches of about so many bytes. */
export const BATCH_BYTES = 8 * 1024 ** 2

/** Bytes of rows, about: characters, as they count while rows are held. */
export function bytesOf(rows: readonly Row[]): number {
  let bytes = 0
  for (const row of rows) for (const cell of row) bytes += cell?.length ?? 0
  return bytes
}

export const tooLarge = (mostBytes: number): DatabaseError =>
  new DatabaseError('too-large', `the rows have more than ${mostBytes} bytes`, undefined, { details: { mostBytes } })
