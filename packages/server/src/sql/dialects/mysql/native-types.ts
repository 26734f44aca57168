import type { NativeType } from '../../ddl.ts'
import { fieldTypeOfBase } from './types.ts'

/** What columns of uuids are where the server has no type for them; nobody else's are spelled like that. */
export const UUID_TEXT = 'char(36)'
export const UUID_COLLATION = 'ascii_bin'

const numbers = /^(tinyint|smallint|mediumint|int|bigint|float|double|decimal|year|bit)( unsigned)?$/u

/** Types by the name introspection gives them. */
export function nativeType(dataType: string): NativeType | null {
  const base = dataType === 'boolean' ? 'bool' : dataType
  const fieldType = fieldTypeOfBase(base)
  // Labels belong to the column, so that their types cannot be made by name.
  if (fieldType === 'unknown' || base === 'enum' || base === 'set') return null
  const limit = base === 'varchar' || base === 'char' ? 'length' : base === 'decimal' ? 'digits' : null
  const values = base === 'bool' ? 'boolean' : numbers.test(base) ? 'number' : base === 'json' ? 'json' : 'text'
  return { fieldType, limit, values }
}
