import type { Payload, Run } from './run-state.ts'
import type { Table } from './schema.ts'
import type { Row } from './state.ts'

/** Checks the caller's permissions before each row is touched, and throws if they are missing. */
export interface Guard {
  /** Throws if the caller may perform none of the actions on the table. */
  begin(run: Run, table: Table, actions: readonly ('create' | 'update' | 'delete')[]): void
  /**
   * Checks a new row; the position in the payload fills the `placed` columns. Returns values to write besides the
   * payload.
   */
  create(run: Run, table: Table, payload: Payload, placed: readonly string[]): Payload
  /** Checks a change of an existing row by the payload and by the columns that its position in the payload fills. */
  update(run: Run, table: Table, row: Row, payload: Payload, placed: readonly string[]): Payload
  /** Checks a row that leaves its list: these columns become NULL. */
  empty(run: Run, table: Table, row: Row, columns: readonly string[]): void
  remove(run: Run, table: Table, row: Row): void
  /** Checks a row that is referenced and stays unchanged. */
  link(run: Run, table: Table, row: Row): void
  /** Handles a key that matches no row. */
  miss(run: Run, table: Table): void
  /** Whether the row is visible when its list is replaced or a query selects it. */
  sees(run: Run, table: Table, row: Row): boolean
  /** Checks the columns that a query uses. */
  query(run: Run, table: Table, columns: readonly string[]): void
  /** Whether a query by this column finds the row. */
  shows(run: Run, table: Table, row: Row, column: string): boolean
}

const nothing: Payload = {}

/** Allows everything to every caller. */
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
