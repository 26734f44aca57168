import { placeholder } from '../../bind.ts'
import type { GuardStatements } from '../../guards.ts'
import { sql, table, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { collated } from './charsets.ts'

const text = (parameter: number): Sql => placeholder(parameter, (value) => (typeof value === 'string' ? value : null))

const keysOf =
  (server: Server) =>
  (parameter: number): Sql => {
    const key = collated(sql`char(36)`, server.can.exactCollation)
    return sql`(select k.id from json_table(${text(parameter)}, '$[*]' columns (id ${key} path '$')) as k)`
  }

export function createGuards(server: Server): GuardStatements {
  const keysIn = keysOf(server)
  return {
    lockPermissions: (schema) => sql`select stamp from ${table(schema, 'service_version')} for update`,
    endSessions: (schema) =>
      sql`delete from ${table(schema, 'service_sessions')}
        where ${sql.id('user')} in ${keysIn(0)} and not (family <=> ${text(1)})`,
    clearLoginFailures: (schema) =>
      sql`delete from ${table(schema, 'service_login_failures')} where account in ${keysIn(0)}`,
    suspendUsers: (schema) => [
      sql`select u.id from ${table(schema, 'service_users')} as u where u.role in ${keysIn(0)} for update`,
      sql`update ${table(schema, 'service_users')} as u set u.status = 'suspended' where u.role in ${keysIn(0)}`,
    ],
    trackPage: (schema) =>
      sql`update ${table(schema, 'service_users')} set last_page = ${text(1)}, last_access = now(6) where id = ${text(0)}`,
  }
}
