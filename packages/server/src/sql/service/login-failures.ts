import { column as columnOf, sql, table, type Query, type Sql, type Steps } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn, type ServiceDatabase, type Timestamp } from './query-builder.ts'

/** How failed logins delay the next one; the same on every database. */
const delays = {
  /** 2 to this power exceeds the longest delay. */
  mostDoublings: 10,
  /** In seconds. */
  longest: 900,
  /**
   * Failures expire after this time without a new one, in milliseconds. The longest delay allows four guesses an hour
   * anyway.
   */
  kept: 3_600_000,
} as const

/** Statements on failed logins. Parameters 0 and 1 are always the account and the network. */
export interface LoginFailureStatements {
  /**
   * Counts an attempt before it is checked and returns the number of failures including it; no row while an earlier
   * failure delays this one. Parameter 2: the number of failures at which delays begin.
   */
  readonly count: (schema: string) => Steps
  /** Milliseconds until the next attempt is allowed; no row if there are no failures. */
  readonly wait: (schema: string) => Query
  /** Reverts the count of an attempt that was not a guess. Parameter 2: the number of failures including it. */
  readonly uncount: (schema: string) => Query
  /** Ends the delay of one account in one network. */
  readonly clear: (schema: string) => Query
  /** Removes some of the expired rows. No parameters. */
  readonly removeExpired: (schema: string) => Steps
}

const TABLE = 'service_login_failures'
const KEYS = ['account', 'network'] as const

const column = (name: keyof ServiceDatabase[typeof TABLE]): Sql => columnOf(TABLE, name)

/** Expressions of `count`, also for databases where it takes several statements. */
export const loginFailureExpressions = ({ text, integer, clock, after, least }: ServiceDialect) => {
  const isExpired = sql`${column('last_failure')} < ${after('clock', sql.lit(-delays.kept))}`
  const delay = (failures: Sql): Sql => {
    const doublings = least(sql`${failures} - ${integer(2)}`, sql.lit(delays.mostDoublings))
    return sql`${least(sql.lit(delays.longest), sql`power(2, ${doublings})`)} * 1000`
  }
  return {
    isThisOne: sql<boolean>`${column('account')} = ${text(0)} and ${column('network')} = ${text(1)}`,
    isExpired,
    isFree: sql`(${column('blocked_until')} is null or ${column('blocked_until')} <= ${clock})`,
    failures: sql<number>`(case when ${isExpired} then 1 else ${column('failures')} + 1 end)`,
    blockedUntil: (failures: Sql) =>
      sql<Timestamp>`case when ${failures} >= ${integer(2)} then ${after('clock', delay(failures))} end`,
  }
}

export const loginFailureStatements = (dialect: ServiceDialect): LoginFailureStatements => {
  const { text, integer, clock } = dialect
  const { isThisOne, isExpired, isFree, failures, blockedUntil } = loginFailureExpressions(dialect)
  const insert = (schema: string) =>
    tablesIn(schema)
      .insertInto(TABLE)
      .values({
        account: text(0),
        network: text(1),
        failures: sql.lit(1),
        last_failure: clock,
        blocked_until: blockedUntil(sql.lit(1)),
      })
  return {
    count: (schema) => sql`${insert(schema)} on conflict (account, network) do update
      set failures = ${failures}, last_failure = ${clock}, blocked_until = ${blockedUntil(failures)}
      where ${isFree} returning failures`,
    wait: (schema) =>
      tablesIn(schema)
        .selectFrom(TABLE)
        .select(sql`ceil(${dialect.milliseconds(clock, column('blocked_until'))})`.as('wait'))
        .where(isThisOne),
    // Where assignments run from left to right, the first one must see the old count.
    uncount: (schema) =>
      tablesIn(schema)
        .updateTable(TABLE)
        .set({
          blocked_until: sql`case when failures = ${integer(2)} then null else blocked_until end`,
          failures: sql`failures - 1`,
        })
        .where(isThisOne)
        .where('failures', '>', sql.lit(0)),
    clear: (schema) => tablesIn(schema).deleteFrom(TABLE).where(isThisOne),
    removeExpired: (schema) => dialect.removeSome(table(schema, TABLE), KEYS, isExpired),
  }
}
