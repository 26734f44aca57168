import type { MetaKind } from '@tain/contract'
import type { StoredType } from './dialect.ts'
import type { Sql, Steps } from './sql.ts'

/** A stored value and its column. JSON kinds are stored as JSON text. */
export interface StoredValue {
  readonly column: string
  readonly kind: MetaKind | 'uuid'
  readonly value: string | null
}

/** An object that a schema change creates before the change is complete. */
export interface SchemaStep {
  readonly kind: string
  readonly schema: string
  readonly table: string
  readonly name: string
}

/** A name that was assigned and is stored: of a field derived from foreign keys, or of a type. */
export interface StoredName {
  readonly kind: 'field' | 'type' | 'adopt'
  readonly collection: string
  /** The object that has the name, within its collection. */
  readonly subject: string
  readonly name: string
  /** The name in use while a column or a declared field occupies the first one. */
  readonly instead: string | null
}

/** The declaration of a service table. */
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

/** Statements on the service's own tables, which are in their own schema if the database supports schemas. */
export interface ServiceTables {
  readonly lock: (schema: string) => Sql
  /**
   * Returns: whether the tables exist; whether the role may create a schema; database; role; whether the schema exists;
   * whether the role may use it and create tables in it; schema name; whether the role may use the tables; a table that
   * has one of the service's names but is not the service's own.
   */
  readonly exists: (schema: string, declared: readonly DeclaredTable[]) => Sql
  readonly createSchema: (schema: string) => Sql
  readonly create: (schema: string) => readonly Sql[]
  readonly migration: (schema: string) => Sql
  /** `isUsed`: the service has served this database before. */
  readonly migrations: (
    schema: string,
    declared: readonly DeclaredTable[],
    isUsed: boolean,
  ) => readonly (readonly Sql[])[]
  readonly migrated: (schema: string, step: number) => Sql
  /** Schema version and, as JSON arrays, the rows of collections, fields, relations and names. */
  readonly overlay: (schema: string) => Sql
  readonly version: (schema: string) => Sql
  readonly bump: (schema: string) => Steps
  /** Both versions as one text: schema version, a dot, permission version. */
  readonly stamp: (schema: string) => Sql
  /** Increments the permission version. */
  readonly bumpPermissions: (schema: string) => Steps
  /** Permission version and, as JSON arrays, roles, policies, attachments in the order they apply, permissions. */
  readonly permissions: (schema: string) => Sql
  readonly put: (schema: string, table: string, keys: readonly StoredValue[], values: readonly StoredValue[]) => Sql
  readonly insert: (schema: string, table: string, values: readonly StoredValue[]) => Sql
  /** Updates an existing row; `put` would need a value for every NOT NULL column. */
  readonly update: (schema: string, table: string, keys: readonly StoredValue[], values: readonly StoredValue[]) => Sql
  readonly remove: (schema: string, table: string, keys: readonly StoredValue[]) => Sql
  /** The rows of a table as one JSON array, in key order. */
  readonly rows: (schema: string, table: DeclaredTable) => Sql
  /** Objects created ahead of a schema change: recorded before their creation, cleared with the change. */
  readonly steps: {
    readonly write: (schema: string, rows: readonly SchemaStep[]) => Sql
    /** Returns kind, schema, table, name, id; the last one first. */
    readonly list: (schema: string) => Sql
    readonly remove: (schema: string, id: string) => Sql
    readonly clear: (schema: string) => Sql
  }
  /** Adds names; one bind value holds all of them. */
  readonly writeNames: (schema: string, rows: readonly StoredName[]) => Sql
  /** Makes the transaction read from one snapshot. */
  readonly snapshot: Sql
}

/** Service tables that are not collections. */
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

/** Present among the stored names until the names in use before they were stored have been added. */
export const adoptMarker: StoredName = { kind: 'adopt', collection: '', subject: '', name: '', instead: null }

/** The service's own tables, for databases where they share a schema with the user's tables. */
export const ownNames = (declared: readonly string[]): readonly string[] => [...inner, ...declared]
