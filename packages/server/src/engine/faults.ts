import { errorCodes, sentence, ServiceError, type ErrorCode } from '@tain/contract'
import { isRuleConstant } from '../lib/parameter.ts'
import { isPlaceholder, type Placeholder } from '../sql/bind.ts'
import { DatabaseError, type Bind } from '../sql/driver.ts'
import type { DatabaseFault } from '../sql/faults.ts'

/** The error code for the caller, and a reason where the code alone says too little. */
const told: Readonly<Record<DatabaseFault, { readonly code: ErrorCode; readonly reason?: string }>> = {
  'invalid-value': { code: 'INVALID_QUERY', reason: 'A value does not fit the type of its field' },
  'too-large': { code: 'INVALID_QUERY', reason: 'The answer is too large' },
  'too-complex': { code: 'INVALID_QUERY', reason: 'The query is too complex for the database' },
  'out-of-range': { code: 'INVALID_QUERY', reason: 'A value does not fit the type of its field' },
  unavailable: { code: 'SERVICE_UNAVAILABLE' },
  timeout: { code: 'SERVICE_UNAVAILABLE' },
  'too-slow': {
    code: 'SERVICE_UNAVAILABLE',
    reason: 'The query was too slow and was stopped; use a narrower filter, select less, or add an index',
  },
  cancelled: { code: 'SERVICE_UNAVAILABLE' },
  'schema-changed': { code: 'SERVICE_UNAVAILABLE' },
  permission: { code: 'FORBIDDEN' },
  unique: { code: 'RECORD_NOT_UNIQUE' },
  'foreign-key': { code: 'INVALID_FOREIGN_KEY' },
  'not-null': { code: 'NOT_NULL_VIOLATION' },
  check: { code: 'FAILED_VALIDATION' },
  'too-long': { code: 'VALUE_TOO_LONG' },
  generated: { code: 'INVALID_PAYLOAD' },
  raised: { code: 'INVALID_QUERY', reason: 'A function of the database refuses it' },
  unsupported: { code: 'UNPROCESSABLE_CONTENT', reason: 'The database does not support this here' },
  broken: { code: 'UNPROCESSABLE_CONTENT', reason: 'A view, trigger or function of the database does not work' },
  computation: { code: 'UNPROCESSABLE_CONTENT', reason: 'The database cannot compute a value' },
  conflict: { code: 'SERVICE_UNAVAILABLE' },
  behind: { code: 'SERVICE_UNAVAILABLE' },
  other: { code: 'INTERNAL_SERVER_ERROR' },
}

/** An error with its reason, both in the message and in the extensions. */
export function reasoned(
  code: ErrorCode,
  reason: string,
  cause: unknown,
  details: Readonly<Record<string, unknown>> = {},
): ServiceError {
  return new ServiceError(code, `${errorCodes[code].message} ${sentence(reason)}`, { ...details, reason }, { cause })
}

/** Translates a database error to one that the caller can act on. The original message appears only in the log. */
export function faultToError(error: DatabaseError, isByKey: boolean): ServiceError {
  const { code, reason } = told[error.fault]
  if (error.fault === 'too-large') return reasoned(code, largerThan(error.details?.mostBytes), error)
  // An invalid key is treated as the key of an item that does not exist.
  if (isByKey && isUnreadable(error)) return new ServiceError('FORBIDDEN', undefined, {}, { cause: error })
  if (reason === undefined) return new ServiceError(code, undefined, {}, { cause: error })
  const why = error.details?.reason
  return reasoned(code, why === undefined ? reason : `${reason}: ${why}`, error)
}

export const largerThan = (limit: number | undefined): string => {
  const what = limit === undefined ? 'than the database gives at once' : `than ${limit} bytes (MAX_RESPONSE_SIZE)`
  return `The answer is larger ${what}; ask for fewer rows or fields, or export them`
}

const isUnreadable = ({ fault }: DatabaseError) => fault === 'invalid-value' || fault === 'out-of-range'

export interface FailedRead {
  readonly isByKey: boolean
  readonly binds: readonly (Placeholder | Bind)[]
  /** Whether the caller may see the text that a database function raises about the rows. */
  readonly showsRaised: boolean
}

/** Translates the error of a failed read. Names the field with the invalid value if the caller sent that value. */
export function readFault(error: DatabaseError, { isByKey, binds, showsRaised }: FailedRead): ServiceError {
  const { fault, details } = error
  if (fault === 'raised' && showsRaised) return reasoned('INVALID_QUERY', raisedText(error), error)
  if (isByKey || !isUnreadable(error)) return faultToError(error, isByKey)
  const bind = details?.bind === undefined ? undefined : binds[details.bind]
  const field = isPlaceholder(bind) && !isRuleConstant(bind.parameter) ? bind.field : undefined
  if (field !== undefined)
    return reasoned('INVALID_QUERY', `The value for "${field}" does not fit the type of the field`, error, { field })
  // The caller sent no value, so a view or function computes the invalid one.
  const isSent = binds.some((entry) => isPlaceholder(entry) && !isRuleConstant(entry.parameter))
  return isSent ? faultToError(error, false) : faultToError(asComputation(error), false)
}

const asComputation = (error: DatabaseError) =>
  new DatabaseError('computation', error.message, error.databaseCode, {
    cause: error,
    details: { reason: 'one of its values does not fit its type' },
  })

const LONGEST_TEXT = 1000

/** The text given to RAISE or SIGNAL. */
export const raisedText = ({ details, message }: DatabaseError): string =>
  (details?.raised ?? message).slice(0, LONGEST_TEXT)

export const isDatabaseError = (error: unknown): error is DatabaseError => error instanceof DatabaseError
