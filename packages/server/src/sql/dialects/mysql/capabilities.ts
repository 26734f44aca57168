import { DatabaseError } from '../../driver.ts'

/** What servers of this family can do, where they differ. Words ask for these and never for a version. */
export interface Capabilities {
  /** INSERT and DELETE give back what they have written. */
  readonly hasReturning: boolean
  /** GROUP_CONCAT takes a limit, so that a list needs no table of its own. */
  readonly limitsLists: boolean
  /** A derived table sees the row around its sub-select. */
  readonly seesOuterRow: boolean
  readonly hasUuidType: boolean
  /** Documents are a type of their own; elsewhere they are texts with a check. */
  readonly hasJsonType: boolean
  /** The catalogue quotes texts in defaults; elsewhere they look like any other words. */
  readonly quotesDefaults: boolean
  /** Every change of a table makes it anew, at a time that the catalogue tells. */
  readonly datesChanges: boolean
  /** ALTER TABLE takes IF EXISTS and blocks of statements are run: what taking back a change needs. */
  readonly takesBackChanges: boolean
  /** Compares texts by their bytes, blanks at the end included. */
  readonly exactCollation: string
  /** Settings of a session, by what they are for. */
  readonly settings: {
    readonly isolation: string
    /** Its name, and how many of its units are a millisecond. */
    readonly statementTimeout: readonly [name: string, units: number]
    /** Ends transactions that nobody goes on with, in seconds. */
    readonly idleTransaction: string | null
  }
  /** A statement that may take as long as it does. */
  readonly withoutTimeout: (text: string) => string
}

const mariadb: Capabilities = {
  hasReturning: true,
  limitsLists: true,
  seesOuterRow: false,
  hasUuidType: true,
  hasJsonType: false,
  quotesDefaults: true,
  datesChanges: true,
  takesBackChanges: true,
  exactCollation: 'utf8mb4_nopad_bin',
  settings: {
    isolation: 'tx_isolation',
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
  quotesDefaults: false,
  datesChanges: false,
  takesBackChanges: false,
  exactCollation: 'utf8mb4_0900_bin',
  settings: {
    isolation: 'transaction_isolation',
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

/** By the release that it begins with, older ones first. JSON_TABLE is needed of all, of MySQL casts to double too. */
const kinds: readonly Kind[] = [
  { family: 'MariaDB', from: [10, 6, 0], can: { ...mariadb, hasUuidType: false } },
  { family: 'MariaDB', from: [10, 7, 0], can: mariadb },
  { family: 'MySQL', from: [8, 0, 19], can: mysql },
]

function releaseIn(version: string): Release {
  // Behind a replication prefix MariaDB still says its own number: 5.5.5-10.11.6-MariaDB.
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

/** The server that is connected to. What it can do is known once it was met; nothing is planned before. */
export interface Server {
  readonly can: Capabilities
  /** Throws where words that were said so far would be none to it. */
  meet(version: string): void
}

export function createServer(): Server {
  let met: Kind | null = null
  return {
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

/** A server whose version is known without meeting it. */
export const serverOf = (version: string): Server => ({ can: kindOf(version).can, meet: () => undefined })
