import { ServiceError, type ErrorCode } from '@tain/contract'
import type { DdlFault, DdlStatements, Obstacle, TableRef } from '../sql/ddl.ts'
import { DatabaseError } from '../sql/driver.ts'
import type { DatabaseFault } from '../sql/faults.ts'

type Said = readonly [code: ErrorCode, message: string]

const notPermitted: Said = [
  'UNPROCESSABLE_CONTENT',
  'The role that the service connects as may not change this table; make it the owner, or grant it what it needs.',
]

const byObstacle: Readonly<Record<Exclude<Obstacle['kind'], 'not-permitted'>, Said>> = {
  null: ['CONTAINS_NULL_VALUES', 'Rows have no value there'],
  duplicate: ['RECORD_NOT_UNIQUE', 'Several rows have the same value'],
  dangling: ['INVALID_FOREIGN_KEY', 'Rows refer to items that do not exist'],
  'too-long': ['VALUE_TOO_LONG', 'Values are longer than the new length'],
  'out-of-range': ['VALUE_OUT_OF_RANGE', 'Values are outside the range of the new type'],
  inconvertible: ['INVALID_PAYLOAD', 'Values cannot be converted to the new type'],
  populated: ['UNPROCESSABLE_CONTENT', 'Data would be lost; pass allow_data_loss if that is meant'],
  dependent: ['UNPROCESSABLE_CONTENT', 'Views of the database use it; drop or change them first'],
}

/** An existing obstacle: its count, and the names of the objects that block the change. */
export interface FoundObstacle extends Obstacle {
  readonly found: number
  readonly names: string | null
}

export const blockOf = ({ kind, table, column, found, names }: FoundObstacle) => {
  const place = { table: nameOf(table), field: column, count: found }
  if (kind === 'not-permitted') return { code: notPermitted[0], ...place, message: notPermitted[1] }
  const [code, message] = byObstacle[kind]
  return { code, ...place, message: `${message} (${names ?? found}).` }
}

export const nameOf = ({ schema, table }: TableRef): string => `${schema}.${table}`

export function refusedBy(obstacle: FoundObstacle): ServiceError {
  const { code, field, count, message } = blockOf(obstacle)
  return new ServiceError(code, message, { collection: obstacle.table.table, field, count })
}

const byDdlFault: Readonly<Record<DdlFault, Said>> = {
  dependent: ['UNPROCESSABLE_CONTENT', 'Something else in the database depends on it; drop or change that first.'],
  exists: ['INVALID_PAYLOAD', 'Invalid payload. The database has something of that name already.'],
  'not-permitted': notPermitted,
  unsupported: ['UNPROCESSABLE_CONTENT', 'The database cannot make this change.'],
  versioned: [
    'UNPROCESSABLE_CONTENT',
    'The table is system-versioned, and the database refuses to change what its history is made of.',
  ],
  virtual: ['UNPROCESSABLE_CONTENT', 'The table is virtual, and the database cannot change its fields.'],
  strict: [
    'UNPROCESSABLE_CONTENT',
    'The table is STRICT: the database refuses fields of this type there. Integers, texts and binary data can be added.',
  ],
  mismatch: [
    'INVALID_PAYLOAD',
    'Invalid payload. The types do not fit each other, or the default does not fit its type.',
  ],
  missing: ['UNPROCESSABLE_CONTENT', 'Something that the change needs is not in the database.'],
  'too-many': ['UNPROCESSABLE_CONTENT', 'The database has a limit that this change would exceed.'],
}

const byFault: Partial<Readonly<Record<DatabaseFault, Said>>> = {
  'not-null': ['CONTAINS_NULL_VALUES', 'Rows have no value there.'],
  unique: ['RECORD_NOT_UNIQUE', 'Several rows have the same value.'],
  'foreign-key': ['INVALID_FOREIGN_KEY', 'Rows refer to items that do not exist.'],
  check: ['FAILED_VALIDATION', 'A rule of the database refuses the change.'],
  'too-long': ['VALUE_TOO_LONG', 'A value, or the default, is longer than the field allows.'],
  'out-of-range': ['VALUE_OUT_OF_RANGE', 'A value, or the default, is outside the range of the type.'],
  'invalid-value': ['INVALID_PAYLOAD', 'Invalid payload. A value, or the default, does not fit the type.'],
}

/** SQLSTATE of a connection that broke during the commit. */
const OUTCOME_UNKNOWN = '08007'

/** The error for an earlier change that is incomplete and that the database refuses to undo. */
export function stuckFault(
  { table, error }: { table: TableRef; error: DatabaseError },
  ddl: DdlStatements,
): ServiceError {
  const said = changeFault(error, ddl)
  const reason = said instanceof ServiceError ? said.message : 'The log says what the database answered.'
  return new ServiceError(
    'UNPROCESSABLE_CONTENT',
    `An earlier schema change was cut short on "${table.table}" and cannot be undone. ${reason} Until it is undone, the schema cannot be changed.`,
    { collection: table.table },
    { cause: error },
  )
}

/**
 * Translates a database error about a schema change to one that an administrator can act on. Other errors stay as they
 * are.
 */
export function changeFault(error: unknown, ddl: DdlStatements): unknown {
  if (!(error instanceof DatabaseError)) return error
  const options = { cause: error }
  if (error.databaseCode === OUTCOME_UNKNOWN)
    return new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The outcome of the change is unknown: the connection to the database broke while it was being committed.',
      { outcome: 'unknown' },
      options,
    )
  if (ddl.isBusy(error))
    return new ServiceError(
      'SERVICE_UNAVAILABLE',
      'The table is in use by statements that do not end; nothing was changed. Try again later.',
      {},
      options,
    )
  const fault = ddl.faultOf(error)
  const said = fault === null ? byFault[error.fault] : byDdlFault[fault]
  if (said === undefined) return error
  const table = error.details?.table
  const place = error.fault === 'foreign-key' && table !== undefined ? { table } : {}
  const where = 'table' in place ? ` They are in "${place.table}".` : ''
  return new ServiceError(said[0], `${said[1]}${where}`, place, options)
}
