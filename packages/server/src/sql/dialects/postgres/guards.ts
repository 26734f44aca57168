import { placeholder } from '../../bind.ts'
import type { GuardStatements } from '../../guards.ts'
import { sql, table, type Sql } from '../../sql.ts'

const text = (parameter: number): Sql =>
  sql`${placeholder(parameter, (value) => (typeof value === 'string' ? value : null))}::text`

const keysIn = (parameter: number): Sql =>
  sql`(select k::uuid from json_array_elements_text(${text(parameter)}::json) as k)`

export const guards: GuardStatements = {
  lockPermissions: (schema) => sql`select stamp from ${table(schema, 'service_version')} for update`,
  endSessions: (schema) =>
    sql`delete from ${table(schema, 'service_sessions')} as s
      where s."user" in ${keysIn(0)} and s.family is distinct from ${text(1)}::uuid`,
  clearLoginFailures: (schema) =>
    sql`delete from ${table(schema, 'service_login_failures')} where account in (
      select k from json_array_elements_text(${text(0)}::json) as k)`,
  suspendUsers: (schema) =>
    sql`update ${table(schema, 'service_users')} as u set status = 'suspended' where u.role in ${keysIn(0)} returning u.id`,
  trackPage: (schema) =>
    sql`update ${table(schema, 'service_users')} set last_page = ${text(1)}, last_access = now() where id = ${text(0)}::uuid`,
}
