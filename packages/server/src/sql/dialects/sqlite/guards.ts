import { placeholder } from '../../bind.ts'
import type { GuardStatements } from '../../guards.ts'
import { sql, table as qualified, type Sql } from '../../sql.ts'
import { SCHEMA } from './scope.ts'
import { now } from './service-tables.ts'

const text = (parameter: number): Sql => placeholder(parameter, (value) => (typeof value === 'string' ? value : null))

const table = (name: string): Sql => qualified(SCHEMA, name)

const keysIn = (parameter: number): Sql => sql`(select value from json_each(${text(parameter)}))`

export const guards: GuardStatements = {
  lockPermissions: () => sql`select stamp from ${table('service_version')}`,
  endSessions: () =>
    sql`delete from ${table('service_sessions')} where "user" in ${keysIn(0)} and family is not ${text(1)}`,
  clearLoginFailures: () => sql`delete from ${table('service_login_failures')} where account in ${keysIn(0)}`,
  suspendUsers: () =>
    sql`update ${table('service_users')} set status = 'suspended' where role in ${keysIn(0)} returning id`,
  trackPage: () =>
    sql`update ${table('service_users')} set last_page = ${text(1)}, last_access = ${now} where id = ${text(0)}`,
}
