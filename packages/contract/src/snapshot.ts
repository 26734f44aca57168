import type { FieldType } from './field-types.ts'
import type { SchemaChangeObject } from './schema-plan.ts'

/** Version of the file format; raised when an older reader would misunderstand the file. */
export const SNAPSHOT_VERSION = 1

type Meta = Readonly<Record<string, unknown>>

/** A schema as a file. Its content does not depend on when, or from which database, it was written. */
export interface SnapshotDocument extends SnapshotSections {
  readonly version: number
  /** Release of the service that wrote it. */
  readonly tain: string
  readonly vendor: string
  /** Hash of everything below. */
  readonly hash: string
  /** Left out if the file covers all collections. */
  readonly scope?: SnapshotScope
}

export interface SnapshotScope {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

export interface SnapshotSections {
  readonly collections: readonly SnapshotCollection[]
  readonly fields: readonly SnapshotField[]
  /** Always empty: the service's own fields are fixed. */
  readonly systemFields: readonly never[]
  readonly relations: readonly SnapshotRelation[]
  /** Names that were assigned to inferred fields and GraphQL types. */
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
  /** null: the default schema. */
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
  /** Only if the default is computed. */
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
  /** The name in use while a column or a declared field has `name`. */
  readonly instead: string | null
}

/** New, deleted or edited. Without a path, the edit concerns the whole object. */
export interface SnapshotEdit {
  readonly kind: 'N' | 'D' | 'E'
  readonly path?: readonly string[]
  readonly lhs?: unknown
  readonly rhs?: unknown
}

/** The names that identify an object, and its edits. */
export type ObjectDiff = Readonly<Record<string, unknown>> & { readonly diff: readonly SnapshotEdit[] }

export type SnapshotSection = keyof SnapshotSections

export type SnapshotDiff = { readonly [S in SnapshotSection]?: readonly ObjectDiff[] }

/** The difference between the database and a snapshot. `hash` is the hash of the database when it was compared. */
export interface SchemaDiff {
  readonly hash: string
  readonly diff: SnapshotDiff
  /** Changes to the schema of the database, in order. */
  readonly changes: readonly SchemaChangeObject[]
}
