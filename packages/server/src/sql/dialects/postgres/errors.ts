import { DatabaseError } from '../../driver.ts'
import type { DatabaseFault, FaultDetails } from '../../faults.ts'

const FAULT_BY_STATE: Readonly<Record<string, DatabaseFault>> = {
  '42P01': 'schema-changed',
  '42703': 'schema-changed',
  '42704': 'schema-changed',
  '3F000': 'schema-changed',
  '42804': 'schema-changed',
  // a column of a different type has different operators and functions
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
  '22012': 'computation',
  '2201E': 'computation',
  '2201F': 'computation',
  '22P01': 'computation',
  '21000': 'computation',
  '57014': 'too-slow',
  '55P03': 'timeout',
  '25P03': 'timeout',
  '42501': 'permission',
  '23505': 'unique',
  '23503': 'foreign-key',
  '23001': 'foreign-key',
  '23502': 'not-null',
  '23514': 'check',
  '23P01': 'check',
  '23000': 'check',
  '44000': 'check',
  '22001': 'too-long',
  '428C9': 'generated',
  '54000': 'too-large',
  '54001': 'too-complex',
  '54011': 'too-complex',
  '54023': 'too-complex',
  '0A000': 'unsupported',
  '25006': 'unsupported',
  '55000': 'broken',
  '27000': 'broken',
  '40001': 'conflict',
  '40P01': 'conflict',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '57P04': 'unavailable',
  '57P05': 'unavailable',
}

/** An undefined function, operator, type or collation. */
const UNDEFINED = new Set(['42883', '42704'])

/**
 * Faults by SQLSTATE class, for states without an entry above. 22: data exceptions, P0: PL/pgSQL, 38: functions in
 * other languages.
 */
const FAULT_BY_CLASS: Readonly<Record<string, DatabaseFault>> = { '22': 'invalid-value', P0: 'raised', '38': 'raised' }

/** SQLSTATE classes of the server itself. A state of any other class comes from the author of a function. */
const SERVER_CLASSES = new Set(
  '00 01 02 03 08 09 0A 0B 0F 0L 0P 0Z 10 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B 3D 3F 40 42 44 53 54 55 57 58 72 F0 HV P0 XX'.split(
    ' ',
  ),
)

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

/** Converts a statement's failure for the rest of the server. */
export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const code = codeOf(error)
  const fault = faultOf(error, code)
  return new DatabaseError(fault, messageOf(error), code, { cause: error, details: detailsOf(error, fault, code) })
}

/** The code of the error, among the server's own codes. */
export const UNSUITABLE_POOLER = 'UNSUITABLE_POOLER'
const POOLER_ADVICE =
  'DATABASE_URL leads to a pooler that takes no settings for a session, such as PgBouncer. Set DB_PREPARED_STATEMENTS=0.'

/** Converts the error of a connection that broke or was never established: it is unusable, whatever the reason. */
export function toConnectionError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  if (messageOf(error).includes('unsupported startup parameter'))
    return new DatabaseError('unavailable', POOLER_ADVICE, UNSUITABLE_POOLER, { cause: error })
  const code = codeOf(error)
  const fault = code === '25P03' ? 'timeout' : code === 'ERR_STRING_TOO_LONG' ? 'too-large' : 'unavailable'
  return new DatabaseError(fault, messageOf(error), code, { cause: error })
}

/** The server reads only: it is a standby, or was made one. */
export const standby = (): DatabaseError =>
  new DatabaseError('unavailable', 'the server is a standby, which takes no writes', '25006')

export const isReadOnlyRefusal = (error: unknown): boolean => codeOf(error) === '25006'

export function cancelled(): DatabaseError {
  return new DatabaseError('cancelled', 'the statement was cancelled')
}

/** True for the server's response to a cancel request or an exceeded statement_timeout. */
export function isQueryCancelled(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** The server does not know a statement that we prepared, or still has one that we closed (through a pooler). */
export function isStatementMixUp(error: unknown): boolean {
  const code = codeOf(error)
  return code === '26000' || code === '42P05'
}

function faultOf(error: unknown, code: string | undefined): DatabaseFault {
  if (code === undefined) return 'other'
  // The allocator refuses more than a gigabyte at once, as an internal error.
  if (code === 'XX000' && messageOf(error).includes('memory alloc request size')) return 'too-large'
  if (SOCKET_CODES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return 'unavailable'
  const known = FAULT_BY_STATE[code]
  // A function that raises these states asks for a retry.
  if (known === 'conflict') return known
  if (isRaised(error, code)) return 'raised'
  if (code === '0A000' && isStalePlan(error)) return 'schema-changed'
  if (code === '54000' && isIndexEntry(error)) return 'too-long'
  // The statement is valid, but a function in the database is not.
  if (known === 'schema-changed' && isInsideRoutine(error)) return 'broken'
  return known ?? FAULT_BY_CLASS[code.slice(0, 2)] ?? 'other'
}

/** RAISE can set any SQLSTATE; the routine distinguishes it from the server's own errors. */
const isRaised = (error: unknown, code: string): boolean =>
  textOf(error, 'routine') === 'exec_stmt_raise' ||
  (/^[0-9A-Z]{5}$/u.test(code) && !SERVER_CLASSES.has(code.slice(0, 2)))

/** A value that is too long for an index entry. */
const isIndexEntry = (error: unknown): boolean =>
  /^(_bt_|index_form_|gin|gist|spg|brin)/iu.test(textOf(error, 'routine') ?? '')

const isInsideRoutine = (error: unknown): boolean => /PL\/\w+|SQL[- ]fun[ck]/iu.test(textOf(error, 'where') ?? '')

const textOf = (error: unknown, name: string): string | undefined => {
  const value = (error as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof value === 'string' ? value : undefined
}

/** The reason, by the server routine that refused: messages can be in any language. */
const REASON_BY_ROUTINE: Readonly<Record<string, string>> = {
  RewriteQuery: 'a rule (CREATE RULE) rewrites the statement, and the database does not tell which rows it wrote',
  rewriteTargetListIU: 'the column is GENERATED ALWAYS',
  ExecOpenScanRelation: 'the materialized view has not been populated; it needs REFRESH MATERIALIZED VIEW',
  ExecFindPartition: 'no partition takes the row',
}

const REASON_BY_STATE: Readonly<Record<string, string>> = {
  '22012': 'division by zero',
  '2201E': 'the logarithm of this number is not defined',
  '2201F': 'the power of this number is not defined',
  '21000': 'a subquery gives more than one row',
  '25006': 'the session is read-only',
}

function reasonOf(error: unknown, code: string | undefined): string | undefined {
  const routine = textOf(error, 'routine') ?? ''
  if (routine.startsWith('numeric_int') && code === '0A000') return 'infinity has no parts, such as a year'
  return REASON_BY_ROUTINE[routine] ?? REASON_BY_STATE[code ?? '']
}

/** Checks the routine as well as the text, because messages can be in any language. */
function isStalePlan(error: unknown): boolean {
  return (
    textOf(error, 'routine') === 'RevalidateCachedQuery' ||
    messageOf(error).includes('cached plan must not change result type')
  )
}

function detailsOf(error: unknown, fault: DatabaseFault, code: string | undefined): FaultDetails {
  const { schema, table, column, constraint, dataType } = error as Readonly<Record<string, unknown>>
  const reason = reasonOf(error, code)
  const named = Object.entries({ schema, table, column, constraint, reason }).filter(
    ([, value]) => typeof value === 'string',
  )
  const bind = /\$(\d+)/u.exec(textOf(error, 'where') ?? '')?.[1]
  return {
    ...Object.fromEntries(named),
    ...(fault === 'raised' ? { raised: messageOf(error) } : {}),
    ...(fault === 'foreign-key' && messageOf(error).startsWith('update or delete on table')
      ? { isReferenced: true }
      : {}),
    // A cast to the domain fails before the value is one of a column.
    ...(fault === 'check' && typeof table !== 'string' && typeof dataType === 'string' ? { domain: dataType } : {}),
    ...(bind === undefined ? {} : { bind: Number(bind) - 1 }),
    ...(fault === 'schema-changed' && UNDEFINED.has(code ?? '') ? { isUndefined: true } : {}),
  }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

function messageOf(error: unknown): string {
  // A host name with several addresses fails with an AggregateError, whose own message is empty.
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
