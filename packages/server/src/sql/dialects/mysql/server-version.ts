import { DatabaseError } from '../../driver.ts'

/** What tells servers of this family apart, by the version they report. */
export interface ServerVersion {
  readonly isMaria: boolean
  readonly major: number
  readonly minor: number
}

export function readVersion(text: string): ServerVersion {
  // Behind a replication prefix MariaDB still says its own number: 5.5.5-10.11.6-MariaDB.
  const [, major = '0', minor = '0'] = /^(?:5\.5\.5-)?(\d+)\.(\d+)/u.exec(text) ?? []
  return { isMaria: /mariadb/iu.test(text), major: Number(major), minor: Number(minor) }
}

/** JSON_TABLE came with MariaDB 10.6; MySQL has neither INSERT ... RETURNING nor a LIMIT inside GROUP_CONCAT. */
export function checkServer(text: string): void {
  const { isMaria, major, minor } = readVersion(text)
  if (isMaria && (major > 10 || (major === 10 && minor >= 6))) return
  throw new DatabaseError('other', `the server is ${text}; this needs MariaDB 10.6 or later`)
}
