/**
 * The meaning of a failed statement, whichever database reported it: one entry per kind, with its category. Each
 * dialect's errors.ts maps its own codes to these kinds; engine/faults.ts decides what the caller is told.
 *
 * - moment: the same statement may succeed at another time
 * - data: the values that were sent are refused
 * - definition: a table, view, trigger or function of the database does not allow it
 * - size: the request asks for more than a limit allows
 * - unknown: a bug in the service until shown otherwise
 */
export const faults = {
  unavailable: 'moment',
  /** A lock or a connection did not become available in time. */
  timeout: 'moment',
  /** The statement itself exceeded its time limit. */
  'too-slow': 'moment',
  cancelled: 'moment',
  'schema-changed': 'moment',
  /** The transaction lost against another one; an immediate retry may succeed. */
  conflict: 'moment',
  /** A server that follows the primary has not come to the position that the statement asked for. */
  behind: 'moment',
  'invalid-value': 'data',
  'out-of-range': 'data',
  'too-long': 'data',
  unique: 'data',
  'foreign-key': 'data',
  'not-null': 'data',
  check: 'data',
  generated: 'data',
  /** The rows have more bytes than the statement or the database allows. */
  'too-large': 'size',
  /** The statement is deeper, wider or uses more tables than the database supports. */
  'too-complex': 'size',
  /** A trigger or function refuses the values with its own message. */
  raised: 'data',
  permission: 'definition',
  /** The database does not support the statement on this table or value. */
  unsupported: 'definition',
  /** A view, trigger or function cannot work as it is defined. */
  broken: 'definition',
  /** An expression in the database fails on the stored values. */
  computation: 'definition',
  other: 'unknown',
} as const satisfies Readonly<Record<string, 'moment' | 'data' | 'definition' | 'size' | 'unknown'>>

export type DatabaseFault = keyof typeof faults

/** The values or a definition are refused: the error depends on the request and the schema, not on timing. */
export const isRefused = (fault: DatabaseFault): boolean => faults[fault] === 'data' || faults[fault] === 'definition'

export const isAboutValues = (fault: DatabaseFault): boolean => faults[fault] === 'data'

export interface FaultDetails {
  readonly schema?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  /** The domain that refused the value, in `schema`; the database then names no table. */
  readonly domain?: string
  /** Rows of `table` reference the row that was to be removed or changed. */
  readonly isReferenced?: boolean
  /** Position of the bind value that could not be parsed, from 0. */
  readonly bind?: number
  /** The byte limit that was exceeded. */
  readonly mostBytes?: number
  /** The database does not know a function, an operator or a type, which may have been dropped a moment ago. */
  readonly isUndefined?: boolean
  /** The message of a RAISE or SIGNAL statement. */
  readonly raised?: string
  /** The reason, in the dialect's own words; it contains no text that the database printed. */
  readonly reason?: string
}
