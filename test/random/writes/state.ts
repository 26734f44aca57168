import type { Schema, Table } from './schema.ts'

/** A value that the database generates; known once the request has been answered. */
export interface Made {
  readonly made: number
  value: string | null
}

/** Values as the database prints them. */
export type Value = string | null | Made

export interface Row {
  /** The same in all copies of a state. */
  readonly id: number
  readonly values: Map<string, Value>
}

/** Rows by table, in insertion order. */
export type State = ReadonlyMap<string, Row[]>

let count = 0
export const newRow = (values: Map<string, Value>): Row => ({ id: (count += 1), values })
export const newMade = (): Made => ({ made: (count += 1), value: null })

export const isMade = (value: Value): value is Made => typeof value === 'object' && value !== null

export const settled = (value: Value): Value => (isMade(value) && value.value !== null ? value.value : value)

export const isSame = (a: Value, b: Value): boolean => settled(a) === settled(b)

export const emptyState = (schema: Schema): State => new Map([...schema.tables.keys()].map((name) => [name, []]))

export const rowsOf = (state: State, table: string): Row[] => state.get(table) ?? []

export const copyState = (state: State): State =>
  new Map(
    [...state].map(([name, rows]) => [name, rows.map((row): Row => ({ id: row.id, values: new Map(row.values) }))]),
  )

export const valueOf = (row: Row, column: string): Value => settled(row.values.get(column) ?? null)

export const valuesOf = (row: Row, columns: readonly string[]): Value[] => columns.map((name) => valueOf(row, name))

export const keyOf = (row: Row, table: Table): Value[] => valuesOf(row, table.key)

export const areSame = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.every((value, index) => isSame(value, b[index] ?? null))

export const findRow = (
  state: State,
  table: string,
  columns: readonly string[],
  values: readonly Value[],
): Row | undefined => rowsOf(state, table).find((row) => areSame(valuesOf(row, columns), values))

/** For messages: the rows of each table as text. */
export const printState = (state: State): Record<string, string[]> =>
  Object.fromEntries(
    [...state].map(([name, rows]) => [
      name,
      rows.map((row) => [...row.values].map(([column, value]) => `${column}=${printValue(value)}`).join(' ')),
    ]),
  )

export const printValue = (value: Value): string => {
  const known = settled(value)
  return isMade(known) ? '<made>' : known === null ? 'null' : JSON.stringify(known)
}
