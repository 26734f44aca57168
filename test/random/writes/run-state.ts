import { columnOf, type Schema, type Table, tableOf, type ToMany } from './schema.ts'
import { findRow, newRow, type Row, rowsOf, type State, type Value, isSame, newMade } from './state.ts'
import type { Guard } from './guard.ts'
import type { Order } from './orders.ts'
import { Refused, stored } from './values.ts'

export type Payload = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asPayload = (value: unknown): Payload => {
  if (!isObject(value)) throw new Refused(400, 'an item is no object')
  return value
}

/** Children that leave a relation; evaluated after all writes. */
export interface Removal {
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: Row
  readonly parentColumns: readonly string[]
  readonly action: 'delete' | 'nullify'
  /** Row ids: all rows except these, or only these. */
  readonly which: { readonly kind: 'others' | 'named'; readonly ids: ReadonlySet<number> }
}

/** The state of one request during prediction. */
export interface Run {
  readonly schema: Schema
  readonly before: State
  readonly after: State
  readonly created: Set<number>
  /** Maps row and column to the value and to the item of the request that wrote it. */
  readonly writes: Map<string, { readonly item: number; readonly value: Value }>
  /** Rows that the request references without changing them. */
  readonly linked: Set<number>
  /** Rows and columns of foreign keys given as plain keys. */
  readonly scalars: Set<string>
  readonly removals: Removal[]
  /**
   * `direct`: tables with rows that are new or whose own key changed. `joined`: junctions written through a relation.
   */
  readonly direct: Set<string>
  readonly joined: Set<string>
  /** Rows whose key comes from a parent. */
  readonly moved: Set<number>
  readonly lists: Set<string>
  /** Lists whose order was continued, with the order before. */
  readonly orders: { readonly parent: Row; readonly relation: ToMany; readonly order: Order }[]
  /** Reasons why the database may reject an intermediate state although the final state is valid. */
  readonly mayRefuse: Set<string>
  /** Reasons why the contract does not define the outcome. */
  readonly open: Set<string>
  item: number
  readonly guard: Guard
}

export const cellId = (row: Row, column: string): string => `${row.id}.${column}`

/** Finds a row by its key before the request. */
export function existing(run: Run, table: Table, key: readonly string[]): Row | undefined {
  const found = findRow(run.before, table.name, table.key, key)
  if (found !== undefined) return rowsOf(run.after, table.name).find(({ id }) => id === found.id)
  const fresh = findRow(run.after, table.name, table.key, key)
  if (fresh !== undefined) run.open.add('a key of a row that the request itself creates')
  return undefined
}

export function mustExist(run: Run, table: Table, key: readonly string[]): Row {
  const row = existing(run, table, key)
  if (row === undefined) throw new Refused(403, `${table.name} ${key.join(',')} does not exist`)
  return row
}

export function setValue(run: Run, table: Table, row: Row, column: string, value: Value): void {
  const id = cellId(row, column)
  const earlier = run.writes.get(id)
  if (earlier !== undefined && earlier.item === run.item && !isSame(earlier.value, value))
    run.open.add('one value is written twice')
  // The database may reject an invalid intermediate state.
  if (earlier !== undefined && !isSame(earlier.value, value)) run.mayRefuse.add('one value is written twice')
  if (table.key.includes(column) && !isSame(row.values.get(column) ?? null, value)) run.direct.add(table.name)
  run.writes.set(id, { item: run.item, value })
  row.values.set(column, value)
}

/** Adds a row with defaults and checks for missing required values. */
export function addRow(run: Run, table: Table, values: ReadonlyMap<string, Value>): Row {
  const all = new Map(table.columns.map((column) => [column.name, values.get(column.name) ?? null]))
  for (const { name, fill, nullable } of table.columns) {
    if (!values.has(name) && fill !== 'none')
      all.set(name, fill === 'counter' || fill === 'uuid' ? newMade() : fill.value)
    if (all.get(name) === null && !nullable) throw new Refused(400, `${table.name}.${name} may not be null`)
  }
  const row = newRow(all)
  rowsOf(run.after, table.name).push(row)
  run.created.add(row.id)
  return row
}

/** A key in a body or URL: one value, all parts as one text, or an object with all parts. */
export function keyParts(key: unknown, table: Table): string[] {
  const parts = isObject(key) ? partsOfObject(key, table) : partsOfText(key, table)
  if (parts.length !== table.key.length) throw new Refused(403, 'a key with the wrong number of parts')
  return parts.map((part, index) => keyText(table, index, part))
}

function partsOfObject(key: Payload, table: Table): unknown[] {
  return Object.keys(key).length === table.key.length ? table.key.map((name) => key[name]) : []
}

const partsOfText = (key: unknown, table: Table): unknown[] =>
  table.key.length === 1 ? [key] : String(key).split(',').map(decodeURIComponent)

/** An invalid key is treated like the key of a missing row. */
function keyText(table: Table, index: number, part: unknown): string {
  const column = columnOf(table, table.key[index] ?? '')
  try {
    const text = column === undefined ? null : stored(column, part)
    if (text !== null) return text
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  throw new Refused(403, `${JSON.stringify(part)} is no key of ${table.name}`)
}

/** The key inside an object, if it has all parts. */
export function keyIn(payload: Payload, table: Table): string[] | null {
  const parts = table.key.map((name) => payload[name])
  if (parts.some((part) => part === undefined || part === null || isObject(part))) return null
  return parts.map((part, index) => keyText(table, index, part))
}

export const target = (run: Run, name: string): Table => tableOf(run.schema, name)
