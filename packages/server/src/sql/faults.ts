/**
 * What a failed statement means, whichever database said it: one row per kind, with what it is about. Each dialect's
 * errors.ts translates its own codes to these; engine/faults.ts says what a caller is told.
 *
 * - moment: the same statement may succeed at another time
 * - data: the values that were sent are refused
 * - definition: a table, view, trigger or function of the database does not allow it
 * - size: the request asks for more than a limit allows
 * - unknown: a mistake of the service until shown otherwise
 */
export const faults = {
  unavailable: 'moment',
  /** A lock or a connection was not free in time. */
  timeout: 'moment',
  /** The statement itself ran into the limit. */
  'too-slow': 'moment',
  cancelled: 'moment',
  'schema-changed': 'moment',
  /** Lost against another transaction; the same work may succeed at once. */
  conflict: 'moment',
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
  /** Deeper, wider or with more tables than the database takes. */
  'too-complex': 'size',
  /** The author of a trigger or function refuses, in their own words. */
  raised: 'data',
  permission: 'definition',
  /** A statement that the database does not run on this table or value. */
  unsupported: 'definition',
  /** A view, trigger or function cannot work as it is defined. */
  broken: 'definition',
  /** An expression of the database fails on the stored values. */
  computation: 'definition',
  other: 'unknown',
} as const satisfies Readonly<Record<string, 'moment' | 'data' | 'definition' | 'size' | 'unknown'>>

export type DatabaseFault = keyof typeof faults

/** A refusal of the values or by a definition: it depends on the request and the schema, not on the moment. */
export const isRefused = (fault: DatabaseFault): boolean => faults[fault] === 'data' || faults[fault] === 'definition'

export const isAboutValues = (fault: DatabaseFault): boolean => faults[fault] === 'data'

export interface FaultDetails {
  readonly schema?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
  /** Rows of `table` refer to the row that was to be removed or changed. */
  readonly isReferenced?: boolean
  /** Position of the bind that could not be read, from 0. */
  readonly bind?: number
  /** The number of bytes that was exceeded. */
  readonly mostBytes?: number
  /** The text of whoever wrote RAISE or SIGNAL. */
  readonly raised?: string
  /** Why, in the dialect's own words: nothing that the database printed. */
  readonly reason?: string
}
