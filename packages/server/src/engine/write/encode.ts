import { forbidden, ServiceError } from '@tain/contract'
import type { ColumnField } from '../../schema/schema.ts'
import { ValueError, type Dialect } from '../../sql/dialect.ts'
import { typed } from '../../schema/typed-column.ts'

/** Encodes a payload value as JSON for a statement; throws a contract error if it does not fit the field. */
export function encodeValue(field: ColumnField, value: unknown, path: readonly string[], dialect: Dialect): string {
  try {
    return dialect.payloadValue(value, typed(field))
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    const details = { field: field.name, path: [...path] }
    if (error.fault === 'too-long')
      throw new ServiceError('VALUE_TOO_LONG', `Value for field "${field.name}" is too long.`, details)
    if (error.fault === 'out-of-range')
      throw new ServiceError('VALUE_OUT_OF_RANGE', `Value for field "${field.name}" is out of range.`, details)
    throw new ServiceError('INVALID_PAYLOAD', `Invalid payload. "${field.name}" ${error.message}.`, details)
  }
}

/** Encodes a part of a key. An invalid key gives the same error as a key that does not exist. */
export function encodeKey(field: ColumnField, part: string, dialect: Dialect): string {
  try {
    return dialect.keyValue(part, typed(field))
  } catch {
    throw forbidden()
  }
}
