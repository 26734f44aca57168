import { loginFailureExpressions, type LoginFailureStatements } from '../../service/login-failures.ts'
import type { ServiceDialect } from '../../service/service-dialect.ts'
import { sql, table } from '../../sql.ts'

/** No statement here both writes a row and returns it. */
export const countInSteps = (dialect: ServiceDialect): Pick<LoginFailureStatements, 'count'> => {
  const { isThisOne, isFree, failures, blockedUntil } = loginFailureExpressions(dialect)
  return {
    count: (schema) => {
      const rows = table(schema, 'service_login_failures')
      return [
        // Locks the row whether or not it existed. After a plain read, two transactions would both hold a shared lock.
        sql`insert into ${rows} (account, network, failures, last_failure)
          values (${dialect.text(0)}, ${dialect.text(1)}, 0, now(6)) on duplicate key update account = values(account)`,
        sql`select count(*) into @tain_found from ${rows} where ${isThisOne} and ${isFree} for update`,
        // Assignments run from left to right: the delay uses the new count.
        sql`update ${rows} set failures = ${failures}, last_failure = now(6), blocked_until = ${blockedUntil(sql`failures`)}
          where ${isThisOne} and @tain_found = 1`,
        sql`select failures from ${rows} where ${isThisOne} and @tain_found = 1`,
      ]
    },
  }
}
