import type { Observe } from '../observe.ts'
import type { Schema } from '../schema/schema.ts'
import { DatabaseError } from '../sql/driver.ts'

/**
 * The error of a statement whose schema was read again and is the same: a name that the database does not know is not about
 * to appear. Null: a newer schema may help.
 */
export function settledFault(
  error: DatabaseError,
  before: Schema,
  now: Schema,
  observe: Observe,
): DatabaseError | null {
  if (error.details?.isUndefined !== true || now.structureVersion !== before.structureVersion) return null
  observe({ kind: 'statement-impossible', error })
  const reason = 'a function, operator or type that the statement needs is missing'
  return new DatabaseError('unsupported', error.message, error.databaseCode, { cause: error, details: { reason } })
}
