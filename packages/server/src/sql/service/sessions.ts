import { sql, table, type Query, type Steps } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'
import { userColumns } from './user-columns.ts'

/** Statements on sessions. All tokens are already hashed. */
export interface SessionStatements {
  /** Parameters: token, user, family, lifetime in milliseconds, IP address, user agent, origin. */
  readonly create: (schema: string) => Query
  /** Locks the user of a session against a password change; taken before the session lock. Parameter 0: token. */
  readonly lockUser: (schema: string) => Query
  /**
   * Locks the session. A separate statement must read it: only that one sees the changes made during the wait.
   * Parameter 0: token.
   */
  readonly lock: (schema: string) => Query
  /**
   * Returns for a session that has not expired: family, IP address, user agent, milliseconds since it was replaced,
   * whether its successor is in use; then the columns of a user as above. Parameter 0: token.
   */
  readonly read: (schema: string) => Query
  /** Parameters: token, token of the successor. */
  readonly replace: (schema: string) => Query
  /** Ends all sessions of one login. Parameter 0: family. */
  readonly endFamily: (schema: string) => Query
  /** Ends all sessions of the login that the session with the token in parameter 0 belongs to; returns the user. */
  readonly end: (schema: string) => Steps
  readonly removeExpired: (schema: string) => Steps
}

const readSession = (schema: string, dialect: ServiceDialect): Query =>
  tablesIn(schema)
    .selectFrom('service_sessions as s')
    .innerJoin('service_users as u', 'u.id', 's.user')
    .crossJoin('service_version as v')
    .select(['s.family', 's.ip', 's.user_agent'])
    .select(sql`floor(${dialect.milliseconds(sql`s.used`, dialect.clock)})`.as('replaced_for'))
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('service_sessions as n')
            .select(sql.lit(1).as('one'))
            .whereRef('n.token', '=', 's.next_token')
            .where('n.used', 'is', null),
        )
        .as('has_successor'),
    )
    .select(userColumns(dialect))
    .where('s.token', '=', dialect.text(0))
    .where('s.expires', '>', dialect.now)

export const sessionStatements = (dialect: ServiceDialect): SessionStatements => {
  const { text, uuid, integer, now, clock, after, locked } = dialect
  return {
    create: (schema) =>
      tablesIn(schema)
        .insertInto('service_sessions')
        .values({
          token: text(0),
          user: uuid(1),
          family: uuid(2),
          expires: after('now', integer(3)),
          ip: text(4),
          user_agent: text(5),
          origin: text(6),
        }),
    lockUser: (schema) =>
      locked(
        tablesIn(schema)
          .selectFrom('service_users')
          .select(sql.lit(1).as('one'))
          .where('id', '=', (eb) => eb.selectFrom('service_sessions').select('user').where('token', '=', text(0))),
        'share',
      ),
    lock: (schema) =>
      locked(
        tablesIn(schema).selectFrom('service_sessions').select(sql.lit(1).as('one')).where('token', '=', text(0)),
        'update',
      ),
    read: (schema) => readSession(schema, dialect),
    replace: (schema) =>
      tablesIn(schema)
        .updateTable('service_sessions')
        .set({ used: clock, next_token: text(1) })
        .where('token', '=', text(0)),
    endFamily: (schema) => tablesIn(schema).deleteFrom('service_sessions').where('family', '=', uuid(0)),
    end: (schema) =>
      tablesIn(schema)
        .deleteFrom('service_sessions')
        .where('family', '=', (eb) =>
          eb.selectFrom('service_sessions as t').select('t.family').where('t.token', '=', text(0)),
        )
        .returning('user'),
    removeExpired: (schema) => dialect.removeSome(table(schema, 'service_sessions'), ['token'], sql`expires < ${now}`),
  }
}
