import { sql, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './tables.ts'
import { sessionUserColumns, userColumns } from './user-columns.ts'

/** Finds users by what a caller presents. */
export interface UserStatements {
  /**
   * Returns id, role, status, whether a second factor is set, password fingerprint, permission version. Parameter 0:
   * hashed token.
   */
  readonly userByToken: (schema: string) => Query
  /** The same, for the user in parameter 0. */
  readonly userById: (schema: string) => Query
  /**
   * The same without the password fingerprint, for the user in parameter 1 if the session with the hashed token in
   * parameter 0 is open. Parameter 2: grace period in milliseconds.
   */
  readonly userBySession: (schema: string) => Query
  /** The same, for the user in parameter 1 while the login in parameter 0 has a session that has not expired. */
  readonly userByFamily: (schema: string) => Query
  /**
   * Returns id, email address, hashed password, status, provider, role, second factor, its last step, permission
   * version. Parameter 0: email address.
   */
  readonly accountByEmail: (schema: string) => Query
  /** The same, by the key in parameter 0. */
  readonly accountById: (schema: string) => Query
}

/** Users as `u`, each with the versions as `v`. */
const usersAndVersion = (schema: string) =>
  tablesIn(schema).selectFrom('service_users as u').crossJoin('service_version as v')

export const userStatements = (dialect: ServiceDialect): UserStatements => {
  const { text, uuid, integer, now, after } = dialect
  const users = (schema: string) => usersAndVersion(schema).select(userColumns(dialect))
  const accounts = (schema: string) =>
    usersAndVersion(schema).select([
      'u.id',
      'u.email',
      'u.password',
      'u.status',
      'u.provider',
      'u.role',
      'u.tfa_secret',
      'u.tfa_step',
      'v.rights',
    ])
  return {
    userByToken: (schema) => users(schema).where('u.token', '=', text(0)),
    userById: (schema) => users(schema).where('u.id', '=', uuid(0)),
    userBySession: (schema) =>
      usersAndVersion(schema)
        .select(sessionUserColumns())
        .where('u.id', '=', uuid(1))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('service_sessions as s')
              .select(sql.lit(1).as('one'))
              .where('s.token', '=', text(0))
              .whereRef('s.user', '=', 'u.id')
              .where('s.expires', '>', now)
              .where((eb) => eb.or([eb('s.used', 'is', null), eb('s.used', '>', after('now', sql`-${integer(2)}`))])),
          ),
        ),
    userByFamily: (schema) =>
      users(schema)
        .where('u.id', '=', uuid(1))
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('service_sessions as s')
              .select(sql.lit(1).as('one'))
              .where('s.family', '=', uuid(0))
              .whereRef('s.user', '=', 'u.id')
              .where('s.expires', '>', now),
          ),
        ),
    accountByEmail: (schema) => accounts(schema).where('u.email_key', '=', sql<string>`lower(${text(0)})`),
    accountById: (schema) => accounts(schema).where('u.id', '=', uuid(0)),
  }
}
