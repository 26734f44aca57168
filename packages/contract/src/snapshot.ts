import type { FieldType } from './field-types.ts'
import type { SchemaChangeObject } from './schema-plan.ts'

/** The form of the file; raised when an older reader would misunderstand it. */
export const SNAPSHOT_VERSION = 1

type Meta = Readonly<Record<string, unknown>>

/** A structure as a file: nothing in it depends on when, or on which database, it was written. */
export interface SnapshotDocument extends SnapshotSections {
  readonly version: number
  /** Release of the service that wrote it. */
  readonly tain: string
  readonly vendor: string
  /** Of everything below. */
  readonly hash: string
  /** Left out where the file speaks of all collections. */
  readonly scope?: SnapshotScope
}

export interface SnapshotScope {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

export interface SnapshotSections {
  readonly collections: readonly SnapshotCollection[]
  readonly fields: readonly SnapshotField[]
  /** Always empty: the service's own fields are what they are. */
  readonly systemFields: readonly never[]
  readonly relations: readonly SnapshotRelation[]
  /** Names that were given: of inferred fields, and of GraphQL types. */
  readonly names?: readonly SnapshotName[]
  readonly roles?: readonly SnapshotRow[]
  readonly policies?: readonly SnapshotRow[]
  readonly access?: readonly SnapshotRow[]
  readonly permissions?: readonly SnapshotRow[]
  readonly settings?: readonly SnapshotRow[]
}

export type SnapshotRow = Readonly<Record<string, unknown>>

export interface SnapshotCollection {
  readonly collection: string
  /** null: a folder. */
  readonly schema: SnapshotTable | null
  readonly meta: Meta | null
}

export interface SnapshotTable {
  readonly name: string
  /** null: the one that tables are in when nobody says otherwise. */
  readonly schema: string | null
  readonly kind: string
  readonly comment: string | null
  readonly primary_key: readonly string[]
}

export interface SnapshotField {
  readonly collection: string
  readonly field: string
  readonly type: FieldType
  /** Left out for alias fields. */
  readonly schema?: SnapshotColumn
  readonly meta: Meta | null
}

export interface SnapshotColumn {
  readonly data_type: string
  readonly default_value: unknown
  /** Only where the default is computed. */
  readonly default_expression?: string
  readonly max_length: number | null
  readonly numeric_precision: number | null
  readonly numeric_scale: number | null
  readonly is_generated: boolean
  readonly generation_expression: string | null
  readonly is_nullable: boolean
  readonly is_unique: boolean
  readonly is_indexed: boolean
  readonly is_primary_key: boolean
  readonly has_auto_increment: boolean
  readonly comment: string | null
  readonly enum_values?: readonly string[]
}

export interface SnapshotRelation {
  readonly collection: string
  readonly field: string
  readonly related_collection: string | null
  /** null: no foreign key. */
  readonly schema: SnapshotForeignKey | null
  readonly meta: Meta | null
}

export interface SnapshotForeignKey {
  readonly columns: readonly string[]
  readonly foreign_key_columns: readonly string[]
  readonly on_update: string
  readonly on_delete: string
}

export interface SnapshotName {
  readonly kind: 'field' | 'type'
  readonly collection: string
  /** Tables and columns of the relation that a field follows; empty for a type. */
  readonly relation: string
  readonly name: string
  /** The name in use while a column or a declared field has the first one. */
  readonly instead: string | null
}

/** New, deleted or edited. Without a path it is about the whole object. */
export interface SnapshotEdit {
  readonly kind: 'N' | 'D' | 'E'
  readonly path?: readonly string[]
  readonly lhs?: unknown
  readonly rhs?: unknown
}

/** Names of an object, and what happens to it. */
export type ObjectDiff = Readonly<Record<string, unknown>> & { readonly diff: readonly SnapshotEdit[] }

export type SnapshotSection = keyof SnapshotSections

export type SnapshotDiff = { readonly [S in SnapshotSection]?: readonly ObjectDiff[] }

/** What is between the database and a snapshot. `hash` is that of the database as it was looked at. */
export interface SchemaDiff {
  readonly hash: string
  readonly diff: SnapshotDiff
  /** What is done to the structure of the database, in order. */
  readonly changes: readonly SchemaChangeObject[]
}
