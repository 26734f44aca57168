import { placeholder } from '../../bind.ts'
import { delays, type LoginFailureStatements } from '../../login-failures.ts'
import { sql, table, type Sql } from '../../sql.ts'
import { SCHEMA } from './scope.ts'
import { now } from './service-tables.ts'

const text = (parameter: number): Sql => placeholder(parameter, String)
const number = (parameter: number): Sql => sql`cast(${placeholder(parameter, String)} as integer)`

const failures = table(SCHEMA, 'service_login_failures')
const isThisOne = sql`account = ${text(0)} and network = ${text(1)}`
const isExpired = sql`last_failure < strftime('%Y-%m-%d %H:%M:%f', 'now', ${sql.lit(`-${delays.kept} seconds`)})`

const blockedUntil = (count: Sql): Sql =>
  sql`case when ${count} >= ${number(2)} then strftime('%Y-%m-%d %H:%M:%f', 'now', min(${sql.lit(delays.longest)},
    1 << min(${count} - ${number(2)}, ${sql.lit(delays.mostDoublings)})) || ' seconds') end`

const counted = sql`(case when ${isExpired} then 1 else failures + 1 end)`

export const loginFailures: LoginFailureStatements = {
  count: () =>
    sql`insert into ${failures} (account, network, failures, last_failure, blocked_until)
      values (${text(0)}, ${text(1)}, 1, ${now}, ${blockedUntil(sql.lit(1))})
      on conflict (account, network) do update set failures = ${counted}, last_failure = ${now},
        blocked_until = ${blockedUntil(counted)}
      where blocked_until is null or blocked_until <= ${now} returning failures`,
  wait: () =>
    sql`select cast(max(0, ceil((unixepoch(blocked_until, 'subsec') - unixepoch('now', 'subsec')) * 1000)) as integer)
      from ${failures} where ${isThisOne}`,
  uncount: () =>
    sql`update ${failures} set failures = failures - 1,
        blocked_until = case when failures = ${number(2)} then null else blocked_until end
      where ${isThisOne} and failures > 0`,
  clear: () => sql`delete from ${failures} where ${isThisOne}`,
  removeExpired: () =>
    sql`delete from ${failures} where rowid in (select rowid from ${failures} where ${isExpired} limit 1000)`,
}
