import type { FieldType } from './field-types.ts'
import type { CollectionMeta, FieldMeta, RelationMeta } from './metadata.ts'

/** `schema` of a field: the column as the database describes it. Alias fields have none. */
export interface FieldSchema {
  readonly name: string
  readonly table: string
  readonly schema: string
  readonly data_type: string
  readonly default_value: unknown
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
  readonly foreign_key_schema: string | null
  readonly foreign_key_table: string | null
  readonly foreign_key_column: string | null
  readonly comment: string | null
  readonly enum_values?: readonly string[]
}

export interface FieldObject {
  readonly collection: string
  readonly field: string
  readonly type: FieldType
  readonly schema?: FieldSchema
  readonly meta: FieldMeta | null
}

export interface CollectionObject {
  readonly collection: string
  readonly meta: CollectionMeta | null
  readonly schema: {
    readonly name: string
    readonly schema: string
    readonly comment: string | null
    readonly kind: string
    readonly is_read_only: boolean
  } | null
}

export interface RelationObject {
  readonly collection: string
  readonly field: string
  readonly related_collection: string | null
  readonly schema: {
    readonly table: string
    readonly column: string
    readonly columns?: readonly string[]
    readonly foreign_key_schema: string
    readonly foreign_key_table: string
    readonly foreign_key_column: string
    readonly foreign_key_columns?: readonly string[]
    readonly constraint_name: string
    readonly on_update: string
    readonly on_delete: string
  } | null
  readonly meta: RelationMeta | null
}
