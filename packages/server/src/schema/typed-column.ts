import type { TypedColumn } from '../sql/dialect.ts'
import type { ColumnField } from './schema.ts'

const typedColumns = new WeakMap<ColumnField, TypedColumn>()

/** A field in the form that dialects use; cached, because writes need it for every value. */
export function typed(field: ColumnField): TypedColumn {
  const known = typedColumns.get(field)
  if (known !== undefined) return known
  const { name, type, column: stored, specials } = field
  const made: TypedColumn = { name, type, column: stored, isConcealed: specials.includes('conceal') }
  typedColumns.set(field, made)
  return made
}
