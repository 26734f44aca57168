import { sql, type Query, type Sql } from '../sql.ts'
import { webhooksIn } from './delivery-order.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/** How receivers of webhooks behave: failed attempts in a row, and since when a receiver fails. */
export interface ReceiverStatements {
  /** Locks webhooks: id, failures, milliseconds since it fails. Parameter 0: their ids as JSON, here and in the next two. */
  readonly receivers: (schema: string) => Query
  readonly succeeded: (schema: string) => Query
  readonly failed: (schema: string) => Query
  /** Parameter 0: rows of `receiverColumns` as JSON; `new_probe`: milliseconds until the next attempt, NULL: it does not fail. */
  readonly setReceivers: (schema: string) => Query
  /** Locks a failing webhook if it is time for an attempt; no row: it is not. Parameter 0: its id. */
  readonly probe: (schema: string) => Query
  /** Parameters 0 and 1: its id, milliseconds until the next attempt. */
  readonly moveProbe: (schema: string) => Query
}

const receiverColumns = ['of_id', 'new_failures', 'new_probe'] as const

export function receiverStatements(dialect: ServiceDialect): ReceiverStatements {
  const { text, uuid, integer, uuidsIn, textRows, cast, clock, after, milliseconds } = dialect
  const probe = sql`x.new_probe`
  const updateMany = (schema: string, assignments: Sql): Query =>
    sql`update ${webhooksIn(schema)} set ${assignments} where id in ${uuidsIn(0)}`
  return {
    receivers: (schema) =>
      dialect.locked(
        tablesIn(schema)
          .selectFrom('service_webhooks')
          .select(['id', 'failures', sql<number>`${milliseconds(sql`failing_since`, clock)}`.as('failing_for')])
          .where(sql<boolean>`id in ${uuidsIn(0)}`)
          .orderBy('id'),
        'update',
      ),
    succeeded: (schema) => updateMany(schema, sql`last_success = ${clock}`),
    failed: (schema) => updateMany(schema, sql`last_failure = ${clock}`),
    setReceivers: (schema) =>
      dialect.updateFrom(
        webhooksIn(schema),
        sql`failures = ${cast.integer(sql`x.new_failures`)},
          failing_since = case when ${probe} is not null then coalesce(d.failing_since, ${clock}) end,
          next_probe = case when ${probe} is not null then ${after('clock', cast.integer(probe))} end`,
        textRows(text(0), receiverColumns),
        sql`d.id = ${cast.uuid(sql`x.of_id`)}`,
      ),
    probe: (schema) =>
      dialect.locked(
        tablesIn(schema)
          .selectFrom('service_webhooks')
          .select('id')
          .where('id', '=', uuid(0))
          .where(sql<boolean>`status = 'active' and next_probe <= ${clock}`),
        'update',
      ),
    moveProbe: (schema) =>
      sql`update ${webhooksIn(schema)} set next_probe = ${after('clock', integer(1))} where id = ${uuid(0)}`,
  }
}
