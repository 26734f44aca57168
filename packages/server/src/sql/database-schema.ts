/** What introspection finds, as plain values: the same for every dialect, before any metadata is laid over it. */
export interface DatabaseSchema {
  /** Tables of this schema are collections under their bare name. */
  readonly defaultSchema: string
  readonly tables: readonly DatabaseTable[]
  /** What exists but cannot be served, and why. */
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
  /** Column sets of unique constraints and of full unique indexes over plain columns, the primary key included. */
  readonly uniques: readonly (readonly string[])[]
  /** Columns that lead an index that is not unique. */
  readonly indexed: readonly string[]
  readonly foreignKeys: readonly DatabaseForeignKey[]
  /** True when the connected role may read some of the columns only. */
  readonly isPartlyReadable?: boolean
  /** A trigger or rule may fill, change or skip rows that are inserted. */
  readonly hasInsertTrigger?: boolean
  /** False when a rollback leaves what was written to the table. */
  readonly isTransactional?: boolean
  /** What the connected role may do with the table. */
  readonly privileges: { readonly insert: boolean; readonly update: boolean; readonly delete: boolean }
}

export interface DatabaseColumn {
  readonly name: string
  /** As the standard's information schema spells it: `character varying`, `integer[]`; domains like their base, enums by name. */
  readonly dataType: string
  /** The type's full name with schema where needed, quoted by the database: what a cast says. From the catalogue only. */
  readonly castType: string
  /** Internal name of the type under all domains: `int4`, `varchar`, `_int4`; for enums the enum's own. */
  readonly baseType: string
  readonly enumValues: readonly string[] | null
  /** For arrays, the internal name of the element's type under all domains. */
  readonly elementType: string | null
  /** The type has an order and an equality of its own, so values can be compared and sorted as they are. */
  readonly isComparable: boolean
  /** The column has no type: every value brings its own, so that any of them may be a number. */
  readonly isUntyped?: boolean
  readonly isNullable: boolean
  /** The default's expression as the database prints it. */
  readonly defaultExpression: string | null
  readonly maxLength: number | null
  readonly numericPrecision: number | null
  readonly numericScale: number | null
  readonly generationExpression: string | null
  readonly identity: 'always' | 'by default' | null
  /** An identity column, or one whose default draws from a sequence. */
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
