import type { TableRef } from './ddl.ts'
import type { Row, Statement } from './driver.ts'

export type RunStatement = (statement: Statement) => Promise<readonly Row[]>

/** A setting of the server or of the file that does not suit the service, and how it is corrected. */
export interface ServerAdvice {
  readonly level: 'warning' | 'problem'
  readonly text: string
  readonly fix: string
}

/** Statements that examine a database. None of them writes. */
export interface DiagnosisStatements {
  /** Returns the version as the server prints it. */
  readonly version: Statement
  /** The oldest version that is needed, if this one is older; null if it is supported. */
  readonly unsupported: (version: string) => string | null
  /** Returns the time in milliseconds since 1970; null if the database has no clock besides this machine's. */
  readonly clock: Statement | null
  /**
   * Returns how many connections the server accepts, how many of them are reserved, and how many are in use by programs
   * other than the service; null if there is no such limit.
   */
  readonly connections: Statement | null
  /** Returns from how many addresses services are connected now, as far as the server can tell; null if there is one at most. */
  readonly replicas: Statement | null
  /** Connections of one process of the service besides its pool. */
  readonly furtherConnections: number
  /** Identifies the session on the server; null if no pooler can be in between. */
  readonly session: Statement | null
  /** Returns schema and name of large tables without statistics; null if the database needs none. */
  readonly unanalysed: Statement | null
  readonly analyse: (table: TableRef) => string
  /** Makes a transaction read-only as its first statement, and the error code of a write in it. */
  readonly readOnly: { readonly begin: Statement; readonly refusal: string }
  /** Reads one row, with all its columns. A view may call functions that write, so it needs `readOnly`. */
  readonly readOne: (table: TableRef) => Statement
  readonly createIndex: (table: TableRef, columns: readonly string[]) => string
  /** Returns the statement that lets the role read; null if the catalogue does not show tables that the role may not read; hidden objects are failing views then. */
  readonly grantSelect: ((table: TableRef) => Statement) | null
  /**
   * Returns tables with row level security (`subject` or `bypassed`, and the name) and schemas that the role may not use
   * (`closed`, the name, how many relations, the statement that opens it); null: the database has neither.
   */
  readonly unserved: ((systemSchema: string, schemas: readonly string[] | null) => Statement) | null
  readonly addKey: (table: TableRef) => string
  /** Further settings of this kind of database. `payload` is the largest request body in bytes. */
  readonly advice: (run: RunStatement, payload: number) => Promise<readonly ServerAdvice[]>
}
