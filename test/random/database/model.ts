/** The random database as plain values. Nothing here is shared with the server. */
export type ColumnType =
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'real'
  | 'text'
  | 'varchar'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'json'
  | 'jsonb'
  | 'uuid'
  | 'integer[]'
  | 'text[]'
  | 'enum'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * One stored value. numeric: a bigint of ten-thousandths; date: days; time, timestamp, timestamptz: microseconds. JSON
 * and arrays are wrapped, so that the JSON value null differs from the SQL NULL.
 */
export type Cell = null | number | bigint | string | boolean | { readonly json: Json }

export interface EnumType {
  readonly name: string
  readonly values: readonly string[]
}

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  readonly identity: boolean
  readonly enumType: EnumType | null
}

export interface ForeignKey {
  readonly columns: readonly string[]
  /** Collection name of the referenced table. */
  readonly target: string
  readonly targetColumns: readonly string[]
}

/** A map instead of an object: a column may be called `__proto__`. */
export type Row = ReadonlyMap<string, Cell>

export interface Table {
  readonly schema: string
  readonly name: string
  readonly collection: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Single columns with a unique constraint besides the key. */
  readonly uniques: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
}

/** Pairs of columns that must be equal: `near` of this row, `far` of the other table. */
export interface Link {
  readonly near: readonly string[]
  readonly far: readonly string[]
}

export type Relation =
  | {
      readonly kind: 'one'
      readonly field: string
      readonly target: string
      readonly link: Link
      /** False for a composite foreign key: its field is not a column. */
      readonly isColumn: boolean
    }
  | {
      readonly kind: 'many'
      readonly field: string
      readonly target: string
      readonly link: Link
      /** Declared in the metadata, and so part of `*`. */
      readonly isDeclared?: true
    }
  | {
      readonly kind: 'through'
      readonly field: string
      readonly target: string
      readonly junction: string
      /** From the row to the junction. */
      readonly link: Link
      /** From the junction to the far table. */
      readonly onward: Link
    }

/** A column that stores keys of several collections, and the column that names the collection. */
export interface AnyRelation {
  readonly field: string
  readonly collectionColumn: string
  readonly allowed: readonly string[]
}

/** The databases that the random schemas are created in. */
export const dialects = ['postgres', 'mysql', 'sqlite'] as const

export type Dialect = (typeof dialects)[number]

export interface Model {
  readonly dialect: Dialect
  readonly enums: readonly EnumType[]
  readonly tables: ReadonlyMap<string, Table>
  readonly rows: ReadonlyMap<string, readonly Row[]>
  /** Collection, then field name. */
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, Relation>>
  /** Many-to-any fields, by collection. */
  readonly anys?: ReadonlyMap<string, AnyRelation>
}

export function tableOf(model: Model, collection: string): Table {
  const table = model.tables.get(collection)
  if (table === undefined) throw new Error(`no collection ${collection}`)
  return table
}

export function columnOf(table: Table, name: string): Column {
  const column = table.columns.find((candidate) => candidate.name === name)
  if (column === undefined) throw new Error(`no column ${table.collection}.${name}`)
  return column
}

export function relationOf(model: Model, collection: string, field: string): Relation {
  const relation = model.relations.get(collection)?.get(field)
  if (relation === undefined) throw new Error(`no relation ${collection}.${field}`)
  return relation
}

export function anyOf(model: Model, collection: string): AnyRelation {
  const any = model.anys?.get(collection)
  if (any === undefined) throw new Error(`no many-to-any field in ${collection}`)
  return any
}

const INCOMPARABLE: ReadonlySet<ColumnType> = new Set(['json', 'jsonb', 'integer[]', 'text[]'])

export function isComparable(type: ColumnType): boolean {
  return !INCOMPARABLE.has(type)
}
