import type { FieldType } from '@tain/contract'
import type { DatabaseColumn } from './database-schema.ts'

/** A column with the field type that the service gives it. */
export interface TypedColumn {
  readonly name: string
  readonly type: FieldType
  readonly column: DatabaseColumn
  readonly isConcealed: boolean
}
