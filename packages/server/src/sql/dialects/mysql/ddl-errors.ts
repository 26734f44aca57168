import type { DdlFault } from '../../ddl.ts'
import type { DatabaseError } from '../../driver.ts'

const faults: ReadonlyMap<string, DdlFault> = new Map([
  ['1050', 'exists'],
  ['1060', 'exists'],
  ['1061', 'exists'],
  ['1826', 'exists'],
  ['1142', 'not-permitted'],
  ['1044', 'not-permitted'],
  ['1227', 'not-permitted'],
  ['1451', 'dependent'],
  ['1553', 'dependent'],
  ['1829', 'dependent'],
  ['1901', 'unsupported'],
  ['1170', 'unsupported'],
  ['1235', 'unsupported'],
  ['4119', 'versioned'],
  ['4161', 'unsupported'],
  ['1063', 'unsupported'],
  ['1075', 'unsupported'],
  ['4078', 'mismatch'],
  ['1067', 'mismatch'],
  ['1832', 'mismatch'],
  ['1833', 'mismatch'],
  ['1005', 'mismatch'],
  ['1091', 'missing'],
  ['1051', 'missing'],
  ['1054', 'missing'],
  ['1146', 'missing'],
  ['1074', 'too-many'],
  ['1071', 'too-many'],
  ['1117', 'too-many'],
  ['1118', 'too-many'],
  ['1069', 'too-many'],
  ['1425', 'too-many'],
  ['1426', 'too-many'],
])

export const faultOf = ({ databaseCode }: DatabaseError): DdlFault | null => faults.get(databaseCode ?? '') ?? null

/** The lock wait timed out, a deadlock occurred, or the table definition changed at the same time. */
export const isBusy = ({ databaseCode }: DatabaseError): boolean =>
  databaseCode === '1205' || databaseCode === '1213' || databaseCode === '1412'
