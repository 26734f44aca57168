import type { DdlFault } from '../../ddl.ts'
import type { DatabaseError } from '../../driver.ts'

const faults: Readonly<Record<string, DdlFault>> = {
  '2BP01': 'dependent',
  '42P07': 'exists',
  '42710': 'exists',
  '42701': 'exists',
  '42501': 'not-permitted',
  '0A000': 'unsupported',
  '42P16': 'unsupported',
  '42809': 'unsupported',
  '42830': 'unsupported',
  '42P17': 'unsupported',
  '55000': 'unsupported',
  '42602': 'unsupported',
  '42622': 'unsupported',
  '42804': 'mismatch',
  '42846': 'mismatch',
  '42883': 'mismatch',
  '42P01': 'missing',
  '42703': 'missing',
  '42704': 'missing',
  '3F000': 'missing',
  '54011': 'too-many',
  '54000': 'too-many',
  '54001': 'too-many',
}

export const faultOf = ({ databaseCode }: DatabaseError): DdlFault | null => faults[databaseCode ?? ''] ?? null

/** The statement waited too long for a lock, lost a deadlock, or met a concurrent change of the catalogue. */
export const isBusy = ({ databaseCode, message }: DatabaseError): boolean =>
  databaseCode === '55P03' ||
  databaseCode === '40P01' ||
  (databaseCode === 'XX000' && message.startsWith('tuple concurrently'))
