import { DatabaseError, type DatabaseFault, type FaultDetails } from '../../driver.ts'

const FAULT_BY_STATE: Readonly<Record<string, DatabaseFault>> = {
  '42P01': 'schema-changed',
  '42703': 'schema-changed',
  '42704': 'schema-changed',
  '3F000': 'schema-changed',
  '42804': 'schema-changed',
  // a column of another type has other operators and functions
  '42883': 'schema-changed',
  '22P02': 'invalid-value',
  '22007': 'invalid-value',
  '22008': 'invalid-value',
  '22023': 'invalid-value',
  '22021': 'invalid-value',
  '22P05': 'invalid-value',
  '42846': 'invalid-value',
  '22018': 'invalid-value',
  '2201B': 'invalid-value',
  '22003': 'out-of-range',
  '57014': 'timeout',
  '55P03': 'timeout',
  '25P03': 'timeout',
  '42501': 'permission',
  '23505': 'unique',
  '23503': 'foreign-key',
  '23502': 'not-null',
  '23514': 'check',
  '23P01': 'check',
  '22001': 'too-long',
  '428C9': 'generated',
  '40001': 'conflict',
  '40P01': 'conflict',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P04': 'unavailable',
  '57P05': 'unavailable',
}

/** 08: connection exceptions, 53: the server is out of connections, memory or disk. */
const UNAVAILABLE_CLASSES = new Set(['08', '53'])

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])

/** How a statement's failure reads to the rest of the server. */
export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const code = codeOf(error)
  return new DatabaseError(faultOf(error, code), messageOf(error), code, { cause: error, details: detailsOf(error) })
}

/** A connection that broke or never came about: whatever the reason, nothing can be asked of it. */
export function toConnectionError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const code = codeOf(error)
  const fault = code === '25P03' ? 'timeout' : 'unavailable'
  return new DatabaseError(fault, messageOf(error), code, { cause: error })
}

export function cancelled(): DatabaseError {
  return new DatabaseError('cancelled', 'the statement was cancelled')
}

/** True for the server's answer to a cancel request or an overrun statement_timeout. */
export function isQueryCancelled(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** The server does not know a statement we thought prepared, or knows one we thought gone (a pooler between us). */
export function isStatementMixUp(error: unknown): boolean {
  const code = codeOf(error)
  return code === '26000' || code === '42P05'
}

function faultOf(error: unknown, code: string | undefined): DatabaseFault {
  if (code === undefined) return 'other'
  if (code === '0A000') return isStalePlan(error) ? 'schema-changed' : 'other'
  if (SOCKET_CODES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return 'unavailable'
  return FAULT_BY_STATE[code] ?? 'other'
}

/** By the routine as well as the text, since the server may speak another language. */
function isStalePlan(error: unknown): boolean {
  const routine = (error as { routine?: unknown }).routine
  return routine === 'RevalidateCachedQuery' || messageOf(error).includes('cached plan must not change result type')
}

function detailsOf(error: unknown): FaultDetails {
  const { schema, table, column, constraint } = error as Readonly<Record<string, unknown>>
  const named = Object.entries({ schema, table, column, constraint }).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(named)
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

function messageOf(error: unknown): string {
  // A name with several addresses fails with an AggregateError, whose own message is empty.
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
