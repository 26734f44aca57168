import { list, sql, table, type Query, type Sql } from '../sql.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './tables.ts'

/**
 * Statements on webhooks and their deliveries. Who sends a delivery leases it for a while; a fence tells late answers from
 * those of the newest lease. Times are those of the database.
 */
export interface DeliveryStatements {
  /** Every webhook; see `webhookColumns`. */
  readonly webhooks: (schema: string) => Query
  /** Locks a webhook. Parameter 0: its id. Epoch, number and ordinal of its cursor, and its status. */
  readonly cursor: (schema: string) => Query
  /** Parameters 0 to 3: id, epoch, number, ordinal. */
  readonly moveCursor: (schema: string) => Query
  readonly clearCursor: (schema: string) => Query
  /** Parameter 0: rows of `newColumns` as JSON. Those that are there already stay as they are. */
  readonly insert: (schema: string) => Query
  /** The first deliveries of items that are due, locked. Parameter 0: ids of webhooks as JSON. See `dueColumns`. */
  readonly due: (schema: string) => Query
  /** Leases deliveries. Parameters 0 and 1: their ids as JSON, milliseconds. */
  readonly lease: (schema: string) => Query
  /** Writes what came of deliveries. Parameter 0: rows of `endColumns` as JSON. */
  readonly end: (schema: string) => Query
  /** Parameter 0: ids of webhooks as JSON, here and in the next two. */
  readonly succeeded: (schema: string) => Query
  readonly failed: (schema: string) => Query
  readonly countDead: (schema: string) => Query
  /** Parameter 0: the id of a webhook, here and in all that follow. */
  readonly disable: (schema: string) => Query
  /** Removes what waits. */
  readonly drop: (schema: string) => Query
  /** Parameter 1: the new secret. */
  readonly rotate: (schema: string) => Query
  /** The ids of a delivery that is there. Parameter 1: its id. */
  readonly find: (schema: string) => Query
  /** Has one sent again. Parameter 1: its id. */
  readonly replay: (schema: string) => Query
  /** Has all of an epoch sent again that are after one number, up to another. Parameters 1 to 3. */
  readonly replayAll: (schema: string) => Query
  readonly countReplayed: (schema: string) => Query
  /** Removes some that ended long ago. No parameters. */
  readonly removeDelivered: (schema: string) => Query
  readonly removeDead: (schema: string) => Query
  /** Milliseconds until something more is due; NULL: nothing will be. No parameters. */
  readonly nextDue: (schema: string) => Query
}

/** After a rotation, the previous secret signs this long. */
const ROTATION = 24 * 3600 * 1000
const DELIVERED_KEPT = 24 * 3600 * 1000
const DEAD_KEPT = 30 * 24 * 3600 * 1000

/** How many are leased at once. */
export const TAKEN_AT_ONCE = 100

const newColumns = [
  'id',
  'webhook',
  'type',
  'collection',
  'key',
  'position',
  'epoch',
  'number',
  'ordinal',
  'item',
  'content',
] as const

const endColumns = ['sent_id', 'sent_fence', 'new_status', 'new_tries', 'new_attempts', 'new_wait'] as const

const names = (columns: readonly string[]): Sql => list(columns.map((name) => sql.id(name)))
const cell = (name: string): Sql => sql`x.${sql.id(name)}`
const webhooksIn = (schema: string): Sql => table(schema, 'service_webhooks')
const deliveriesIn = (schema: string): Sql => table(schema, 'service_deliveries')

export const deliveryStatements = (dialect: ServiceDialect): DeliveryStatements => ({
  ...webhookStatements(dialect),
  ...sendStatements(dialect),
  ...replayStatements(dialect),
})

type WebhookStatements = Pick<
  DeliveryStatements,
  | 'webhooks'
  | 'cursor'
  | 'moveCursor'
  | 'clearCursor'
  | 'succeeded'
  | 'failed'
  | 'countDead'
  | 'disable'
  | 'drop'
  | 'rotate'
>

function webhookStatements(dialect: ServiceDialect): WebhookStatements {
  const { text, uuid, integer, uuidsIn, clock, milliseconds } = dialect
  const update = (schema: string, assignments: Sql): Query =>
    sql`update ${webhooksIn(schema)} set ${assignments} where id = ${uuid(0)}`
  const updateMany = (schema: string, assignments: Sql): Query =>
    sql`update ${webhooksIn(schema)} set ${assignments} where id in ${uuidsIn(0)}`
  const isRecent = sql`${milliseconds(sql`w.rotated`, clock)} < ${sql.lit(ROTATION)}`
  return {
    webhooks: (schema) =>
      sql`select w.id, w.url, w.status, w.collections, w.events, w.fields, w.filter, w.${sql.id('user')}, w.headers,
        w.secret, case when ${isRecent} then w.previous_secret end, w.epoch, w.number
        from ${webhooksIn(schema)} as w order by w.id`,
    cursor: (schema) =>
      dialect.locked(
        tablesIn(schema)
          .selectFrom('service_webhooks')
          .select(['epoch', 'number', 'ordinal', 'status'])
          .where('id', '=', uuid(0)),
        'update',
      ),
    moveCursor: (schema) => update(schema, sql`epoch = ${text(1)}, number = ${integer(2)}, ordinal = ${integer(3)}`),
    clearCursor: (schema) => update(schema, sql`epoch = null, number = null`),
    succeeded: (schema) => updateMany(schema, sql`last_success = ${clock}`),
    failed: (schema) => updateMany(schema, sql`last_failure = ${clock}`),
    countDead: (schema) =>
      updateMany(
        schema,
        sql`dead_count = (select count(*) from ${deliveriesIn(schema)} as d
          where d.webhook = ${webhooksIn(schema)}.id and d.status = 'dead')`,
      ),
    disable: (schema) => update(schema, sql`status = 'disabled', epoch = null, number = null`),
    drop: (schema) => sql`delete from ${deliveriesIn(schema)} where webhook = ${uuid(0)} and status = 'waiting'`,
    rotate: (schema) => update(schema, sql`previous_secret = secret, rotated = ${clock}, secret = ${text(1)}`),
  }
}

type SendStatements = Pick<
  DeliveryStatements,
  'insert' | 'due' | 'lease' | 'end' | 'removeDelivered' | 'removeDead' | 'nextDue'
>

function sendStatements(dialect: ServiceDialect): SendStatements {
  const { text, integer, uuidsIn, textsIn, textRows, cast, now, clock, after, milliseconds } = dialect
  const shown: Readonly<Partial<Record<string, Sql>>> = {
    webhook: cast.uuid(cell('webhook')),
    number: cast.integer(cell('number')),
    ordinal: cast.integer(cell('ordinal')),
  }
  const removeOld = (schema: string, status: string, age: number): Query =>
    dialect.removeSome(
      deliveriesIn(schema),
      ['id'],
      sql`status = ${sql.lit(status)} and ended < ${after('now', sql`${sql.lit(-age)}`)}`,
    )
  return {
    insert: (schema) =>
      dialect.upsert(
        sql`insert into ${deliveriesIn(schema)} (${names(newColumns)}, attempts, next_attempt)
          select ${list(newColumns.map((name) => shown[name] ?? cell(name)))}, ${cast.json(sql`'[]'`)}, ${clock}
          from ${textRows(text(0), newColumns)} as x where true order by x.n`,
        ['id'],
        [],
      ),
    due: (schema) =>
      dialect.lockFree(
        sql`select d.id, d.webhook, d.fence, d.tries, d.attempts, d.content, ${dialect.unixTime}
          from ${deliveriesIn(schema)} as d
          where d.id in (select f.id from (select c.id from ${deliveriesIn(schema)} as c
              where c.status = 'waiting' and c.next_attempt <= ${now}
                and (c.leased_until is null or c.leased_until < ${now}) and c.webhook in ${uuidsIn(0)}
                and c.ordinal = (select min(e.ordinal) from ${deliveriesIn(schema)} as e
                  where e.webhook = c.webhook and e.item = c.item and e.status = 'waiting')
              order by c.next_attempt, c.ordinal limit ${sql.lit(TAKEN_AT_ONCE)}) as f)
            and d.status = 'waiting' and d.next_attempt <= ${now} and (d.leased_until is null or d.leased_until < ${now})
            and exists (select 1 from ${webhooksIn(schema)} as w where w.id = d.webhook and w.status = 'active')
            and not exists (select 1 from ${deliveriesIn(schema)} as e
              where e.webhook = d.webhook and e.item = d.item and e.status = 'waiting' and e.id <> d.id
                and e.leased_until > ${now})
          order by d.next_attempt, d.ordinal limit ${sql.lit(TAKEN_AT_ONCE)}`,
      ),
    lease: (schema) =>
      sql`update ${deliveriesIn(schema)} set fence = fence + 1, leased_until = ${after('clock', integer(1))}
        where id in ${textsIn(0)}`,
    end: (schema) =>
      dialect.updateFrom(
        deliveriesIn(schema),
        sql`status = ${cell('new_status')}, tries = ${cast.integer(cell('new_tries'))},
          attempts = ${cast.json(cell('new_attempts'))}, leased_until = null,
          next_attempt = case when ${cell('new_wait')} is not null then ${after('clock', cast.integer(cell('new_wait')))} end,
          ended = case when ${cell('new_wait')} is null then ${clock} end`,
        textRows(text(0), endColumns),
        sql`d.id = ${cell('sent_id')} and d.fence = ${cast.integer(cell('sent_fence'))}`,
      ),
    removeDelivered: (schema) => removeOld(schema, 'delivered', DELIVERED_KEPT),
    removeDead: (schema) => removeOld(schema, 'dead', DEAD_KEPT),
    nextDue: (schema) =>
      sql`select ceil(${milliseconds(clock, sql`min(d.next_attempt)`)}) from ${deliveriesIn(schema)} as d
        where d.status = 'waiting' and d.next_attempt > ${now}`,
  }
}

function replayStatements({
  text,
  uuid,
  integer,
  clock,
  cast,
}: ServiceDialect): Pick<DeliveryStatements, 'find' | 'replay' | 'replayAll' | 'countReplayed'> {
  // A late answer of the previous lease no longer counts.
  const anew = sql`status = 'waiting', tries = 0, attempts = ${cast.json(sql`'[]'`)}, next_attempt = ${clock},
    leased_until = null, fence = fence + 1, ended = null`
  const isMeant = sql`webhook = ${uuid(0)} and epoch = ${text(1)} and number > ${integer(2)} and number <= ${integer(3)}`
  return {
    find: (schema) => sql`select id from ${deliveriesIn(schema)} where webhook = ${uuid(0)} and id = ${text(1)}`,
    replay: (schema) => sql`update ${deliveriesIn(schema)} set ${anew} where webhook = ${uuid(0)} and id = ${text(1)}`,
    replayAll: (schema) => sql`update ${deliveriesIn(schema)} set ${anew} where ${isMeant}`,
    countReplayed: (schema) => sql`select count(*) from ${deliveriesIn(schema)} where ${isMeant}`,
  }
}
