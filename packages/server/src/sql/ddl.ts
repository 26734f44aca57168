import type { FieldType } from '@tain/contract'
import type { DatabaseColumn, ReferentialAction } from './database-schema.ts'
import type { DatabaseError, Statement } from './driver.ts'

/** A table by its schema and its name. */
export interface TableRef {
  readonly schema: string
  readonly table: string
}

/** Field types that a column can be created with. */
export type ColumnType = Exclude<FieldType, 'alias' | 'unknown'>

/** The type of a column: a field type with its limits, if any. */
export interface ColumnForm {
  readonly type: ColumnType
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** The native type name, if it is more precise than the field type. A null limit then means no limit. */
  readonly native?: string
}

/** A database type that columns can be created with under its native name. */
export interface NativeType {
  /** The field type of such a column without metadata. */
  readonly fieldType: FieldType
  /** The kind of limit it can have. */
  readonly limit: 'length' | 'digits' | null
  /** The JSON form of its values. */
  readonly values: 'number' | 'boolean' | 'json' | 'text'
}

/** A column's type as introspection describes it. */
export interface DescribedType {
  readonly dataType: string
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
}

/** A plain value as text in the column's own format, or one of the supported expressions. */
export type ColumnDefault =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'now' }
  | { readonly kind: 'uuid' }

export interface ColumnDefinition {
  readonly name: string
  readonly form: ColumnForm
  readonly isNullable: boolean
  readonly default: ColumnDefault | null
  /** The database auto-increments the column. */
  readonly isCounter: boolean
}

/** Every change that schema management can make to a database. DDL statements are built only from these. */
export type SchemaChange =
  | {
      readonly kind: 'create-table'
      readonly table: TableRef
      readonly columns: readonly ColumnDefinition[]
      readonly key: readonly string[]
    }
  | { readonly kind: 'drop-table'; readonly table: TableRef }
  /** Fails the whole change if the table has rows or the column has values. The drop that follows removes the check. */
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
      /** Dropped before the type change and set again after it; 'kept' leaves it to the database. */
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
      /** The other column pairs of a composite key. */
      readonly rest?: readonly (readonly [column: string, toColumn: string])[]
      readonly onDelete: ReferentialAction
      readonly onUpdate: ReferentialAction
    }

export type Lock = 'ACCESS EXCLUSIVE' | 'SHARE ROW EXCLUSIVE' | 'SHARE' | 'SHARE UPDATE EXCLUSIVE'

/** The lease of schema changes, where the database has no lock that holds on all of its nodes. */
export const STRUCTURE_LEASE = 'structure'

/** One statement with its impact on other sessions. */
export interface DdlStatement {
  readonly statement: Statement
  readonly table: TableRef
  readonly lock: Lock
  readonly rewrites: boolean
  readonly scans: boolean
}

/** A step that runs ahead of the change itself, so that other sessions do not wait for it. */
export interface Preparation extends DdlStatement {
  /** Cannot run inside a transaction. */
  readonly isOutside: boolean
  /** The object it creates; null if it continues with an object that an earlier step created. */
  readonly makes: PreparedObject | null
}

/** An unfinished object, identified so that it can be undone. */
export interface PreparedObject {
  /** For the kind 'statement', the name is the SQL that undoes it. */
  readonly kind: 'column' | 'index' | 'constraint' | 'statement'
  readonly table: TableRef
  readonly name: string
}

export interface DdlPlan {
  readonly preparations: readonly Preparation[]
  /** Run in one transaction with everything else that belongs to the change. */
  readonly statements: readonly DdlStatement[]
  /** Removes what the change has set aside, once the change is final. Each statement can be run again. */
  readonly afterwards?: readonly DdlStatement[]
}

/** A table definition as the database prints it; null if the table does not exist. */
export type PrintedTable = (table: TableRef) => string | null

/** Counts the rows or objects that prevent a change. Returns one row: the count and, for named objects, their names. */
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

/** Why the database refused a change, if its error code gives a reason. */
export type DdlFault =
  | 'dependent'
  | 'exists'
  | 'not-permitted'
  | 'unsupported'
  /** The table is system-versioned; a change would rewrite its history. */
  | 'versioned'
  /** A virtual table: its module defines the columns. */
  | 'virtual'
  /** A STRICT table, which accepts only a few built-in types. */
  | 'strict'
  | 'mismatch'
  | 'missing'
  | 'too-many'

/** How one database changes its schema. */
export interface DdlStatements {
  /** Names that a column cannot have. */
  readonly reservedColumns: ReadonlySet<string>
  /** Maximum length of a name, in bytes. */
  readonly nameLength: number
  /** null for types that columns cannot be created with. */
  readonly nativeType: (dataType: string) => NativeType | null
  /** The type that introspection will report for a column of this form. */
  readonly described: (form: ColumnForm) => DescribedType
  /** Reads the definition of a table, if plans need it. The definition is the last value of the row. */
  readonly print: ((table: TableRef) => Statement) | null
  readonly plan: (
    changes: readonly SchemaChange[],
    isLarge: (table: TableRef) => boolean,
    printed: PrintedTable,
  ) => DdlPlan
  readonly obstaclesTo: (change: SchemaChange) => readonly Obstacle[]
  /** Counts 1 if the table exists and the role may not alter it; null if the database has no roles. */
  readonly permission: ((table: TableRef) => Statement) | null
  readonly takeBack: (object: PreparedObject) => { readonly statement: Statement; readonly isOutside: boolean }
  /**
   * Takes the lock for schema changes until the transaction ends; waits at most this long for it. Null: locks of the
   * database hold on one node of its cluster only, and a lease is taken instead.
   */
  readonly lock: (systemSchema: string, wait: number) => readonly Statement[] | null
  /** Limits how long the transaction waits for each lock, in milliseconds. */
  readonly impatience: (wait: number) => Statement
  /** Tries to take the same lock without waiting; 't' if it succeeded. */
  readonly tryLock: (systemSchema: string) => Statement
  /** 't' while a schema change is running; null if an unfinished change is invisible to other sessions. */
  readonly isUnderWay: ((systemSchema: string) => Statement) | null
  /** One row per table: estimated rows, bytes, 't' for a plain table. */
  readonly sizes: (tables: readonly TableRef[]) => Statement
  /** Indexes of a table: name, columns as JSON, 't' if unique, 't' if it belongs to a constraint, 't' if primary. */
  readonly indexes: (table: TableRef) => Statement
  /** The names that are already in use in the schema. */
  readonly taken: (schema: string, names: readonly string[]) => Statement
  readonly faultOf: (error: DatabaseError) => DdlFault | null
  /** The statement waited too long for other sessions and may be retried. */
  readonly isBusy: (error: DatabaseError) => boolean
}
