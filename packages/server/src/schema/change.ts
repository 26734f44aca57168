import type { SchemaPlan } from '@tain/contract'
import type { ColumnForm, DescribedType, NativeType, SchemaChange, TableRef } from '../sql/ddl.ts'
import type { StoredValue } from '../sql/service/stored-value.ts'
import type { Overlay } from './overlay.ts'
import type { Collection, Schema } from './schema.ts'

export type {
  ColumnDefault,
  ColumnDefinition,
  ColumnForm,
  ColumnType,
  DescribedType,
  NativeType,
  SchemaChange,
  TableRef,
} from '../sql/ddl.ts'
export type { ReferentialAction } from '../sql/database-schema.ts'
export type { StoredValue }

/** System tables that refer to collections and fields. */
export type MetadataTable =
  | 'service_collections'
  | 'service_fields'
  | 'service_relations'
  | 'service_permissions'
  | 'service_presets'
  | 'service_comments'
  | 'service_revisions'
  | 'service_activity'
  | 'service_roles'
  | 'service_policies'
  | 'service_access'
  | 'service_settings'
  | 'service_names'
  | 'service_users'
  | 'service_folders'
  | 'service_files'
  | 'service_dashboards'
  | 'service_panels'
  | 'service_translations'

/** A metadata row to write, update, insert or remove. */
export type MetadataChange =
  | {
      readonly kind: 'put' | 'update'
      readonly table: MetadataTable
      readonly keys: readonly StoredValue[]
      readonly values: readonly StoredValue[]
    }
  | { readonly kind: 'insert'; readonly table: MetadataTable; readonly values: readonly StoredValue[] }
  | { readonly kind: 'remove'; readonly table: MetadataTable; readonly keys: readonly StoredValue[] }

export interface FieldRef {
  readonly collection: string
  readonly field: string
}

/** The objects that a change removes. Permissions that name them must not apply to a later object of the same name. */
export interface Gone {
  readonly fields: readonly FieldRef[]
  readonly collections: readonly string[]
}

/** A schema change with everything that belongs to it. It is applied completely or not at all. */
export interface Change {
  readonly ddl: readonly SchemaChange[]
  readonly metadata: readonly MetadataChange[]
  readonly gone: Gone | null
  /** Rows of permissions and settings; written after the other metadata. */
  readonly permissionChanges?: readonly MetadataChange[]
}

export interface TableIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly isUnique: boolean
  readonly isConstraint: boolean
  readonly isPrimary: boolean
}

/** Database details that the mirror does not contain. A change reads them under the schema lock. */
export interface Catalogue {
  indexes(table: TableRef): Promise<readonly TableIndex[]>
  /** Rows of a system table, in the order of their keys. */
  rows(table: MetadataTable): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Columns of all rows of a user's table, in key order, as the database prints them. */
  cells(collection: Collection, columns: readonly string[]): Promise<readonly (readonly (string | null)[])[]>
  /** The number of rows of a user's table. */
  count(collection: Collection): Promise<number>
  /** The stored metadata. */
  metadata(): Promise<Overlay>
  /** The schema as other metadata would make it, without some of the tables. Nothing is stored. */
  schemaWith(metadata: Overlay, isLeftOut: (table: TableRef) => boolean): Promise<Schema>
  /** `<table>_<column>_<suffix>`, shortened if it is too long and numbered if it is taken. */
  freeName(table: TableRef, column: string, suffix: string): Promise<string>
  readonly nameLength: number
  readonly reservedColumns: ReadonlySet<string>
  /** null for types that columns cannot be created with. */
  readonly nativeType: (dataType: string) => NativeType | null
  /** The type that introspection will report for a column of this form. */
  readonly described: (form: ColumnForm) => DescribedType
}

/** Plans a change from the current schema. A change calls it under the schema lock. */
export type Planner = (schema: Schema, catalogue: Catalogue) => Promise<Change>

export interface SchemaChanger {
  /** Applies the change and returns the schema that includes it. */
  change(planner: Planner): Promise<Schema>
  /** Dry run: describes the effects of the change and changes nothing. */
  preview(planner: Planner): Promise<SchemaPlan>
  /** Runs work on the newest schema, without a lock: others can change the schema meanwhile. */
  look<T>(work: (schema: Schema, catalogue: Catalogue) => Promise<T>): Promise<T>
  /** Undoes what an interrupted change has left behind, unless a change is in progress. */
  recover(): Promise<void>
}

/** Stored rows that refer to fields: permissions and bookmarks. */
export interface RightsRows {
  readonly permissions: readonly Readonly<Record<string, unknown>>[]
  readonly presets: readonly Readonly<Record<string, unknown>>[]
}

/** Returns the changes to rows that refer to removed objects. */
export type PruneReferences = (gone: Gone, rows: RightsRows, schema: Schema) => readonly MetadataChange[]

export const nothing: Change = { ddl: [], metadata: [], gone: null }

export function together(changes: readonly Change[]): Change {
  const gone = changes.flatMap((change) => change.gone ?? [])
  return {
    ddl: changes.flatMap(({ ddl }) => ddl),
    metadata: changes.flatMap(({ metadata }) => metadata),
    gone:
      gone.length === 0
        ? null
        : {
            fields: gone.flatMap(({ fields }) => fields),
            collections: gone.flatMap(({ collections }) => collections),
          },
    permissionChanges: changes.flatMap(({ permissionChanges }) => permissionChanges ?? []),
  }
}
