import { DatabaseError, type DatabaseFault, type FaultDetails } from '../../driver.ts'

const FAULT_BY_NUMBER: ReadonlyMap<number, DatabaseFault> = new Map([
  [1146, 'schema-changed'],
  [1051, 'schema-changed'],
  [1054, 'schema-changed'],
  [1049, 'schema-changed'],
  [1109, 'schema-changed'],
  [1356, 'schema-changed'],
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
  [1969, 'timeout'],
  [3024, 'timeout'],
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
  [1644, 'check'],
  [1406, 'too-long'],
  [1906, 'generated'],
  [3105, 'generated'],
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
  [1290, 'unavailable'],
  [1927, 'unavailable'],
])

/** Tells the whole connection apart from the statement: mysql2's own codes and those of sockets. */
const isConnectionCode = (code: string) => /^(PROTOCOL_|E[A-Z]+$|HANDSHAKE_)/u.test(code) && !/^(ER_|EE_)/u.test(code)

interface Reported {
  readonly errno?: unknown
  readonly code?: unknown
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

/** How a statement's failure reads to the rest of the server. `text` is the statement, which knows what it was about. */
export function toDatabaseError(error: unknown, text = ''): DatabaseError {
  if (error instanceof DatabaseError) return error
  const number = numberOf(error)
  const code = codeOf(error)
  const known = number === undefined ? undefined : FAULT_BY_NUMBER.get(number)
  const fault = known ?? (code !== undefined && isConnectionCode(code) ? 'unavailable' : 'other')
  const message = messageOf(error)
  return new DatabaseError(fault, message, number === undefined ? code : String(number), {
    cause: error,
    details: detailsOf(number, message, text),
  })
}

/** A connection that broke or never came about: whatever the reason, nothing can be asked of it. */
export function toConnectionError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const number = numberOf(error)
  const code = number === undefined ? codeOf(error) : String(number)
  return new DatabaseError('unavailable', messageOf(error), code, { cause: error })
}

export const cancelled = (): DatabaseError => new DatabaseError('cancelled', 'the statement was cancelled')

/** The server's answer to KILL QUERY. */
export const isInterrupted = (error: unknown): boolean => numberOf(error) === 1317

/** After these the server has rolled the whole transaction back by itself. */
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

/** What a message names. The table comes from the statement where the message is silent about it. */
function detailsOf(number: number | undefined, message: string, text: string): FaultDetails {
  switch (number) {
    case 1451:
    case 1452: {
      const constraint = new RegExp(`CONSTRAINT ${NAME}`, 'u').exec(message)?.[1]
      return { ...tableIn(message, named), ...(constraint === undefined ? {} : { constraint: unquoted(constraint) }) }
    }
    case 4025:
      return tableIn(message, named)
    case 1062:
    case 1586: {
      const index = / for key '([^']+)'$/u.exec(message)?.[1]
      const target = tableIn(text, written)
      // Names of indexes are only unique within their table.
      const constraint = `${target.table ?? ''}\u0000${index?.split('.').at(-1) ?? ''}`
      return index === undefined ? target : { ...target, constraint }
    }
    case 1048:
    case 1364:
    case 1406:
    case 1264:
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
