import { ServiceError, type ErrorCode } from '@tain/contract'
import { DatabaseError, type DatabaseFault } from '../sql/driver.ts'

const codes: Readonly<Record<DatabaseFault, ErrorCode>> = {
  'invalid-value': 'INVALID_QUERY',
  'out-of-range': 'INVALID_QUERY',
  unavailable: 'SERVICE_UNAVAILABLE',
  timeout: 'SERVICE_UNAVAILABLE',
  cancelled: 'SERVICE_UNAVAILABLE',
  'schema-changed': 'SERVICE_UNAVAILABLE',
  permission: 'FORBIDDEN',
  unique: 'RECORD_NOT_UNIQUE',
  'foreign-key': 'INVALID_FOREIGN_KEY',
  'not-null': 'NOT_NULL_VIOLATION',
  check: 'FAILED_VALIDATION',
  'too-long': 'VALUE_TOO_LONG',
  generated: 'INVALID_PAYLOAD',
  conflict: 'SERVICE_UNAVAILABLE',
  other: 'INTERNAL_SERVER_ERROR',
}

/** What a database said becomes what a caller can act on; its own words stay in the log. */
export function faultToError(error: DatabaseError, isByKey: boolean): ServiceError {
  const code = codes[error.fault]
  if (code !== 'INVALID_QUERY') return new ServiceError(code, undefined, {}, { cause: error })
  // A key that the database cannot read is the key of an item that does not exist.
  if (isByKey) return new ServiceError('FORBIDDEN', undefined, {}, { cause: error })
  return new ServiceError(code, 'Invalid query. A value does not fit the type of its field.', {}, { cause: error })
}

export const isDatabaseError = (error: unknown): error is DatabaseError => error instanceof DatabaseError
