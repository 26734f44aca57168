import type { FieldType } from '@tain/contract'
import type { DatabaseColumn, ReferentialAction } from './database-schema.ts'
import type { DatabaseError, Statement } from './driver.ts'

/** A table by its schema and its name. */
export interface TableRef {
  readonly schema: string
  readonly table: string
}

/** Field types that a column can be made of. */
export type ColumnType = Exclude<FieldType, 'alias' | 'unknown'>

/** What a column holds: a field type with its limits, where it has any. */
export interface ColumnForm {
  readonly type: ColumnType
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** The database's own name of the type, where that says more than the field type; a limit of null is none then. */
  readonly native?: string
}

/** A type of the database that columns can be made of by its own name. */
export interface NativeType {
  /** What a column of it is without metadata. */
  readonly fieldType: FieldType
  /** Which limits it can have. */
  readonly limit: 'length' | 'digits' | null
  /** What its values are in JSON. */
  readonly values: 'number' | 'boolean' | 'json' | 'text'
}

/** A column's type as introspection describes it. */
export interface DescribedType {
  readonly dataType: string
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
}

/** A plain value as text in the column's own spelling, or one of the few expressions there are. */
export type ColumnDefault =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'now' }
  | { readonly kind: 'uuid' }

export interface ColumnDefinition {
  readonly name: string
  readonly form: ColumnForm
  readonly isNullable: boolean
  readonly default: ColumnDefault | null
  /** The database counts up by itself. */
  readonly isCounter: boolean
}

/** Everything that schema management does to a database. Statements are made of these and of nothing else. */
export type SchemaChange =
  | {
      readonly kind: 'create-table'
      readonly table: TableRef
      readonly columns: readonly ColumnDefinition[]
      readonly key: readonly string[]
    }
  | { readonly kind: 'drop-table'; readonly table: TableRef }
  /** Refuses everything where the table has rows, or the column values; goes with what is dropped after it. */
  | {
      readonly kind: 'check-empty'
      readonly table: TableRef
      readonly column: string | null
      readonly name: string
    }
  | { readonly kind: 'comment-table'; readonly table: TableRef; readonly comment: string | null }
  | { readonly kind: 'add-column'; readonly table: TableRef; readonly column: ColumnDefinition }
  | { readonly kind: 'drop-column'; readonly table: TableRef; readonly column: string }
  | {
      readonly kind: 'set-type'
      readonly table: TableRef
      readonly column: string
      readonly from: DatabaseColumn
      readonly to: ColumnForm
      /** Taken away before and set again after; 'kept' leaves it to the database. */
      readonly default: ColumnDefault | null | 'kept'
    }
  | {
      readonly kind: 'set-default'
      readonly table: TableRef
      readonly column: string
      readonly form: ColumnForm
      readonly default: ColumnDefault | null
    }
  | { readonly kind: 'set-not-null'; readonly table: TableRef; readonly column: string; readonly name: string }
  | { readonly kind: 'drop-not-null'; readonly table: TableRef; readonly column: string }
  | {
      readonly kind: 'comment-column'
      readonly table: TableRef
      readonly column: string
      readonly comment: string | null
    }
  | { readonly kind: 'add-index'; readonly table: TableRef; readonly column: string; readonly name: string }
  | { readonly kind: 'drop-index'; readonly table: TableRef; readonly name: string }
  | { readonly kind: 'add-unique'; readonly table: TableRef; readonly column: string; readonly name: string }
  | { readonly kind: 'drop-constraint'; readonly table: TableRef; readonly name: string }
  | {
      readonly kind: 'add-foreign-key'
      readonly table: TableRef
      readonly column: string
      readonly name: string
      readonly to: TableRef
      readonly toColumn: string
      /** Further pairs of columns, where the key has several. */
      readonly rest?: readonly (readonly [column: string, toColumn: string])[]
      readonly onDelete: ReferentialAction
      readonly onUpdate: ReferentialAction
    }

export type Lock = 'ACCESS EXCLUSIVE' | 'SHARE ROW EXCLUSIVE' | 'SHARE' | 'SHARE UPDATE EXCLUSIVE'

/** One statement with what it costs others. */
export interface DdlStatement {
  readonly statement: Statement
  readonly table: TableRef
  readonly lock: Lock
  readonly rewrites: boolean
  readonly scans: boolean
}

/** Something that is made ahead of the change itself, so that nobody waits while it takes its time. */
export interface Preparation extends DdlStatement {
  /** Cannot run inside a transaction. */
  readonly isOutside: boolean
  /** What it makes; null when it goes on with what an earlier one made. */
  readonly makes: PreparedObject | null
}

/** An unfinished object, by which it can be taken back. */
export interface PreparedObject {
  /** A statement is what takes it back, and stands in place of a name. */
  readonly kind: 'column' | 'index' | 'constraint' | 'statement'
  readonly table: TableRef
  readonly name: string
}

export interface DdlPlan {
  readonly preparations: readonly Preparation[]
  /** In one transaction with everything that belongs to the change. */
  readonly statements: readonly DdlStatement[]
  /** Clears away what the change has put aside, once it is certain; each may be run again. */
  readonly afterwards?: readonly DdlStatement[]
}

/** A table as the database prints it; null when there is none. */
export type PrintedTable = (table: TableRef) => string | null

/** Counts what refuses a change: one row with one number and, where they have names, what they are called. */
export interface Obstacle {
  readonly kind:
    | 'not-permitted'
    | 'null'
    | 'duplicate'
    | 'dangling'
    | 'too-long'
    | 'out-of-range'
    | 'inconvertible'
    | 'dependent'
    | 'populated'
  readonly table: TableRef
  readonly column: string | null
  readonly count: Statement
}

/** Why the database refused, where its code says more than that it did. */
export type DdlFault =
  | 'dependent'
  | 'exists'
  | 'not-permitted'
  | 'unsupported'
  /** The table keeps its history, which a change would rewrite. */
  | 'versioned'
  /** A virtual table: its module decides on its columns. */
  | 'virtual'
  /** The table takes only the database's own few types. */
  | 'strict'
  | 'mismatch'
  | 'missing'
  | 'too-many'

/** How one database changes its structure. */
export interface DdlStatements {
  /** Names that no column can have. */
  readonly reservedColumns: ReadonlySet<string>
  /** Longest name, in bytes. */
  readonly nameLength: number
  /** null for types that no column is made of here. */
  readonly nativeType: (dataType: string) => NativeType | null
  /** What introspection will say of a column of this form. */
  readonly described: (form: ColumnForm) => DescribedType
  /** Prints the definition of a table, where a plan needs to know it; the last value of its row. */
  readonly print: ((table: TableRef) => Statement) | null
  readonly plan: (
    changes: readonly SchemaChange[],
    isLarge: (table: TableRef) => boolean,
    printed: PrintedTable,
  ) => DdlPlan
  readonly obstaclesTo: (change: SchemaChange) => readonly Obstacle[]
  /** Counts 1 where the table exists and the role may not change it; null where roles do not exist. */
  readonly permission: ((table: TableRef) => Statement) | null
  readonly takeBack: (object: PreparedObject) => { readonly statement: Statement; readonly isOutside: boolean }
  /** Keeps everybody else from changing the structure for as long as the transaction lasts; waits this long for it. */
  readonly lock: (systemSchema: string, wait: number) => readonly Statement[]
  /** Lets the transaction wait this long for each lock, in milliseconds. */
  readonly impatience: (wait: number) => Statement
  /** 't' when nobody else does. */
  readonly tryLock: (systemSchema: string) => Statement
  /** 't' while somebody changes the structure; null where nobody can see a change before it is done. */
  readonly isUnderWay: ((systemSchema: string) => Statement) | null
  /** One row for each: estimated rows, bytes, 't' for a plain table. */
  readonly sizes: (tables: readonly TableRef[]) => Statement
  /** Indexes of a table: name, columns as JSON, 't' when unique, 't' when it belongs to a constraint, 't' when primary. */
  readonly indexes: (table: TableRef) => Statement
  /** Those of the names that something in the schema has already. */
  readonly taken: (schema: string, names: readonly string[]) => Statement
  readonly faultOf: (error: DatabaseError) => DdlFault | null
  /** The statement waited too long for others, and may be tried again. */
  readonly isBusy: (error: DatabaseError) => boolean
}
