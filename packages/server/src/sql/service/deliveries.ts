import { list, sql, type Query, type Sql, type Steps } from '../sql.ts'
import { deliveriesIn, orderStatements, webhooksIn, type OrderStatements } from './delivery-order.ts'
import { receiverStatements, type ReceiverStatements } from './receivers.ts'
import type { ServiceDialect } from './service-dialect.ts'
import { tablesIn } from './query-builder.ts'

/**
 * Statements on webhooks and their deliveries. A process that sends a delivery leases it for a while; a fence tells late
 * answers from those of the newest lease. Times are those of the database.
 */
export interface DeliveryStatements extends OrderStatements, ReceiverStatements {
  /** Every webhook; see `webhookColumns`. */
  readonly webhooks: (schema: string) => Query
  /** Locks a webhook. Parameter 0: its id. Epoch, number and ordinal of its cursor, and its status. */
  readonly cursor: (schema: string) => Query
  /** Parameters 0 to 3: id, epoch, number, ordinal. */
  readonly moveCursor: (schema: string) => Query
  readonly clearCursor: (schema: string) => Query
  /** Parameter 0: rows of `newColumns` and `leads` as JSON. Those that are there already stay as they are. */
  readonly insert: (schema: string) => Query
  /**
   * Of some webhooks: whether a delivery is due (1 or NULL), and the milliseconds until the next one will be. The parameters
   * are their ids; those that are left over are NULL. A part for each of them, because databases find the first row of an
   * index for a value that they know beforehand, but not for one that they read from a row.
   */
  readonly dueTimes: Readonly<Record<DueTimesSize, (schema: string) => Query>>
  /** Deliveries of a webhook that are due, locked. Parameter 0: its id. */
  readonly due: (schema: string) => Query
  readonly firstDue: (schema: string) => Query
  /** Leases deliveries. Parameters 0 and 1: their ids as JSON, milliseconds. */
  readonly lease: (schema: string) => Query
  /** Ends leases early. Parameter 0: ids and fences of deliveries as JSON. */
  readonly release: (schema: string) => Query
  /** Writes what came of deliveries. Parameter 0: rows of `endColumns` as JSON. */
  readonly end: (schema: string) => Query
  /** Parameter 0: ids of webhooks as JSON. */
  readonly countDead: (schema: string) => Query
  /** Parameter 0: the id of a webhook, here and in all that follow. */
  readonly disable: (schema: string) => Query
  /** Removes some of what waits; returns how many. */
  readonly dropSome: (schema: string) => Steps
  /** Removes what waits, also if somebody holds it. */
  readonly drop: (schema: string) => Query
  /** Parameter 1: the new secret. */
  readonly rotate: (schema: string) => Query
  /** The item of a delivery that is there. Parameter 1: its id. */
  readonly find: (schema: string) => Query
  /** Has one sent again. Parameter 1: its id. */
  readonly replay: (schema: string) => Query
  /** Has all of an epoch sent again that are after one number, up to another. Parameters 1 to 3. */
  readonly replayAll: (schema: string) => Query
  readonly countReplayed: (schema: string) => Query
  /** Deliveries of a webhook that have been due for so many milliseconds. Parameter 1. */
  readonly overdue: (schema: string) => Query
  /** Ends deliveries without another attempt. Parameter 0: their ids as JSON. */
  readonly giveUp: (schema: string) => Query
  /** Removes some that ended long ago; returns how many. No parameters. */
  readonly removeDelivered: (schema: string) => Steps
  readonly removeDead: (schema: string) => Steps
}

/** After a rotation, the previous secret signs this long. */
const ROTATION = 24 * 3600 * 1000
const DELIVERED_KEPT = 24 * 3600 * 1000
const DEAD_KEPT = 30 * 24 * 3600 * 1000

/** For so many webhooks there are statements that find what is due. Longer ones would not be kept prepared. */
export const MOST_DUE_TIMES = 12
export const DUE_TIMES_SIZES = [1, 5, MOST_DUE_TIMES] as const
type DueTimesSize = (typeof DUE_TIMES_SIZES)[number]

/** How many are leased at once. */
export const TAKEN_AT_ONCE = 100

/** How many one transaction gives up. */
export const ENDED_AT_ONCE = 1000

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
/** The newest lease of a delivery. */
const fenced = (cast: ServiceDialect['cast']): Sql =>
  sql`d.id = ${cell('sent_id')} and d.fence = ${cast.integer(cell('sent_fence'))}`
const cell = (name: string): Sql => sql`x.${sql.id(name)}`

export const deliveryStatements = (dialect: ServiceDialect): DeliveryStatements => ({
  ...webhookStatements(dialect),
  ...sendStatements(dialect),
  ...endStatements(dialect),
  ...replayStatements(dialect),
  ...orderStatements(dialect),
  ...receiverStatements(dialect),
})

type WebhookStatements = Pick<
  DeliveryStatements,
  'webhooks' | 'cursor' | 'moveCursor' | 'clearCursor' | 'countDead' | 'disable' | 'dropSome' | 'drop' | 'rotate'
>

function webhookStatements(dialect: ServiceDialect): WebhookStatements {
  const { text, uuid, integer, uuidsIn, clock, milliseconds } = dialect
  const update = (schema: string, assignments: Sql): Query =>
    sql`update ${webhooksIn(schema)} set ${assignments} where id = ${uuid(0)}`
  const waiting = sql`webhook = ${uuid(0)} and status = 'waiting'`
  const isRecent = sql`${milliseconds(sql`w.rotated`, clock)} < ${sql.lit(ROTATION)}`
  return {
    webhooks: (schema) =>
      sql`select w.id, w.url, w.status, w.collections, w.events, w.fields, w.filter, w.${sql.id('user')}, w.headers,
        w.secret, case when ${isRecent} then w.previous_secret end, w.epoch, w.number,
        ${milliseconds(sql`w.failing_since`, clock)}, ${milliseconds(clock, sql`w.next_probe`)}
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
    countDead: (schema) =>
      sql`update ${webhooksIn(schema)} set dead_count = (select count(*) from ${deliveriesIn(schema)} as d
          where d.webhook = ${webhooksIn(schema)}.id and d.status = 'dead') where id in ${uuidsIn(0)}`,
    disable: (schema) => update(schema, sql`status = 'disabled'`),
    dropSome: (schema) => dialect.removeSome(deliveriesIn(schema), ['id'], waiting),
    drop: (schema) => sql`delete from ${deliveriesIn(schema)} where ${waiting}`,
    rotate: (schema) => update(schema, sql`previous_secret = secret, rotated = ${clock}, secret = ${text(1)}`),
  }
}

type SendStatements = Pick<DeliveryStatements, 'insert' | 'dueTimes' | 'due' | 'firstDue' | 'lease' | 'release'>

function sendStatements(dialect: ServiceDialect): SendStatements {
  const { text, uuid, integer, textRows, cast, now, clock, after, milliseconds } = dialect
  const shown: Readonly<Partial<Record<string, Sql>>> = {
    webhook: cast.uuid(cell('webhook')),
    number: cast.integer(cell('number')),
    ordinal: cast.integer(cell('ordinal')),
  }
  // A process of an earlier version moves `next_attempt` alone.
  const isDue = sql`d.status = 'waiting' and d.due <= ${now} and d.next_attempt <= ${now}
    and (d.leased_until is null or d.leased_until < ${now})`
  const dueOf = (schema: string, most: number): Query =>
    dialect.lockFree(
      sql`select d.id, d.webhook, d.fence, d.tries, d.attempts, d.content, ${dialect.unixTime}, d.item
        from ${deliveriesIn(schema)} as d
        where d.webhook = ${uuid(0)} and ${isDue}
          and exists (select 1 from ${webhooksIn(schema)} as w where w.id = ${uuid(0)} and w.status = 'active')
        order by d.due, d.ordinal limit ${sql.lit(most)}`,
    )
  const dueTime = (schema: string, parameter: number): Sql =>
    sql`select ${uuid(parameter)},
      (select 1 from ${deliveriesIn(schema)} as d where d.webhook = ${uuid(parameter)} and ${isDue}
        order by d.due limit 1),
      (select ceil(${milliseconds(clock, sql`d.due`)}) from ${deliveriesIn(schema)} as d
        where d.webhook = ${uuid(parameter)} and d.status = 'waiting' and d.due > ${now} order by d.due limit 1)`
  const dueTimesOf =
    (size: DueTimesSize) =>
    (schema: string): Query =>
      list(
        Array.from({ length: size }, (_, parameter) => dueTime(schema, parameter)),
        sql` union all `,
      )
  return {
    insert: (schema) =>
      dialect.upsert(
        sql`insert into ${deliveriesIn(schema)} (${names(newColumns)}, attempts, next_attempt, due)
          select ${list(newColumns.map((name) => shown[name] ?? cell(name)))}, ${cast.json(sql`'[]'`)}, ${clock},
            case when ${cell('leads')} is not null then ${clock} end
          from ${textRows(text(0), [...newColumns, 'leads'])} as x where true order by x.n`,
        ['id'],
        [],
      ),
    dueTimes: { 1: dueTimesOf(1), 5: dueTimesOf(5), 12: dueTimesOf(12) },
    due: (schema) => dueOf(schema, TAKEN_AT_ONCE),
    firstDue: (schema) => dueOf(schema, 1),
    lease: (schema) =>
      dialect.updateFrom(
        deliveriesIn(schema),
        sql`fence = d.fence + 1, leased_until = ${after('clock', integer(1))}`,
        textRows(text(0), ['sent_id']),
        sql`d.id = ${cell('sent_id')}`,
      ),
    release: (schema) =>
      dialect.updateFrom(
        deliveriesIn(schema),
        sql`leased_until = null`,
        textRows(text(0), ['sent_id', 'sent_fence']),
        fenced(cast),
      ),
  }
}

type EndStatements = Pick<DeliveryStatements, 'end' | 'overdue' | 'giveUp' | 'removeDelivered' | 'removeDead'>

function endStatements(dialect: ServiceDialect): EndStatements {
  const { text, uuid, integer, textRows, cast, now, clock, after } = dialect
  const next = sql`case when ${cell('new_wait')} is not null then ${after('clock', cast.integer(cell('new_wait')))} end`
  const removeOld = (schema: string, status: string, age: number): Steps =>
    dialect.removeSome(
      deliveriesIn(schema),
      ['id'],
      sql`status = ${sql.lit(status)} and ended < ${after('now', sql`${sql.lit(-age)}`)}`,
    )
  return {
    end: (schema) =>
      dialect.updateFrom(
        deliveriesIn(schema),
        sql`status = ${cell('new_status')}, tries = ${cast.integer(cell('new_tries'))},
          attempts = ${cast.json(cell('new_attempts'))}, leased_until = null, next_attempt = ${next}, due = ${next},
          ended = case when ${cell('new_wait')} is null then ${clock} end`,
        textRows(text(0), endColumns),
        fenced(cast),
      ),
    overdue: (schema) =>
      dialect.lockFree(
        sql`select d.id, d.item from ${deliveriesIn(schema)} as d
          where d.webhook = ${uuid(0)} and d.status = 'waiting' and d.due < ${after('now', sql`-${integer(1)}`)}
            and d.next_attempt < ${after('now', sql`-${integer(1)}`)}
            and (d.leased_until is null or d.leased_until < ${now})
          order by d.due, d.ordinal limit ${sql.lit(ENDED_AT_ONCE)}`,
      ),
    giveUp: (schema) =>
      dialect.updateFrom(
        deliveriesIn(schema),
        sql`status = 'dead', next_attempt = null, due = null, leased_until = null, fence = d.fence + 1, ended = ${clock}`,
        textRows(text(0), ['sent_id']),
        sql`d.id = ${cell('sent_id')}`,
      ),
    removeDelivered: (schema) => removeOld(schema, 'delivered', DELIVERED_KEPT),
    removeDead: (schema) => removeOld(schema, 'dead', DEAD_KEPT),
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
  const anew = sql`status = 'waiting', tries = 0, attempts = ${cast.json(sql`'[]'`)}, next_attempt = ${clock}, due = null,
    leased_until = null, fence = fence + 1, ended = null`
  const isMeant = sql`webhook = ${uuid(0)} and epoch = ${text(1)} and number > ${integer(2)} and number <= ${integer(3)}`
  return {
    find: (schema) => sql`select item from ${deliveriesIn(schema)} where webhook = ${uuid(0)} and id = ${text(1)}`,
    replay: (schema) => sql`update ${deliveriesIn(schema)} set ${anew} where webhook = ${uuid(0)} and id = ${text(1)}`,
    replayAll: (schema) => sql`update ${deliveriesIn(schema)} set ${anew} where ${isMeant}`,
    countReplayed: (schema) => sql`select count(*) from ${deliveriesIn(schema)} where ${isMeant}`,
  }
}
