import type { Collection } from '../model/collection.ts'
import type { Field, FieldColumn } from '../model/field.ts'
import { kindOf } from '../model/kind.ts'
import type { Column } from './column.ts'

/** Small things that the tests of the grid build on. */
export const orders: Collection = { collection: 'orders', kind: 'table', key: ['id'], access: 682 }

const schema: FieldColumn = {
  data_type: 'text',
  default_value: null,
  max_length: null,
  numeric_precision: null,
  numeric_scale: null,
  is_generated: false,
  is_nullable: true,
  is_unique: false,
  is_indexed: false,
  is_primary_key: false,
  has_auto_increment: false,
  foreign_key_table: null,
  foreign_key_column: null,
  comment: null,
}

export const fieldOf = (name: string, type: Field['type'], part: Partial<FieldColumn> = {}): Field => ({
  collection: 'orders',
  field: name,
  type,
  schema: { ...schema, ...part },
  meta: null,
})

export function columnOf(field: Field, part: Partial<Column> = {}): Column {
  return { path: field.field, field, kind: kindOf(field), label: field.field, width: 100, whyReadOnly: null, ...part }
}
