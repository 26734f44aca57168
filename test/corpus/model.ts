// The database as its own catalogue describes it, read without the service.
import type { TestDialect } from '../lib/databases.ts'

export interface Column {
  readonly name: string
  /** As the catalogue prints it, with its limits. */
  readonly type: string
  /** Without limits and domains, in lower case. */
  readonly base: string
  /** The element type of an array. */
  readonly element: string | null
  readonly isEnum: boolean
  readonly isNullable: boolean
  readonly isGenerated: boolean
  /** The database generates values; `always` rejects others. */
  readonly identity: 'always' | 'default' | null
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly to: Table
  readonly toColumns: readonly string[]
}

export interface Table {
  readonly schema: string | null
  readonly name: string
  /** The collection name according to the contract: `schema.table` outside the default schema. */
  readonly collection: string
  /** The quoted name, for statements. */
  readonly sql: string
  readonly kind: 'table' | 'view'
  /** Partitions and objects of extensions are not served. */
  readonly isHidden: boolean
  readonly isTransactional: boolean
  /** False if the database server does not allow altering the table. */
  readonly isAlterable: boolean
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
}

export type Cell = string | number | bigint | Buffer | null

export type Attempt =
  | { readonly ok: true; readonly rows: readonly (readonly Cell[])[] }
  | { readonly ok: false; readonly message: string }

/** Plain SQL on the same database, with the values that the contract specifies. */
export interface Plain {
  readonly dialect: TestDialect
  readonly tables: readonly Table[]
  readonly rows: (statement: string) => Promise<readonly (readonly Cell[])[]>
  /** Runs the statements in a transaction, rolls it back and returns the rows of the last statement. */
  readonly attempt: (statements: readonly string[]) => Promise<Attempt>
  readonly quote: (name: string) => string
  /** Quotes text as a literal. */
  readonly literal: (text: string) => string
  /** The expression that reads a column for `wire`; `from` is an alias of the table. */
  readonly select: (column: Column, from?: string) => string
  /** The JSON value that the contract specifies. */
  readonly wire: (column: Column, cell: Cell) => unknown
  /** The field type that the contract specifies. */
  readonly fieldType: (column: Column) => string
  /** The expression used for comparison: types without an order compare by their text. */
  readonly comparable: (column: Column, expression: string) => string
  readonly isNull: (column: Column, expression: string) => string
  /** NULL is the largest value. */
  readonly order: (expression: string, isDescending: boolean) => string
  /** A digest of all rows. */
  readonly digest: (table: Table) => Promise<string>
  /** All catalogue entries of the user's schema, one per line. */
  readonly structure: () => Promise<readonly string[]>
  /** Runs statements and commits them. */
  readonly execute: (statements: readonly string[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** A value that the contract leaves open. */
export const anything = Symbol('anything')

export const columnOf = (table: Table, name: string): Column => {
  const found = table.columns.find((column) => column.name === name)
  if (found === undefined) throw new Error(`${table.collection} has no column ${name}`)
  return found
}

export const keyColumns = (table: Table): readonly Column[] => table.key.map((name) => columnOf(table, name))

/** A text that is the same for equal JSON values, regardless of member order. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'undefined'

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
}

export const isSame = (got: unknown, expected: unknown): boolean =>
  expected === anything || canonical(got) === canonical(expected)
