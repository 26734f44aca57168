import { placeholder } from '../../bind.ts'
import { delays, type LoginFailureStatements } from '../../login-failures.ts'
import { sql, table, type Sql } from '../../sql.ts'

const text = (parameter: number): Sql => placeholder(parameter, String)
const number = (parameter: number): Sql => sql`cast(${placeholder(parameter, String)} as signed)`

const failures = (schema: string) => table(schema, 'service_login_failures')
const isThisOne = sql`account = ${text(0)} and network = ${text(1)}`
const isExpired = sql`last_failure < now(6) - interval ${sql.lit(delays.kept)} second`

const delay = sql`least(${sql.lit(delays.longest)}, pow(2, least(failures - ${number(2)}, ${sql.lit(delays.mostDoublings)})))`

export const loginFailures: LoginFailureStatements = {
  count: (schema) => [
    // Locks the row whether or not it existed. After a plain read, two transactions would both hold a shared lock.
    sql`insert into ${failures(schema)} (account, network, failures, last_failure) values (${text(0)}, ${text(1)}, 0, now(6))
      on duplicate key update account = values(account)`,
    sql`select count(*) into @tain_found from ${failures(schema)}
      where ${isThisOne} and (blocked_until is null or blocked_until <= now(6)) for update`,
    // Assignments run from left to right: the delay uses the new count.
    sql`update ${failures(schema)} set failures = if(${isExpired}, 1, failures + 1), last_failure = now(6),
        blocked_until = if(failures >= ${number(2)}, now(6) + interval ${delay} second, null)
      where ${isThisOne} and @tain_found = 1`,
    sql`select failures from ${failures(schema)} where ${isThisOne} and @tain_found = 1`,
  ],
  wait: (schema) =>
    sql`select greatest(0, ceil(timestampdiff(microsecond, now(6), blocked_until) / 1000)) from ${failures(schema)} where ${isThisOne}`,
  // Assignments run from left to right: the second one sees the result of the first.
  uncount: (schema) =>
    sql`update ${failures(schema)} set blocked_until = if(failures = ${number(2)}, null, blocked_until), failures = failures - 1
      where ${isThisOne} and failures > 0`,
  clear: (schema) => sql`delete from ${failures(schema)} where ${isThisOne}`,
  removeExpired: (schema) => sql`delete from ${failures(schema)} where ${isExpired} limit 1000`,
}
