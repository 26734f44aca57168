import { ServiceError, type ErrorCode } from '@tain/contract'
import type { DdlFault, DdlWords, Obstacle, TableRef } from '../sql/ddl.ts'
import { DatabaseError, type DatabaseFault } from '../sql/driver.ts'

type Said = readonly [code: ErrorCode, message: string]

const byObstacle: Readonly<Record<Obstacle['kind'], Said>> = {
  null: ['CONTAINS_NULL_VALUES', 'Rows have no value there'],
  duplicate: ['RECORD_NOT_UNIQUE', 'Several rows have the same value'],
  dangling: ['INVALID_FOREIGN_KEY', 'Rows refer to items that do not exist'],
  'too-long': ['VALUE_TOO_LONG', 'Values are longer than the new length'],
  'out-of-range': ['VALUE_OUT_OF_RANGE', 'Values are outside the range of the new type'],
  inconvertible: ['INVALID_PAYLOAD', 'Values cannot be converted to the new type'],
  populated: ['UNPROCESSABLE_CONTENT', 'Data would be lost; pass allow_data_loss if that is meant'],
  dependent: ['UNPROCESSABLE_CONTENT', 'Views of the database use it; drop or change them first'],
}

export const blockOf = ({ kind, table, column }: Obstacle, count: number) => {
  const [code, message] = byObstacle[kind]
  return { code, table: nameOf(table), field: column, count, message: `${message} (${count}).` }
}

export const nameOf = ({ schema, table }: TableRef): string => `${schema}.${table}`

export function refusedBy(obstacle: Obstacle, count: number): ServiceError {
  const { code, field, message } = blockOf(obstacle, count)
  return new ServiceError(code, message, { collection: obstacle.table.table, field, count })
}

const byDdlFault: Readonly<Record<DdlFault, Said>> = {
  dependent: ['UNPROCESSABLE_CONTENT', 'Something else in the database depends on it; drop or change that first.'],
  exists: ['INVALID_PAYLOAD', 'Invalid payload. The database has something of that name already.'],
  'not-permitted': [
    'UNPROCESSABLE_CONTENT',
    'The role that the service connects as may not change this table; make it the owner, or grant it what it needs.',
  ],
  unsupported: ['UNPROCESSABLE_CONTENT', 'The database cannot make this change.'],
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

/** SQL's code for a connection that broke during the commit. */
const OUTCOME_UNKNOWN = '08007'

/** What the database said about a change → what an administrator can act on. Anything else stays as it is. */
export function changeFault(error: unknown, ddl: DdlWords): unknown {
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
  return said === undefined ? error : new ServiceError(said[0], said[1], {}, options)
}
