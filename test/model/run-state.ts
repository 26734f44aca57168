import { columnOf, type Schema, type Table, tableOf, type ToMany } from './schema.ts'
import { findRow, newRow, type Row, rowsOf, type State, type Value, isSame, newMade } from './state.ts'
import type { Guard } from './guard.ts'
import { Refused, stored } from './values.ts'

export type Payload = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Children that leave a relation, found once everything has been written. */
export interface Removal {
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: Row
  readonly parentColumns: readonly string[]
  readonly action: 'delete' | 'nullify'
  /** Ids of rows: all but these, or only these. */
  readonly which: { readonly kind: 'others' | 'named'; readonly ids: ReadonlySet<number> }
}

/** One request while it is being worked out. */
export interface Run {
  readonly schema: Schema
  readonly before: State
  readonly after: State
  readonly created: Set<number>
  /** Row and column → the value and the item of the request that wrote it. */
  readonly writes: Map<string, { readonly item: number; readonly value: Value }>
  /** Rows that the request leans on without changing them. */
  readonly linked: Set<number>
  /** Row and column of foreign keys that were given as plain keys. */
  readonly scalars: Set<string>
  readonly removals: Removal[]
  /** Tables with rows that are new or got another key by themselves, and junctions that were written through. */
  readonly direct: Set<string>
  readonly joined: Set<string>
  /** Rows whose key a parent has given. */
  readonly moved: Set<number>
  readonly lists: Set<string>
  /** Lists whose order was continued, after what. */
  readonly orders: { readonly parent: Row; readonly relation: ToMany; readonly largest: number }[]
  /** Why the database may refuse on the way what would be right in the end. */
  readonly mayRefuse: Set<string>
  /** Why the contract does not say what happens. */
  readonly open: Set<string>
  item: number
  readonly guard: Guard
}

export const cellId = (row: Row, column: string): string => `${row.id}.${column}`

/** A row by its key, as it was before the request. */
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
  // What is wrong only on the way need not be let through.
  if (earlier !== undefined && !isSame(earlier.value, value)) run.mayRefuse.add('one value is written twice')
  if (table.key.includes(column) && !isSame(row.values.get(column) ?? null, value)) run.direct.add(table.name)
  run.writes.set(id, { item: run.item, value })
  row.values.set(column, value)
}

/** A new row with defaults, checked for what must be given. */
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

/** A key in a body or an address: one value, the parts as one text, or an object with all parts. */
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

/** What cannot be a key is the key of nothing. */
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

/** The key inside an object, when all its parts are there. */
export function keyIn(payload: Payload, table: Table): string[] | null {
  const parts = table.key.map((name) => payload[name])
  if (parts.some((part) => part === undefined || part === null || isObject(part))) return null
  return parts.map((part, index) => keyText(table, index, part))
}

export const target = (run: Run, name: string): Table => tableOf(run.schema, name)
