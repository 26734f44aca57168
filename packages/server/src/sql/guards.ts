import type { Sql, Steps } from './sql.ts'

/** Statements that must run before or after a write to the service's own tables. */
export interface GuardStatements {
  /**
   * Returns schema and permission version as one text. Until this transaction ends, no other can change permissions.
   */
  readonly lockPermissions: (schema: string) => Sql
  /** Ends the sessions of users, except those of one login. Parameters: user keys as a JSON array, login to keep. */
  readonly endSessions: (schema: string) => Sql
  /** Ends the delays after failed logins of users, in all networks. Parameter: user keys as a JSON array. */
  readonly clearLoginFailures: (schema: string) => Sql
  /** Suspends the users of roles and returns their keys. Parameter: role keys as a JSON array. */
  readonly suspendUsers: (schema: string) => Steps
  /** Stores the last page that a user visited. Parameters: user key, page. */
  readonly trackPage: (schema: string) => Sql
}
