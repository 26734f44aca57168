import { ServiceError, type ErrorCode } from '@tain/contract'
import type { Actor } from '../../access/actor.ts'
import { knowsEveryField, knowsField } from '../../access/authorize-write.ts'
import type { Collection, Schema } from '../../schema/schema.ts'
import type { DatabaseError } from '../../sql/driver.ts'
import { faultToError, raisedText, reasoned } from '../faults.ts'

/** Columns of a unique index, looked up only after it has refused a value. */
export type IndexColumns = (schema: string, index: string) => Promise<readonly string[]>

export interface FaultContext {
  readonly schema: Schema
  readonly actor: Actor
  readonly indexColumns: IndexColumns
  readonly showsRaised: boolean
}

/**
 * Translates a failed write into a contract error, with the field if it is known. The only database message in it is
 * the text that a trigger raised. It contains no name that the caller cannot know: referencing rows, triggers and
 * defaults can involve any table.
 */
export async function writeFault(error: DatabaseError, context: FaultContext): Promise<ServiceError> {
  const { schema, actor, indexColumns, showsRaised } = context
  const { fault, details } = error
  const collection = collectionOf(details, schema)
  const named = (field: string | null): Named => namesFor(actor, collection, field)
  const own = named(details?.column ?? null)
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
    case 'foreign-key': {
      const names = named(foreignField(details, collection))
      if (details?.isReferenced !== true) return new ServiceError('INVALID_FOREIGN_KEY', undefined, names, options)
      return reasoned('INVALID_FOREIGN_KEY', referredBy(names), error, { ...names })
    }
    case 'not-null':
      return new ServiceError('NOT_NULL_VIOLATION', undefined, own, options)
    case 'check':
      return reasoned('FAILED_VALIDATION', checkReason(error), error, {
        ...named(details?.domain === undefined ? null : (details.column ?? null)),
        ...constraintFor(actor, collection, details?.constraint),
      })
    case 'too-long':
      return new ServiceError('VALUE_TOO_LONG', undefined, own, options)
    case 'out-of-range':
      return new ServiceError('VALUE_OUT_OF_RANGE', undefined, own, options)
    case 'invalid-value':
      return invalid(
        own.field === null
          ? 'A value does not fit the type of its field'
          : `The value for "${own.field}" does not fit the type of the field`,
        own,
        error,
      )
    case 'generated':
      return invalid(
        own.field === null
          ? 'A field is GENERATED ALWAYS: the database makes its value, and none can be sent'
          : `"${own.field}" is GENERATED ALWAYS: the database makes its value, and none can be sent`,
        own,
        error,
      )
    case 'raised':
      return invalid(showsRaised ? raisedText(error) : 'A trigger or function of the database refuses it', null, error)
    default:
      return faultToError(error, false)
  }
}

interface Named extends Readonly<Record<string, unknown>> {
  readonly collection: string | null
  readonly field: string | null
}

/** The collection if the caller may use it, and the field if the caller may know it. */
function namesFor(actor: Actor, collection: Collection | undefined, field: string | null): Named {
  if (collection === undefined || !actor.mayUse(collection)) return { collection: null, field: null }
  const isKnown = field !== null && knowsField(actor, collection, field)
  return { collection: collection.name, field: isKnown ? field : null }
}

const invalid = (reason: string, names: Named | null, cause: DatabaseError): ServiceError =>
  reasoned('INVALID_PAYLOAD' satisfies ErrorCode, reason, cause, names?.field == null ? {} : { field: names.field })

function referredBy({ collection, field }: Named): string {
  if (collection === null) return 'Other items still refer to the item'
  const by = field === null ? '' : ` by their field "${field}"`
  return `Items of "${collection}" still refer to the item${by}`
}

const checkReason = ({ details }: DatabaseError): string =>
  details?.reason === undefined
    ? 'A rule of the database refuses the value'
    : `A rule of the database refuses the value: ${details.reason}`

/** The name of a constraint can reveal any field that it covers. */
const constraintFor = (actor: Actor, collection: Collection | undefined, constraint: string | undefined) =>
  collection !== undefined && constraint !== undefined && knowsEveryField(actor, collection) ? { constraint } : {}

/** SQLSTATE for a connection that broke during the commit. */
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
