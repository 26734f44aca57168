import { forbidden, ServiceError } from '@tain/contract'
import type { ColumnField } from '../../schema/schema.ts'
import { ValueError, type Dialect } from '../../sql/dialect.ts'
import { typed } from '../columns.ts'

/** A payload's value as JSON for a statement; what its field cannot hold is refused in the words of the contract. */
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

/** A part of a key; one that cannot be a key belongs to nothing. */
export function encodeKey(field: ColumnField, part: string, dialect: Dialect): string {
  try {
    return dialect.keyValue(part, typed(field))
  } catch {
    throw forbidden()
  }
}
