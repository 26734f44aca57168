import { type Schema, type Table, tableOf } from './schema.ts'
import { isMade, type Made, printValue, type Row, rowsOf, settled, type State, type Value, keyOf } from './state.ts'
import { answered } from './values.ts'

/** The stored rows by table, with cells in column order. */
export type Stored = ReadonlyMap<string, readonly (readonly (string | null)[])[]>

const STEPS = 20_000

/** Binds values that the database generated, and records the bindings so that they can be undone. */
function unify(value: Value, cell: string | null, bound: Made[]): boolean {
  const known = settled(value)
  if (!isMade(known)) return known === cell
  if (cell === null) return false
  known.value = cell
  bound.push(known)
  return true
}

const undo = (bound: Made[], from: number): void => {
  for (const made of bound.splice(from)) made.value = null
}

/** Compares the response's items with the expected rows, column by column. Null if they agree. */
export function compareAnswer(
  table: Table,
  rows: readonly Row[],
  items: readonly unknown[],
  order: 'ordered' | 'any',
): string | null {
  if (rows.length !== items.length) return `${items.length} items in the answer, expected ${rows.length}`
  const sorted = order === 'ordered' ? items : inOrderOf(table, rows, items)
  for (const [index, row] of rows.entries()) {
    const item = sorted[index] as Readonly<Record<string, unknown>> | undefined
    for (const { name } of table.columns) {
      const cell = answered(item?.[name])
      if (!unify(row.values.get(name) ?? null, cell, []))
        return `answer ${index}: ${name} is ${JSON.stringify(cell)}, expected ${printValue(row.values.get(name) ?? null)}`
    }
  }
  return null
}

function inOrderOf(table: Table, rows: readonly Row[], items: readonly unknown[]): unknown[] {
  const keyText = (cells: readonly (string | null)[]) => JSON.stringify(cells)
  const byKey = new Map(
    items.map((item) => [
      keyText(table.key.map((name) => answered((item as Readonly<Record<string, unknown>>)[name]))),
      item,
    ]),
  )
  return rows.map((row) => byKey.get(keyText(keyOf(row, table).map((part) => (isMade(part) ? null : part)))))
}

/** Compares the expected rows with the stored rows and binds all generated values. Null if they agree. */
export function compareRows(schema: Schema, state: State, actual: Stored): string | null {
  const open: { table: Table; row: Row }[] = []
  const left = new Map([...actual].map(([name, rows]) => [name, new Set(rows)]))
  for (const [name, rows] of state) {
    const table = tableOf(schema, name)
    const found = actual.get(name) ?? []
    if (found.length !== rows.length) return `${name} has ${found.length} rows, expected ${rows.length}`
    open.push(...rows.map((row) => ({ table, row })))
  }
  // Rows with known keys bind the generated values that they reference.
  const isKeyMade = ({ table, row }: (typeof open)[number]) => keyOf(row, table).some(isMade)
  const ordered = [...open.filter((entry) => !isKeyMade(entry)), ...open.filter(isKeyMade)]
  const bound: Made[] = []
  let steps = 0
  let deepest = 0
  let reason = ''
  const match = (index: number): boolean => {
    const entry = ordered[index]
    if (entry === undefined) return true
    const { table, row } = entry
    for (const cells of Array.from(left.get(table.name) ?? [])) {
      if ((steps += 1) > STEPS) throw new Error('too many rows look alike')
      const from = bound.length
      if (table.columns.every(({ name }, at) => unify(row.values.get(name) ?? null, cells[at] ?? null, bound))) {
        left.get(table.name)?.delete(cells)
        if (match(index + 1)) return true
        left.get(table.name)?.add(cells)
      }
      undo(bound, from)
    }
    if (index >= deepest) {
      deepest = index
      reason = `${table.name}: no row ${printRow(row)}`
    }
    return false
  }
  return match(0) ? null : reason
}

const printRow = (row: Row): string => [...row.values].map(([name, value]) => `${name}=${printValue(value)}`).join(' ')

/** The state with all generated values replaced by their plain values. */
export const plainState = (state: State): State =>
  new Map(
    [...state].map(([name, rows]) => [
      name,
      rows.map((row): Row => ({
        id: row.id,
        values: new Map([...row.values].map(([column, value]) => [column, settled(value)])),
      })),
    ]),
  )

/** Converts the stored rows to a state, where the contract leaves the outcome open. */
export function stateOf(
  schema: Schema,
  before: State,
  actual: Stored,
  make: (values: Map<string, Value>) => Row,
): State {
  return new Map(
    [...schema.tables.values()].map((table) => {
      const rows = (actual.get(table.name) ?? []).map((cells) => {
        const values = new Map<string, Value>(table.columns.map(({ name }, at) => [name, cells[at] ?? null]))
        const row = make(values)
        const old = rowsOf(before, table.name).find((other) =>
          table.key.every((part) => settled(other.values.get(part) ?? null) === settled(row.values.get(part) ?? null)),
        )
        return old === undefined ? row : { id: old.id, values }
      })
      return [table.name, rows]
    }),
  )
}
