import type { Sql, Steps } from './sql.ts'

/** The statements on users and sessions that no request can make: they see what nobody may see. */
export interface IdentityStatements {
  /** id, role, status, whether there is a second factor, mark of the password, version of rights; slot 0: hashed token. */
  readonly userByToken: (schema: string) => Sql
  /** The same, of the user in slot 0. */
  readonly userById: (schema: string) => Sql
  /** The same, of the user in slot 1 if the session with the hashed token in slot 0 is open; slot 2: milliseconds of grace. */
  readonly userBySession: (schema: string) => Sql
  /** The same, of the user in slot 1 while something of the login in slot 0 is open. */
  readonly userByFamily: (schema: string) => Sql
  /** id, address, hashed password, status, provider, role, second factor, its last step, version of rights; slot 0: address. */
  readonly accountByEmail: (schema: string) => Sql
  /** The same, by the key in slot 0. */
  readonly accountById: (schema: string) => Sql
  /** Notes a sign-in if nothing it was checked against has changed. Slots: user, password, second factor, its step. */
  readonly signedIn: (schema: string) => Steps
  /** Sets password and status of a user if they are what they were. Slots: user, password, status, both before. Gives the row as JSON. */
  readonly setPassword: (schema: string) => Steps
  /** Sets or removes a second factor. Slots: user, sealed secret, the step that was used to remove it. Gives the row as JSON. */
  readonly setSecondFactor: (schema: string) => Steps
  /** Slots: key, address, password, first name, last name, role, status. Gives the row as JSON; nothing when the address is taken. */
  readonly createUser: (schema: string) => Steps
  /** What the project has set about signing in, as one JSON object; no row when nothing was ever set. */
  readonly authenticationSettings: (schema: string) => Sql
  /** Whether an active user with an administrator's policy is there, by its role, a parent of it, or itself; version of rights. */
  readonly hasAdministrator: (schema: string) => Sql
  /** The policy of the public, attached, unless it is there; slots: key of the policy, key of the attachment. */
  readonly createPublic: (schema: string) => readonly Sql[]
  /** Role, policy, attachment and user; slots: their keys, address, hashed password, hashed token, first name, last name. */
  readonly createAdministrator: (schema: string) => readonly Sql[]
  /** Whether there is a user with the address in slot 0, and one with the hashed token in slot 1. */
  readonly taken: (schema: string) => Sql
}

/** The statements on sessions. Tokens are hashed before they come here. */
export interface SessionStatements {
  /** Slots: token, user, family, milliseconds to live, address, user agent, origin. */
  readonly create: (schema: string) => Sql
  /** Locks the user of a session against a change of password; to be taken before the session itself. Slot 0: token. */
  readonly lockUser: (schema: string) => Sql
  /** What is locked is read in a statement of its own: only that one sees what the wait was for. Slot 0: token. */
  readonly lock: (schema: string) => Sql
  /**
   * Of a session that has not expired: family, address, user agent, milliseconds since it was replaced, whether its
   * successor is in use; then the columns of a user as above. Slot 0: token.
   */
  readonly read: (schema: string) => Sql
  /** Slots: token, token of the successor. */
  readonly replace: (schema: string) => Sql
  /** Ends all that came out of one sign-in; slot 0: family. */
  readonly endFamily: (schema: string) => Sql
  /** Ends what came out of the same sign-in as the session with the token in slot 0; gives its user. */
  readonly end: (schema: string) => Steps
  readonly removeExpired: (schema: string) => Sql
}
