/** The result of introspection as plain values: the same for every dialect, before metadata is applied. */
export interface DatabaseSchema {
  /** Tables of this schema become collections without a schema prefix in their name. */
  readonly defaultSchema: string
  readonly tables: readonly DatabaseTable[]
  /** Tables and columns that exist but cannot be served, with the reason. */
  readonly hidden: readonly HiddenObject[]
}

export interface HiddenObject {
  readonly schema: string
  readonly table: string
  /** null when the whole table is hidden. */
  readonly column: string | null
  readonly reason: string
}

export type TableKind = 'table' | 'partitioned' | 'view' | 'materialized-view' | 'foreign'

export interface DatabaseTable {
  readonly schema: string
  readonly name: string
  readonly kind: TableKind
  readonly comment: string | null
  readonly columns: readonly DatabaseColumn[]
  /** Columns of the primary key in key order; empty when there is none. */
  readonly primaryKey: readonly string[]
  /**
   * Columns of the server that tell apart rows with one primary key. Absent: the primary key is unique. It is not in a
   * table that others inherit from.
   */
  readonly beyondKey?: readonly DatabaseColumn[]
  /** Column sets of unique constraints and of full unique indexes over plain columns, the primary key included. */
  readonly uniques: readonly (readonly string[])[]
  /** Leading columns of the other indexes. */
  readonly indexed: readonly string[]
  readonly foreignKeys: readonly DatabaseForeignKey[]
  /** True when the connected role can read only some of the columns. */
  readonly isPartlyReadable?: boolean
  /** A trigger or rule may fill, change or skip inserted rows. */
  readonly hasInsertTrigger?: boolean
  /** False when a rollback does not undo writes to the table. */
  readonly isTransactional?: boolean
  /** Privileges of the connected role on the table. */
  readonly privileges: { readonly insert: boolean; readonly update: boolean; readonly delete: boolean }
}

export type Comparison = '=' | '<' | '<=' | '>' | '>='

/**
 * The functions and operators of a type of an extension, with their schemas, quoted by the database. Sessions need not
 * have that schema in their search path.
 */
export interface OwnNames {
  readonly schema: string
  /** null if values are compared by operators of the system: of another type, or as text. */
  readonly operators: Readonly<Record<Comparison, string>> | null
  /** The aggregates among `min` and `max`. */
  readonly aggregates: readonly string[]
}

export interface DatabaseColumn {
  readonly name: string
  /**
   * As in the SQL standard's information schema: `character varying`, `integer[]`. A domain has its base type, an enum
   * its own name.
   */
  readonly dataType: string
  /** The type name for casts, with schema if needed, quoted by the database. It comes only from the catalogue. */
  readonly castType: string
  /** Internal name of the type below all domains: `int4`, `varchar`, `_int4`. For enums it is the name of the enum. */
  readonly baseType: string
  readonly enumValues: readonly string[] | null
  /** For arrays, the internal name of the element type below all domains. */
  readonly elementType: string | null
  /** The type has ordering and equality operators, so values can be compared and sorted directly. */
  readonly isComparable: boolean
  /** Absent: every function and operator that the type needs is one of the system. */
  readonly ownNames?: OwnNames
  /** The column has no declared type. Each value has its own type, so any of them may be a number. */
  readonly isUntyped?: boolean
  /** Bits of the values of an integer column, the sign included, if they may be more than 32. */
  readonly integerBits?: number
  /** The year from which numbers in a timestamp column count seconds; absent: 1970, in the unit that their size tells. */
  readonly epoch?: 2001
  /** A boolean column in which the database also stores whole numbers other than 0 and 1. */
  readonly holdsNumbers?: boolean
  readonly isNullable: boolean
  /** The default expression as the database prints it. */
  readonly defaultExpression: string | null
  readonly maxLength: number | null
  readonly numericPrecision: number | null
  readonly numericScale: number | null
  readonly generationExpression: string | null
  readonly identity: 'always' | 'by default' | null
  /** An identity column, or a column whose default takes the next value of a sequence. */
  readonly hasAutoIncrement: boolean
  readonly comment: string | null
}

export type ReferentialAction = 'NO ACTION' | 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT'

export interface DatabaseForeignKey {
  readonly name: string
  readonly columns: readonly string[]
  readonly toSchema: string
  readonly toTable: string
  readonly toColumns: readonly string[]
  readonly onUpdate: ReferentialAction
  readonly onDelete: ReferentialAction
}
