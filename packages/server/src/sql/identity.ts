import type { Sql, Steps } from './sql.ts'

/** Internal statements on users and sessions. They read values that no request can read. */
export interface IdentityStatements {
  /**
   * Returns id, role, status, whether a second factor is set, password fingerprint, permission version. Parameter 0:
   * hashed token.
   */
  readonly userByToken: (schema: string) => Sql
  /** The same, for the user in parameter 0. */
  readonly userById: (schema: string) => Sql
  /**
   * The same, for the user in parameter 1 if the session with the hashed token in parameter 0 is open. Parameter 2:
   * grace period in milliseconds.
   */
  readonly userBySession: (schema: string) => Sql
  /** The same, for the user in parameter 1 while the login in parameter 0 has a session that has not expired. */
  readonly userByFamily: (schema: string) => Sql
  /**
   * Returns id, email address, hashed password, status, provider, role, second factor, its last step, permission
   * version. Parameter 0: email address.
   */
  readonly accountByEmail: (schema: string) => Sql
  /** The same, by the key in parameter 0. */
  readonly accountById: (schema: string) => Sql
  /**
   * Records a login if the values it was checked against have not changed. Parameters: user, password, second factor,
   * its step.
   */
  readonly signedIn: (schema: string) => Steps
  /**
   * Sets the password and status of a user if neither has changed. Parameters: user, new password, new status, previous
   * password, previous status. Returns the row as JSON.
   */
  readonly setPassword: (schema: string) => Steps
  /**
   * Sets or removes a second factor. Parameters: user, encrypted secret, the step that was used to remove it. Returns
   * the row as JSON.
   */
  readonly setSecondFactor: (schema: string) => Steps
  /**
   * Parameters: key, email address, password, first name, last name, role, status. Returns the row as JSON; no row if
   * the email address is taken.
   */
  readonly createUser: (schema: string) => Steps
  /** The project's authentication settings as one JSON object; no row if none were ever set. */
  readonly authenticationSettings: (schema: string) => Sql
  /**
   * Returns whether an active user has an administrator policy (directly, through the role or through a parent role),
   * and the permission version.
   */
  readonly hasAdministrator: (schema: string) => Sql
  /** Creates and attaches the public policy unless it exists. Parameters: key of the policy, key of the attachment. */
  readonly createPublic: (schema: string) => readonly Sql[]
  /**
   * Creates role, policy, attachment and user. Parameters: their keys, email address, hashed password, hashed token,
   * first name, last name.
   */
  readonly createAdministrator: (schema: string) => readonly Sql[]
  /**
   * Returns whether the email address in parameter 0 is taken, and whether the hashed token in parameter 1 is taken.
   */
  readonly taken: (schema: string) => Sql
}

/** Statements on sessions. All tokens are already hashed. */
export interface SessionStatements {
  /** Parameters: token, user, family, lifetime in milliseconds, IP address, user agent, origin. */
  readonly create: (schema: string) => Sql
  /** Locks the user of a session against a password change; taken before the session lock. Parameter 0: token. */
  readonly lockUser: (schema: string) => Sql
  /**
   * Locks the session. A separate statement must read it: only that one sees the changes made during the wait.
   * Parameter 0: token.
   */
  readonly lock: (schema: string) => Sql
  /**
   * Returns for a session that has not expired: family, IP address, user agent, milliseconds since it was replaced,
   * whether its successor is in use; then the columns of a user as above. Parameter 0: token.
   */
  readonly read: (schema: string) => Sql
  /** Parameters: token, token of the successor. */
  readonly replace: (schema: string) => Sql
  /** Ends all sessions of one login. Parameter 0: family. */
  readonly endFamily: (schema: string) => Sql
  /** Ends all sessions of the login that the session with the token in parameter 0 belongs to; returns the user. */
  readonly end: (schema: string) => Steps
  readonly removeExpired: (schema: string) => Sql
}
