import type { MetaKind } from '@tain/contract'
import type { StoredType } from './dialect.ts'
import type { Sql, Steps } from './sql.ts'

/** A stored value by its column; JSON kinds as JSON text. */
export interface StoredValue {
  readonly column: string
  readonly kind: MetaKind | 'uuid'
  readonly value: string | null
}

/** An object that a change of the structure makes before it is done. */
export interface SchemaStep {
  readonly kind: string
  readonly schema: string
  readonly table: string
  readonly name: string
}

/** A name that was given and is remembered: of a field that follows from foreign keys, or of a type. */
export interface StoredName {
  readonly kind: 'field' | 'type' | 'adopt'
  readonly collection: string
  /** What has the name, apart from its collection. */
  readonly subject: string
  readonly name: string
  /** The name in use while a column or a declared field has taken the first one. */
  readonly instead: string | null
}

/** A table of the service as it is declared. */
export interface DeclaredTable {
  readonly name: string
  readonly key: string
  readonly uniques?: readonly (readonly string[])[]
  readonly columns: Readonly<Record<string, DeclaredColumn>>
  readonly hidden?: Readonly<Record<string, DeclaredColumn>>
}

export interface DeclaredColumn {
  readonly type: StoredType
  readonly isNullable?: boolean
  readonly default?: string | number | boolean | { readonly now: true }
  readonly isIndexed?: boolean
  readonly isUnique?: boolean
  readonly lowerCaseOf?: string
  readonly to?: { readonly collection: string; readonly onDelete?: 'CASCADE' | 'SET NULL' }
}

/** The statements on the service's own tables, in their own schema where the database has schemas. */
export interface ServiceTables {
  readonly lock: (schema: string) => Sql
  /** Whether the tables are there; whether the role may create a schema; database, role; whether the schema is there, may be filled, its name; whether the tables may be used; a table that has a name of ours and is not ours. */
  readonly exists: (schema: string, declared: readonly DeclaredTable[]) => Sql
  readonly createSchema: (schema: string) => Sql
  readonly create: (schema: string) => readonly Sql[]
  readonly migration: (schema: string) => Sql
  /** `isUsed`: a service has served this database before. */
  readonly migrations: (
    schema: string,
    declared: readonly DeclaredTable[],
    isUsed: boolean,
  ) => readonly (readonly Sql[])[]
  readonly migrated: (schema: string, step: number) => Sql
  /** Version and, as JSON lists, the rows of collections, fields, relations and names. */
  readonly overlay: (schema: string) => Sql
  readonly version: (schema: string) => Sql
  readonly bump: (schema: string) => Steps
  /** Both versions as one text: structure, a dot, rights. */
  readonly stamp: (schema: string) => Sql
  /** Raises the version of rights. */
  readonly bumpPermissions: (schema: string) => Steps
  /** Version of rights and, as JSON lists, roles, policies, attachments in the order they count, permissions. */
  readonly permissions: (schema: string) => Sql
  readonly put: (schema: string, table: string, keys: readonly StoredValue[], values: readonly StoredValue[]) => Sql
  readonly insert: (schema: string, table: string, values: readonly StoredValue[]) => Sql
  /** Changes what is there already; `put` would need all that may not be empty. */
  readonly update: (schema: string, table: string, keys: readonly StoredValue[], values: readonly StoredValue[]) => Sql
  readonly remove: (schema: string, table: string, keys: readonly StoredValue[]) => Sql
  /** Rows of a table as one JSON list, in the order of their keys. */
  readonly rows: (schema: string, table: DeclaredTable) => Sql
  /** Objects that are being made ahead of a change: written before, gone with it. */
  readonly steps: {
    readonly write: (schema: string, rows: readonly SchemaStep[]) => Sql
    /** kind, schema, table, name, id; the last one first. */
    readonly list: (schema: string) => Sql
    readonly remove: (schema: string, id: string) => Sql
    readonly clear: (schema: string) => Sql
  }
  /** Adds names, all of them by one bind. */
  readonly writeNames: (schema: string, rows: readonly StoredName[]) => Sql
  /** Makes the transaction see one moment. */
  readonly snapshot: Sql
}

/** Tables that are no collections. */
const inner = [
  'service_version',
  'service_collections',
  'service_fields',
  'service_relations',
  'service_idempotency',
  'service_schema_steps',
  'service_login_failures',
  'service_one_time',
  'service_names',
]

/** Stands among the names until those in use before names were remembered have been written down. */
export const adoptMarker: StoredName = { kind: 'adopt', collection: '', subject: '', name: '', instead: null }

/** The service's own tables, for where they stand beside everybody's. */
export const ownNames = (declared: readonly string[]): readonly string[] => [...inner, ...declared]
