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
  /** The deliveries of items that have `due`: item, id, and whether it is being sent. Parameter 0: webhooks and items as JSON. */
  readonly marked: (schema: string) => Query
  /** A row if deliveries wait without `due`. Parameter 0: the id of a webhook, here and in all that follow. */
  readonly someUnmarked: (schema: string) => Query
  /** Items, and whether a delivery has `due`, of what waits behind an item, by item. Parameter 1: the item. */
  readonly waitingAfter: (schema: string) => Query
  /** The items of deliveries of an epoch that are after one number, up to another. Parameters 1 to 3. */
  readonly itemsIn: (schema: string) => Query
}

/** How many deliveries are looked at, or items marked, at once. */
export const MARKED_AT_ONCE = 1000

export const webhooksIn = (schema: string): Sql => table(schema, 'service_webhooks')
export const deliveriesIn = (schema: string): Sql => table(schema, 'service_deliveries')

export function orderStatements(dialect: ServiceDialect): OrderStatements {
  const { text, uuid, integer, textRows, updateFrom, cast, now } = dialect
  const hasDue = sql`case when d.due is null then 'false' else 'true' end`
  const set = (schema: string, assignments: Sql) =>
    updateFrom(
      deliveriesIn(schema),
      assignments,
      textRows(text(0), ['sent_id']),
      sql`d.id = x.sent_id and d.status = 'waiting'`,
    )
  return {
    firsts: (schema) =>
      sql`select d.item, d.id, ${hasDue}
        from (select (select f.id from ${deliveriesIn(schema)} as f
            where f.webhook = ${cast.uuid(sql`x.of_webhook`)} and f.item = x.of_item and f.status = 'waiting'
            order by f.ordinal limit 1) as id
          from ${textRows(text(0), ['of_webhook', 'of_item'])} as x) as k
        join ${deliveriesIn(schema)} as d on d.id = k.id`,
    mark: (schema) => set(schema, sql`due = d.next_attempt`),
    unmark: (schema) => set(schema, sql`due = null`),
    marked: (schema) =>
      sql`select d.item, d.id, case when d.leased_until > ${now} then 'true' else 'false' end
        from ${textRows(text(0), ['of_webhook', 'of_item'])} as x join ${deliveriesIn(schema)} as d
          on d.webhook = ${cast.uuid(sql`x.of_webhook`)} and d.item = x.of_item and d.status = 'waiting' and d.due is not null`,
    someUnmarked: (schema) =>
      sql`select 1 from ${deliveriesIn(schema)} as d
        where d.webhook = ${uuid(0)} and d.status = 'waiting' and d.due is null limit 1`,
    waitingAfter: (schema) =>
      sql`select d.item, ${hasDue} from ${deliveriesIn(schema)} as d
        where d.webhook = ${uuid(0)} and d.status = 'waiting' and d.item > ${text(1)}
        order by d.item, d.status, d.ordinal limit ${sql.lit(MARKED_AT_ONCE)}`,
    itemsIn: (schema) =>
      sql`select distinct d.item from ${deliveriesIn(schema)} as d where d.webhook = ${uuid(0)}
        and d.epoch = ${text(1)} and d.number > ${integer(2)} and d.number <= ${integer(3)}`,
  }
}
