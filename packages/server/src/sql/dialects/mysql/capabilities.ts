import { DatabaseError } from '../../driver.ts'

/** Capabilities in which the servers of this family differ. Statements depend on these and never on a version. */
export interface Capabilities {
  /** INSERT and DELETE can return the rows they write. */
  readonly hasReturning: boolean
  /** GROUP_CONCAT takes a limit, so a list needs no derived table. */
  readonly limitsLists: boolean
  /** A derived table in a sub-select can refer to the outer row. */
  readonly seesOuterRow: boolean
  readonly hasUuidType: boolean
  /** Documents have their own type. On other servers they are texts with a check. */
  readonly hasJsonType: boolean
  /** The catalogue names the table of a check. */
  readonly namesTableOfCheck: boolean
  /** The catalogue quotes texts in defaults. On other servers they look like any other expression. */
  readonly quotesDefaults: boolean
  /** Every change of a table recreates it, and the catalogue reports the time. */
  readonly datesChanges: boolean
  /** The server supports ALTER TABLE IF EXISTS and runs blocks of statements. Undoing a schema change needs both. */
  readonly takesBackChanges: boolean
  /** The server can be a node of a Galera cluster. */
  readonly hasGalera: boolean
  /** The collation that compares texts by their bytes, including trailing spaces. */
  readonly exactCollation: string
  /** Names of session settings, by purpose. */
  readonly settings: {
    readonly isolation: string
    /** Access mode of new transactions, statements outside of a transaction included. */
    readonly readOnly: string
    /** The name of the setting, and one millisecond in its unit. */
    readonly statementTimeout: readonly [name: string, units: number]
    /** Ends abandoned transactions, in seconds. */
    readonly idleTransaction: string | null
  }
  /** Removes the time limit from a statement. */
  readonly withoutTimeout: (text: string) => string
}

const mariadb: Capabilities = {
  hasReturning: true,
  limitsLists: true,
  seesOuterRow: false,
  hasUuidType: true,
  hasJsonType: false,
  namesTableOfCheck: true,
  quotesDefaults: true,
  datesChanges: true,
  takesBackChanges: true,
  hasGalera: true,
  exactCollation: 'utf8mb4_nopad_bin',
  settings: {
    isolation: 'tx_isolation',
    readOnly: 'tx_read_only',
    statementTimeout: ['max_statement_time', 0.001],
    idleTransaction: 'idle_transaction_timeout',
  },
  withoutTimeout: (text) => `set statement max_statement_time = 0 for ${text}`,
}

const mysql: Capabilities = {
  hasReturning: false,
  limitsLists: false,
  seesOuterRow: true,
  hasUuidType: false,
  hasJsonType: true,
  namesTableOfCheck: false,
  quotesDefaults: false,
  datesChanges: false,
  takesBackChanges: false,
  hasGalera: false,
  exactCollation: 'utf8mb4_0900_bin',
  settings: {
    isolation: 'transaction_isolation',
    readOnly: 'transaction_read_only',
    statementTimeout: ['max_execution_time', 1],
    idleTransaction: null,
  },
  withoutTimeout: (text) => text.replace(/^select\b/u, 'select /*+ max_execution_time(0) */'),
}

type Release = readonly [major: number, minor: number, patch: number]

interface Kind {
  readonly family: 'MariaDB' | 'MySQL'
  readonly from: Release
  readonly can: Capabilities
}

/** Sorted by the first release, oldest first. All servers need JSON_TABLE; MySQL also needs casts to double. */
const kinds: readonly Kind[] = [
  { family: 'MariaDB', from: [10, 6, 0], can: { ...mariadb, hasUuidType: false } },
  { family: 'MariaDB', from: [10, 7, 0], can: mariadb },
  { family: 'MySQL', from: [8, 0, 19], can: mysql },
]

function releaseIn(version: string): Release {
  // MariaDB may put a replication prefix before its own version: 5.5.5-10.11.6-MariaDB.
  const [, major = '0', minor = '0', patch = '0'] = /^(?:5\.5\.5-)?(\d+)\.(\d+)(?:\.(\d+))?/u.exec(version) ?? []
  return [Number(major), Number(minor), Number(patch)]
}

const isSince = ([major, minor, patch]: Release, [a, b, c]: Release) =>
  major !== a ? major > a : minor !== b ? minor > b : patch >= c

function kindOf(version: string): Kind {
  const family = /mariadb/iu.test(version) ? 'MariaDB' : 'MySQL'
  const release = releaseIn(version)
  const found = kinds.findLast((kind) => kind.family === family && isSince(release, kind.from))
  if (found !== undefined) return found
  throw new DatabaseError('other', `the server is ${version}; this needs MariaDB 10.6 or MySQL 8.0.19, or later`)
}

/** The connected server. Its capabilities are known after `meet`; no statement is planned before that. */
export interface Server {
  readonly can: Capabilities
  /** The server is a node of a cluster: locks of a session hold on that node only. */
  readonly isClustered: boolean
  meetCluster(): void
  /** Throws if the statements built so far would not work on this server. */
  meet(version: string): void
}

export function createServer(): Server {
  let met: Kind | null = null
  let isClustered = false
  return {
    get isClustered() {
      return isClustered
    },
    meetCluster() {
      isClustered = true
    },
    get can() {
      return met?.can ?? mariadb
    },
    meet(version) {
      const found = kindOf(version)
      if (met !== null && met.family !== found.family)
        throw new DatabaseError('other', `the server is ${version} now, and was ${met.family} before: start again`)
      met = found
    },
  }
}

/** A server whose version is known without a connection. */
export const serverOf = (version: string): Server => ({
  can: kindOf(version).can,
  isClustered: false,
  meet: () => undefined,
  meetCluster: () => undefined,
})
