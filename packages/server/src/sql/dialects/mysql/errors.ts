import { DatabaseError } from '../../driver.ts'
import type { DatabaseFault, FaultDetails } from '../../faults.ts'

const FAULT_BY_NUMBER: ReadonlyMap<number, DatabaseFault> = new Map([
  [1146, 'schema-changed'],
  [1051, 'schema-changed'],
  [1054, 'schema-changed'],
  [1049, 'schema-changed'],
  [1109, 'schema-changed'],
  [1412, 'schema-changed'],
  [1615, 'schema-changed'],
  [1366, 'invalid-value'],
  [1292, 'invalid-value'],
  [1265, 'invalid-value'],
  [1411, 'invalid-value'],
  [1416, 'invalid-value'],
  [1300, 'invalid-value'],
  [1139, 'invalid-value'],
  [3140, 'invalid-value'],
  [4036, 'invalid-value'],
  [4037, 'invalid-value'],
  [4038, 'invalid-value'],
  [4042, 'invalid-value'],
  [4174, 'invalid-value'],
  [1264, 'out-of-range'],
  [1690, 'out-of-range'],
  [1916, 'out-of-range'],
  [1205, 'timeout'],
  [1969, 'too-slow'],
  [3024, 'too-slow'],
  [1317, 'timeout'],
  [1044, 'permission'],
  [1142, 'permission'],
  [1143, 'permission'],
  [1227, 'permission'],
  [1370, 'permission'],
  [1062, 'unique'],
  [1586, 'unique'],
  [1022, 'unique'],
  [1451, 'foreign-key'],
  [1452, 'foreign-key'],
  [1216, 'foreign-key'],
  [1217, 'foreign-key'],
  [1048, 'not-null'],
  [1364, 'not-null'],
  [1263, 'not-null'],
  [4025, 'check'],
  [3819, 'check'],
  [1643, 'raised'],
  [1644, 'raised'],
  [1792, 'unsupported'],
  [1356, 'broken'],
  [1449, 'broken'],
  [1305, 'broken'],
  [1242, 'computation'],
  [1365, 'computation'],
  [1406, 'too-long'],
  [1906, 'generated'],
  [3105, 'generated'],
  [1260, 'too-large'],
  [1301, 'too-large'],
  [1153, 'too-large'],
  // A temporary table has more columns than its engine supports; the number is the engine's own.
  [140, 'too-complex'],
  [1038, 'too-complex'],
  [1070, 'too-complex'],
  [1104, 'too-complex'],
  [1116, 'too-complex'],
  [1117, 'too-complex'],
  [1118, 'too-complex'],
  [1436, 'too-complex'],
  [1437, 'too-complex'],
  [1473, 'too-complex'],
  [1213, 'conflict'],
  [1020, 'conflict'],
  [1040, 'unavailable'],
  [1045, 'unavailable'],
  [1053, 'unavailable'],
  [1080, 'unavailable'],
  [1129, 'unavailable'],
  [1130, 'unavailable'],
  [1203, 'unavailable'],
  [1226, 'unavailable'],
  // 1047: a Galera node without quorum, 1180: an error during COMMIT, 1290 and 1836: the server only reads now.
  [1047, 'unavailable'],
  [1180, 'unavailable'],
  [1290, 'unavailable'],
  [1836, 'unavailable'],
  [1927, 'unavailable'],
])

/** Recognises failures of the whole connection: mysql2's own codes and socket codes. */
const isConnectionCode = (code: string) => /^(PROTOCOL_|E[A-Z]+$|HANDSHAKE_)/u.test(code) && !/^(ER_|EE_)/u.test(code)

interface Reported {
  readonly errno?: unknown
  readonly code?: unknown
  readonly sqlState?: unknown
  readonly fatal?: unknown
}

const numberOf = (error: unknown): number | undefined => {
  const { errno } = (error ?? {}) as Reported
  return typeof errno === 'number' && errno > 0 ? errno : undefined
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as Reported
  return typeof code === 'string' ? code : undefined
}

/** The server's own numbers are below this; SIGNAL may set any other. */
const FIRST_FREE_NUMBER = 5000

/** The author of a SIGNAL chooses its state and number; class 45 is reserved for it. */
const isSignalled = (error: unknown, number: number): boolean =>
  String(((error ?? {}) as Reported).sqlState).startsWith('45') || number >= FIRST_FREE_NUMBER

/** The missing name does not occur in the statement: a trigger, view or function refers to it. */
function isElsewhere(message: string, text: string): boolean {
  const name = /'(?:[^'.]*\.)*([^'.]+)'/u.exec(message)?.[1]
  return text !== '' && name !== undefined && !text.toLowerCase().includes(name.toLowerCase())
}

function faultOf(error: unknown, text: string): DatabaseFault {
  const number = numberOf(error)
  const code = codeOf(error)
  if (code === 'ERR_STRING_TOO_LONG') return 'too-large'
  if (number === undefined) return code !== undefined && isConnectionCode(code) ? 'unavailable' : 'other'
  if (isSignalled(error, number)) return 'raised'
  const known = FAULT_BY_NUMBER.get(number)
  if (known === 'schema-changed' && isElsewhere(messageOf(error), text)) return 'broken'
  return known ?? (code !== undefined && isConnectionCode(code) ? 'unavailable' : 'other')
}

const REASON_BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [1356, 'the view refers to something that does not exist, or that its definer may not read'],
  [1449, 'its definer is a user who does not exist'],
  [1242, 'a subquery gives more than one row'],
  [1365, 'division by zero'],
  [1792, 'the session is read-only'],
])

/**
 * Converts a statement's failure to a DatabaseError. `text` is the statement; it provides details that the message
 * lacks.
 */
export function toDatabaseError(error: unknown, text = ''): DatabaseError {
  if (error instanceof DatabaseError) return error
  const number = numberOf(error)
  const fault = faultOf(error, text)
  if (fault === 'too-large') return new DatabaseError(fault, messageOf(error), codeOf(error), { cause: error })
  const message = messageOf(error)
  const shown = fault === 'raised' ? message : withoutValue(message)
  const reason = REASON_BY_NUMBER.get(number ?? 0)
  return new DatabaseError(fault, shown, number === undefined ? codeOf(error) : String(number), {
    // The server repeats the value, and its error contains the whole statement with literals. Neither belongs in a log.
    ...(shown === message ? { cause: error } : {}),
    details: {
      ...(fault === 'raised' ? { raised: message } : detailsOf(number, message, text)),
      ...(reason === undefined ? {} : { reason }),
    },
  })
}

/** A duplicate value may be the hash of a token or a password. */
const withoutValue = (message: string): string =>
  message.replace(/^Duplicate entry '.*' for key '/su, "Duplicate entry for key '")

/** A connection that broke or was never established is unavailable, whatever the reason. */
export function toConnectionError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const number = numberOf(error)
  const code = number === undefined ? codeOf(error) : String(number)
  return new DatabaseError('unavailable', messageOf(error), code, { cause: error })
}

export const cancelled = (): DatabaseError => new DatabaseError('cancelled', 'the statement was cancelled')

/** The server does not take writes any more, or has no part in its cluster. */
export const isDemoted = ({ databaseCode }: DatabaseError): boolean =>
  databaseCode === '1047' || databaseCode === '1290' || databaseCode === '1836'

/** The server's answer to KILL QUERY. */
export const isInterrupted = (error: unknown): boolean => numberOf(error) === 1317

/** After these errors the server has already rolled back the whole transaction. */
export const endsTransaction = ({ databaseCode }: DatabaseError): boolean =>
  databaseCode === '1213' || databaseCode === '1020'

const unquoted = (name: string) => name.replaceAll('``', '`')
const NAME = '`((?:[^`]|``)+)`'

const tableIn = (text: string, pattern: RegExp): FaultDetails => {
  const found = pattern.exec(text)
  return found === null ? {} : { schema: unquoted(found[1] ?? ''), table: unquoted(found[2] ?? '') }
}

const written = new RegExp(`(?:insert into|straight_join|update|delete from)\\s+${NAME}\\.${NAME}`, 'iu')
const named = new RegExp(`${NAME}\\.${NAME}`, 'u')

/** Details that a message names. The table comes from the statement if the message does not name it. */
function detailsOf(number: number | undefined, message: string, text: string): FaultDetails {
  switch (number) {
    case 1451:
    case 1452: {
      const constraint = new RegExp(`CONSTRAINT ${NAME}`, 'u').exec(message)?.[1]
      return {
        ...tableIn(message, named),
        ...(constraint === undefined ? {} : { constraint: unquoted(constraint) }),
        ...(number === 1451 ? { isReferenced: true } : {}),
      }
    }
    case 4025: {
      // The server names a column's check after the table and the column.
      const constraint = new RegExp(`^CONSTRAINT ${NAME} failed for`, 'u').exec(message)?.[1]
      return { ...tableIn(message, named), ...(constraint === undefined ? {} : { constraint: unquoted(constraint) }) }
    }
    case 3819: {
      const constraint = /'([^']+)'/u.exec(message)?.[1]
      return { ...tableIn(text, written), ...(constraint === undefined ? {} : { constraint }) }
    }
    case 1062:
    case 1586: {
      const index = / for key '([^']+)'$/u.exec(message)?.[1]
      const target = tableIn(text, written)
      // Index names are only unique within their table.
      const constraint = `${target.table ?? ''}\u0000${index?.split('.').at(-1) ?? ''}`
      return index === undefined ? target : { ...target, constraint }
    }
    case 1366:
    case 1292: {
      const column =
        new RegExp(`${NAME} at row`, 'u').exec(message)?.[1] ?? / column '([^']+)' at row/u.exec(message)?.[1]
      return { ...tableIn(text, written), ...(column === undefined ? {} : { column: unquoted(column) }) }
    }
    case 1048:
    case 1364:
    case 1406:
    case 1264:
    case 1265:
    case 1906:
    case 3105:
    case 1263: {
      const column = /(?:[Cc]olumn|Field) '([^']+)'/u.exec(message)?.[1]
      return { ...tableIn(text, written), ...(column === undefined ? {} : { column }) }
    }
    default:
      return {}
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
