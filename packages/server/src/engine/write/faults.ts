import { invalidPayload, ServiceError } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { knowsField } from '../../access/authorize-write.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { DatabaseError } from '../../sql/driver.ts'
import { faultToError } from '../faults.ts'

/** Columns of a unique index, looked up only when it has refused a value. */
export type IndexColumns = (schema: string, index: string) => Promise<readonly string[]>

/**
 * A failed write in the words of the contract, with the field where it can be told. Nothing the database said goes out, and
 * no name that the caller could not know: rows that refer to this one, triggers and defaults may bring in any table.
 */
export async function writeFault(
  error: DatabaseError,
  schema: Schema,
  actor: Actor,
  indexColumns: IndexColumns,
): Promise<ServiceError> {
  const { fault, details } = error
  const collection = collectionOf(details, schema)
  const named = (field: string | null) =>
    collection === undefined || !actor.mayUse(collection)
      ? { collection: null, field: null }
      : {
          collection: collection.name,
          field: field !== null && knowsField(actor, collection, field) ? field : null,
        }
  const options = { cause: error }
  if (error.databaseCode === OUTCOME_UNKNOWN)
    return new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The outcome of the write is unknown: the connection to the database broke while it was being committed.',
      { outcome: 'unknown' },
      options,
    )
  switch (fault) {
    case 'unique': {
      const field = only(await indexColumns(details?.schema ?? '', details?.constraint ?? ''))
      const isKnown = field !== null && collection?.columns.has(field) === true
      return new ServiceError('RECORD_NOT_UNIQUE', undefined, named(isKnown ? field : null), options)
    }
    case 'foreign-key':
      return new ServiceError('INVALID_FOREIGN_KEY', undefined, named(foreignField(details, collection)), options)
    case 'not-null':
      return new ServiceError('NOT_NULL_VIOLATION', undefined, named(details?.column ?? null), options)
    case 'check':
      return new ServiceError(
        'FAILED_VALIDATION',
        'Validation failed. A rule of the database refuses the value.',
        named(null),
        options,
      )
    case 'too-long':
      return new ServiceError('VALUE_TOO_LONG', undefined, named(details?.column ?? null), options)
    case 'out-of-range':
      return new ServiceError('VALUE_OUT_OF_RANGE', undefined, named(details?.column ?? null), options)
    case 'invalid-value':
    case 'generated':
      return Object.assign(invalidPayload('A value does not fit the type of its field'), { cause: error })
    default:
      return faultToError(error, false)
  }
}

/** SQL's code for a connection that broke during the commit. */
const OUTCOME_UNKNOWN = '08007'

function collectionOf(details: DatabaseError['details'], schema: Schema): Collection | undefined {
  if (details?.table === undefined) return undefined
  for (const collection of schema.collections.values()) {
    if (collection.table === details.table && collection.schema === details.schema) return collection
  }
  return undefined
}

const only = (columns: readonly string[] | undefined) => (columns?.length === 1 ? (columns[0] ?? null) : null)

const foreignField = (details: DatabaseError['details'], collection: Collection | undefined) =>
  only(collection?.foreignKeys.find(({ name }) => name === details?.constraint)?.columns)
