import type { NativeType } from '../../ddl.ts'
import { fieldTypeOfBase } from './types.ts'

/** The type of uuid columns on servers without a uuid type. No other columns have this combination. */
export const UUID_TEXT = 'char(36)'
export const UUID_COLLATION = 'ascii_bin'

const numbers = /^(tinyint|smallint|mediumint|int|bigint|float|double|decimal|year|bit)( unsigned)?$/u

/** A type by the name that introspection gives it. */
export function nativeType(dataType: string): NativeType | null {
  const base = dataType === 'boolean' ? 'bool' : dataType
  const fieldType = fieldTypeOfBase(base)
  // Labels belong to the column, so such a type cannot be created by name.
  if (fieldType === 'unknown' || base === 'enum' || base === 'set') return null
  const limit = base === 'varchar' || base === 'char' ? 'length' : base === 'decimal' ? 'digits' : null
  const values = base === 'bool' ? 'boolean' : numbers.test(base) ? 'number' : base === 'json' ? 'json' : 'text'
  return { fieldType, limit, values }
}
