import type { Sql, Steps } from './sql.ts'

/** The statements that follow from a write to the service's own tables, or have to come before it. */
export interface GuardStatements {
  /** The versions of structure and rights as one text; no other transaction changes rights until this one has ended. */
  readonly lockPermissions: (schema: string) => Sql
  /** Ends the sessions of users but one. Slots: keys of the users as a JSON list, the login whose sessions to keep. */
  readonly endSessions: (schema: string) => Sql
  /** Ends the delays after failed logins of users, wherever they were. Slot: keys of the users as a JSON list. */
  readonly clearLoginFailures: (schema: string) => Sql
  /** Suspends the users of roles and gives their keys. Slot: keys of the roles as a JSON list. */
  readonly suspendUsers: (schema: string) => Steps
  /** Notes where somebody was last. Slots: key of the user, the page. */
  readonly trackPage: (schema: string) => Sql
}
