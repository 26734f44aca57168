import { sql, table, type Query, type Sql } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'

/**
 * The order of deliveries per item. Of the deliveries that wait, the first one of each item has `due`, the time of its next
 * attempt; the others have NULL until it has ended. Deliveries are found by `due`, so that the cost of finding them does not
 * depend on how many wait behind others. A transaction that changes which one is first locks the webhook before that.
 */
export interface OrderStatements {
  /** The first delivery of each item: its item, its id, and whether it has `due`. Parameter 0: webhooks and items as JSON. */
  readonly firsts: (schema: string) => Query
  /** Parameter 0: ids of deliveries as JSON, here and in the next one. */
  readonly mark: (schema: string) => Query
  readonly unmark: (schema: string) => Query
  /** First deliveries of a webhook without `due`. Parameter 0: its id, here and in the next one. */
  readonly unmarked: (schema: string) => Query
  /** Deliveries with `due` that are not the first ones any more, and are not being sent. */
  readonly displaced: (schema: string) => Query
}

/** How many are marked at once. */
export const MARKED_AT_ONCE = 1000

export const webhooksIn = (schema: string): Sql => table(schema, 'service_webhooks')
export const deliveriesIn = (schema: string): Sql => table(schema, 'service_deliveries')

export function orderStatements({ text, uuid, textRows, updateFrom, cast, now }: ServiceDialect): OrderStatements {
  const waiting = (schema: string, more: Sql) =>
    sql`select 1 from ${deliveriesIn(schema)} as e
      where e.webhook = d.webhook and e.item = d.item and e.status = 'waiting' and ${more}`
  const set = (schema: string, assignments: Sql) =>
    updateFrom(
      deliveriesIn(schema),
      assignments,
      textRows(text(0), ['sent_id']),
      sql`d.id = x.sent_id and d.status = 'waiting'`,
    )
  return {
    firsts: (schema) =>
      sql`select d.item, d.id, case when d.due is null then 'false' else 'true' end
        from (select (select f.id from ${deliveriesIn(schema)} as f
            where f.webhook = ${cast.uuid(sql`x.of_webhook`)} and f.item = x.of_item and f.status = 'waiting'
            order by f.ordinal limit 1) as id
          from ${textRows(text(0), ['of_webhook', 'of_item'])} as x) as k
        join ${deliveriesIn(schema)} as d on d.id = k.id`,
    mark: (schema) => set(schema, sql`due = d.next_attempt`),
    unmark: (schema) => set(schema, sql`due = null`),
    unmarked: (schema) =>
      sql`select d.id from ${deliveriesIn(schema)} as d
        where d.webhook = ${uuid(0)} and d.status = 'waiting' and d.due is null and not exists (${waiting(
          schema,
          sql`(e.ordinal < d.ordinal or (e.due is not null and e.leased_until > ${now}))`,
        )}) limit ${sql.lit(MARKED_AT_ONCE)}`,
    displaced: (schema) =>
      sql`select d.id from ${deliveriesIn(schema)} as d
        where d.webhook = ${uuid(0)} and d.status = 'waiting' and d.due is not null
          and (d.leased_until is null or d.leased_until < ${now})
          and exists (${waiting(schema, sql`e.ordinal < d.ordinal`)})`,
  }
}
