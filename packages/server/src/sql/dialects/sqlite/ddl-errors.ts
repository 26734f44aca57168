import type { DdlFault } from '../../ddl.ts'
import type { DatabaseError } from '../../driver.ts'

const faults: readonly (readonly [RegExp, DdlFault])[] = [
  [/already exists|duplicate column name|already another table or index/u, 'exists'],
  [/^no such (table|column|index)/u, 'missing'],
  [/^error in (view|trigger)/u, 'dependent'],
  [/^(cannot|the database cannot)/iu, 'unsupported'],
  [/^virtual tables may not be/u, 'virtual'],
  [/(^|: )unknown datatype for /u, 'strict'],
  [/^too many/u, 'too-many'],
  [/^default value of column/u, 'mismatch'],
]

export function faultOf({ databaseCode, message }: DatabaseError): DdlFault | null {
  if (databaseCode === 'SQLITE_READONLY') return 'not-permitted'
  return faults.find(([words]) => words.test(message))?.[1] ?? null
}

/** Another connection is writing. */
export const isBusy = ({ databaseCode, fault }: DatabaseError): boolean =>
  databaseCode?.startsWith('SQLITE_BUSY') === true ||
  ((fault === 'timeout' || fault === 'too-slow') && databaseCode === undefined)
