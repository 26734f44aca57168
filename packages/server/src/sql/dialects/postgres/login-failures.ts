import { placeholder } from '../../bind.ts'
import { delays, type LoginFailureStatements } from '../../login-failures.ts'
import { sql, table, type Sql } from '../../sql.ts'

const text = (parameter: number): Sql => sql`${placeholder(parameter, String)}::text`
const number = (parameter: number): Sql => sql`${placeholder(parameter, String)}::integer`

const failures = (schema: string) => table(schema, 'service_login_failures')
const isThisOne = sql`account = ${text(0)} and network = ${text(1)}`
const isExpired = (column: Sql): Sql =>
  sql`${column} < clock_timestamp() - ${sql.lit(delays.kept)} * interval '1 second'`

const blockedUntil = (count: Sql): Sql =>
  sql`case when ${count} >= ${number(2)} then clock_timestamp()
    + least(${sql.lit(delays.longest)}, power(2, least(${count} - ${number(2)}, ${sql.lit(delays.mostDoublings)}))) * interval '1 second' end`

const counted = sql`case when ${isExpired(sql`f.last_failure`)} then 1 else f.failures + 1 end`

export const loginFailures: LoginFailureStatements = {
  count: (schema) =>
    sql`insert into ${failures(schema)} as f (account, network, failures, last_failure, blocked_until)
      values (${text(0)}, ${text(1)}, 1, clock_timestamp(), ${blockedUntil(sql.lit(1))})
      on conflict (account, network) do update set failures = ${counted}, last_failure = clock_timestamp(),
        blocked_until = ${blockedUntil(sql`(${counted})`)}
      where f.blocked_until is null or f.blocked_until <= clock_timestamp() returning failures`,
  wait: (schema) =>
    sql`select greatest(0, ceil(extract(epoch from (blocked_until - clock_timestamp())) * 1000))::bigint
      from ${failures(schema)} where ${isThisOne}`,
  uncount: (schema) =>
    sql`update ${failures(schema)} set failures = failures - 1,
        blocked_until = case when failures = ${number(2)} then null else blocked_until end
      where ${isThisOne} and failures > 0`,
  clear: (schema) => sql`delete from ${failures(schema)} where ${isThisOne}`,
  removeExpired: (schema) =>
    sql`delete from ${failures(schema)} where (account, network) in (
      select account, network from ${failures(schema)} where ${isExpired(sql`last_failure`)} limit 1000 for update skip locked)`,
}
