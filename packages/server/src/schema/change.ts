import type { SchemaPlan } from '@tain/contract'
import type { ColumnForm, DescribedType, NativeType, SchemaChange, TableRef } from '../sql/ddl.ts'
import type { StoredValue } from '../sql/service-tables.ts'
import type { Schema } from './schema.ts'

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

/** The service's own tables that speak of collections and fields. */
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

/** A row to write, to change or to remove, by its key. */
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

/** What is no longer there afterwards; rights that name it must not come to mean something else. */
export interface Gone {
  readonly fields: readonly FieldRef[]
  readonly collections: readonly string[]
}

/** A change of the structure with all that belongs to it: it happens whole or not at all. */
export interface Change {
  readonly ddl: readonly SchemaChange[]
  readonly metadata: readonly MetadataChange[]
  readonly gone: Gone | null
  /** Rows that say who may do what, and settings; written after all else. */
  readonly permissionChanges?: readonly MetadataChange[]
}

export interface TableIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly isUnique: boolean
  readonly isConstraint: boolean
  readonly isPrimary: boolean
}

/** What the mirror does not hold, asked of the database while nobody else changes it. */
export interface Catalogue {
  indexes(table: TableRef): Promise<readonly TableIndex[]>
  /** Rows of one of the service's own tables, in the order of their keys. */
  rows(table: MetadataTable): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** `<table>_<column>_<suffix>`, shortened where it is too long and numbered where it is taken. */
  freeName(table: TableRef, column: string, suffix: string): Promise<string>
  readonly nameLength: number
  readonly reservedColumns: ReadonlySet<string>
  /** null for types that no column is made of here. */
  readonly nativeType: (dataType: string) => NativeType | null
  /** What introspection will say of a column of this form. */
  readonly described: (form: ColumnForm) => DescribedType
}

/** Works a change out from the structure as it is when nobody else can change it. */
export type Planner = (schema: Schema, catalogue: Catalogue) => Promise<Change>

export interface SchemaChanger {
  /** Makes the change; gives the schema in which it is visible. */
  change(planner: Planner): Promise<Schema>
  /** Says what the change would do, and changes nothing. */
  preview(planner: Planner): Promise<SchemaPlan>
  /** Gives the newest structure to look at, while others may go on changing it. */
  look<T>(work: (schema: Schema, catalogue: Catalogue) => Promise<T>): Promise<T>
  /** Takes back what a change that was cut short has left behind, unless one is under way. */
  recover(): Promise<void>
}

/** Rows that speak of fields: permissions and bookmarks, as they are stored. */
export interface RightsRows {
  readonly permissions: readonly Readonly<Record<string, unknown>>[]
  readonly presets: readonly Readonly<Record<string, unknown>>[]
}

/** What has to change in the rows that speak of what is gone. */
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
