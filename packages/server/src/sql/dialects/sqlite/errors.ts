import { DatabaseError, tooLarge } from '../../driver.ts'
import type { DatabaseFault, FaultDetails } from '../../faults.ts'
import type { Failure } from './messages.ts'
import { SCHEMA } from './scope.ts'

const FAULT_BY_CODE: Readonly<Record<string, DatabaseFault>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign-key',
  SQLITE_CONSTRAINT_TRIGGER: 'raised',
  SQLITE_CONSTRAINT_NOTNULL: 'not-null',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_DATATYPE: 'invalid-value',
  SQLITE_MISMATCH: 'invalid-value',
  SQLITE_TOOBIG: 'too-large',
  SQLITE_BUSY: 'timeout',
  SQLITE_LOCKED: 'timeout',
  SQLITE_BUSY_SNAPSHOT: 'conflict',
  SQLITE_BUSY_RECOVERY: 'conflict',
  SQLITE_SCHEMA: 'schema-changed',
  SQLITE_FULL: 'unavailable',
  SQLITE_NOMEM: 'unavailable',
  SQLITE_READONLY: 'permission',
}

/** Faults that only the message identifies. */
const FAULT_BY_WORDS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/^no such (table|column|index)/u, 'schema-changed'],
  [/^table .* has no column named /u, 'schema-changed'],
  [/^cannot (INSERT into|UPDATE) generated column/u, 'generated'],
  [/^integer overflow/u, 'out-of-range'],
  [/^malformed JSON/u, 'invalid-value'],
  [/^CHECK constraint failed/u, 'check'],
  [/pattern too complex/u, 'invalid-value'],
  [/^(too many |Expression tree is too large|at most \d+ tables in a join|parser stack overflow)/u, 'too-complex'],
]

export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  const failure = (error ?? {}) as Partial<Failure>
  const { code = null, message = String(error), mostBytes } = failure
  if (mostBytes !== undefined) return tooLarge(mostBytes)
  const fault = failure.isElsewhere === true ? 'broken' : faultOf(code, message)
  return new DatabaseError(fault, message, code ?? undefined, { cause: error, details: detailsOf(failure, fault) })
}

function faultOf(code: string | null, message: string): DatabaseFault {
  const known = FAULT_BY_CODE[code ?? '']
  if (known !== undefined) return known
  if (code?.startsWith('SQLITE_IOERR') === true) return 'unavailable'
  return FAULT_BY_WORDS.find(([words]) => words.test(message))?.[1] ?? 'other'
}

function detailsOf(
  { code = null, message = '', foreignKey, check }: Partial<Failure>,
  fault: DatabaseFault,
): FaultDetails {
  if (foreignKey)
    return {
      schema: SCHEMA,
      table: foreignKey.table,
      constraint: foreignKey.name,
      ...(foreignKey.isReferenced ? { isReferenced: true } : {}),
    }
  if (check) return { schema: SCHEMA, table: check.table, constraint: check.name }
  if (fault === 'raised') return { raised: message }
  if (fault === 'broken') return { reason: 'something that a view or trigger refers to does not exist' }
  if (code === 'SQLITE_CONSTRAINT_DATATYPE') return storedIn(message)
  return namedIn(code, message)
}

/** `cannot store TEXT value in INT column table.column`, from a STRICT table. */
function storedIn(message: string): FaultDetails {
  const [, table, column] = / column ([^.]+)\.(.+)$/su.exec(message) ?? []
  return table === undefined || column === undefined ? {} : { schema: SCHEMA, table, column }
}

/** `UNIQUE constraint failed: table.column, table.column`; names are printed as they are, dots included. */
function namedIn(code: string | null, message: string): FaultDetails {
  const [, what = ''] = /constraint failed: (.*)$/su.exec(message) ?? []
  if (
    what === '' ||
    code === 'SQLITE_CONSTRAINT_FOREIGNKEY' ||
    code === 'SQLITE_CONSTRAINT_CHECK' ||
    what.startsWith('index ')
  )
    return {}
  const columns = what.split(', ')
  const table = columns[0]?.split('.', 1)[0] ?? ''
  const names = columns.map((name) => name.slice(table.length + 1))
  return {
    schema: SCHEMA,
    table,
    ...(code === 'SQLITE_CONSTRAINT_NOTNULL' ? { column: names[0] ?? '' } : { constraint: JSON.stringify(names) }),
  }
}

export const cancelled = () => new DatabaseError('cancelled', 'the statement was cancelled')
