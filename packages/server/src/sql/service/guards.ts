import { sql, type Query, type Steps } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** Statements that must run before or after a write to the service's own tables. */
export interface GuardStatements {
  /**
   * Returns schema and permission version as one text. Until this transaction ends, no other can change permissions.
   */
  readonly lockPermissions: (schema: string) => Query
  /** Ends the sessions of users, except those of one login. Parameters: user keys as a JSON array, login to keep. */
  readonly endSessions: (schema: string) => Query
  /** Ends the delays after failed logins of users, in all networks. Parameter: user keys as a JSON array. */
  readonly clearLoginFailures: (schema: string) => Query
  /** Suspends the users of roles and returns their keys. Parameter: role keys as a JSON array. */
  readonly suspendUsers: (schema: string) => Steps
  /** Stores the last page that a user visited. Parameters: user key, page. */
  readonly trackPage: (schema: string) => Query
}

export const guardStatements = (dialect: ServiceDialect): GuardStatements => {
  const { text, uuid, uuidsIn, textsIn } = dialect
  return {
    lockPermissions: (schema) =>
      dialect.locked(tablesIn(schema).selectFrom('service_version').select('stamp'), 'update'),
    endSessions: (schema) =>
      tablesIn(schema)
        .deleteFrom('service_sessions')
        .where('user', 'in', uuidsIn(0))
        .where((eb) => eb.not(dialect.same(sql`family`, uuid(1)))),
    clearLoginFailures: (schema) =>
      tablesIn(schema).deleteFrom('service_login_failures').where('account', 'in', textsIn(0)),
    suspendUsers: (schema) =>
      tablesIn(schema)
        .updateTable('service_users')
        .set({ status: sql.lit('suspended') })
        .where('role', 'in', uuidsIn(0))
        .returning('id'),
    trackPage: (schema) =>
      tablesIn(schema)
        .updateTable('service_users')
        .set({ last_page: text(1), last_access: dialect.now })
        .where('id', '=', uuid(0)),
  }
}
