import { sql, type Query } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'
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
   * The same without the password fingerprint, and the hashed token, for each open session whose hashed token is in the
   * JSON array in parameter 0. Parameter 1: grace period in milliseconds.
   */
  readonly usersBySessions: (schema: string) => Query
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
  const { text, uuid, integer, textsIn, now, after } = dialect
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
    usersBySessions: (schema) =>
      tablesIn(schema)
        .selectFrom('service_sessions as s')
        .innerJoin('service_users as u', 'u.id', 's.user')
        .crossJoin('service_version as v')
        .select([...sessionUserColumns(), 's.token'])
        .where('s.token', 'in', textsIn(0))
        .where('s.expires', '>', now)
        .where((eb) => eb.or([eb('s.used', 'is', null), eb('s.used', '>', after('now', sql`-${integer(1)}`))])),
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
