import type { Payload, Run } from './run-state.ts'
import type { Table } from './schema.ts'
import type { Row } from './state.ts'

/** Who asks, and what that means for each row: asked before the row is touched, throws what refuses. */
export interface Guard {
  /** Whether anybody may do one of these to the table at all. */
  begin(run: Run, table: Table, actions: readonly ('create' | 'update' | 'delete')[]): void
  /** A new row; `placed` are the columns that its place in the payload fills. Gives what is written beyond the payload. */
  create(run: Run, table: Table, payload: Payload, placed: readonly string[]): Payload
  /** A row that is there, changed in what the payload says and in the columns that its place fills. */
  update(run: Run, table: Table, row: Row, payload: Payload, placed: readonly string[]): Payload
  /** A row that leaves its list, and so has these columns emptied. */
  empty(run: Run, table: Table, row: Row, columns: readonly string[]): void
  remove(run: Run, table: Table, row: Row): void
  /** A row that is named and stays as it is. */
  link(run: Run, table: Table, row: Row): void
  /** A key that leads to nothing. */
  miss(run: Run, table: Table): void
  /** Whether a row counts as there, when its list is given anew or a query looks for it. */
  sees(run: Run, table: Table, row: Row): boolean
  /** Columns that a query looks at. */
  query(run: Run, table: Table, columns: readonly string[]): void
  /** A row that a query finds, as far as this column is open. */
  shows(run: Run, table: Table, row: Row, column: string): boolean
}

const nothing: Payload = {}

/** Everybody may do everything. */
export const openGuard: Guard = {
  begin: () => undefined,
  create: () => nothing,
  update: () => nothing,
  empty: () => undefined,
  remove: () => undefined,
  link: () => undefined,
  miss: () => undefined,
  sees: () => true,
  query: () => undefined,
  shows: () => true,
}
