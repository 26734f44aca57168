import { placeholder } from '../../bind.ts'
import { AT_ONCE, type EventDialect } from '../../service/events.ts'
import { list, sql, table, type Sql } from '../../sql.ts'
import type { Server } from './capabilities.ts'
import { createServiceDialect } from './service.ts'

const given = (parameter: number) => sql`${placeholder(parameter, String)}::text`

const moved = ['write', 'collection', 'item', 'kind', 'before', 'after', 'user', 'at'] as const
const names = (source?: string): Sql =>
  list(moved.map((name) => (source === undefined ? sql.id(name) : sql.id(source, name))))

/**
 * The snapshot is older than the lock on the head, and that is enough: what another one has moved meanwhile is found
 * deleted, and what it has not seen stays in order behind it. Changes of a transaction stay together, at the place of its
 * last one: until then it held the rows that others changed after it.
 */
const sequence = (schema: string): Sql => {
  const head = table(schema, 'service_event_head')
  const outbox = table(schema, 'service_outbox')
  return sql`with h as materialized (select position from ${head} for update skip locked),
    m as (delete from ${outbox} where seq = any (array(
      select seq from ${outbox} where exists (select 1 from h) order by seq limit ${sql.lit(AT_ONCE)})) returning seq, ${names()}),
    l as (select m.*, max(seq) over (partition by write) as last from m),
    n as (select l.*, row_number() over (order by last, seq) as n,
      coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0) + 200 as size from l),
    e as (insert into ${table(schema, 'service_events')} (position, size, ${names()})
      select h.position + n.n, n.size, ${names('n')} from n, h),
    u as (update ${head} set position = position + (select count(*) from n), bytes = bytes + (select sum(size) from n)
      where exists (select 1 from n))
    select (select count(*) from h), (select count(*) from n)`
}

const writers: EventDialect['writers'] = (schema, name, among) =>
  sql`select virtualtransaction from pg_catalog.pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and granted and pid <> pg_backend_pid()
      and database = (select oid from pg_catalog.pg_database where datname = current_database())
      and relation = to_regclass(format('%I.%I', ${schema}::text, ${name}::text))${
        among ? sql` and virtualtransaction in (select k from json_array_elements_text(${given(0)}::json) as k)` : sql``
      }`

export const createEventDialect = (server: Server): EventDialect => ({
  ...createServiceDialect(server),
  integerOf: (text) => sql`${text}::bigint`,
  shownTime: (time) => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  sizeOf: (text) => sql`octet_length(${text})`,
  write: () => sql`txid_current()::text`,
  // A dump that is restored has tables of its own; a failover, or a restore to a point in time, begins a new line of the log.
  identity: (schema) =>
    server.can.locks === 'lease'
      ? sql`'cluster'::text`
      : sql`current_database()::text || ' ' || ${table(schema, 'service_event_head')}.tableoid::text || ' ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`,
  unlessLocked: server.can.skipLocked ? sql` for update skip locked` : sql` for update`,
  sequence: server.can.skipLocked ? sequence : null,
  clear: (schema) =>
    sql`delete from ${table(schema, 'service_outbox')} where seq = any (array(
      select (k ->> 'seq')::bigint from json_array_elements(${given(0)}::json) as k))`,
  writers,
  untell: (schema, rows) =>
    sql`delete from ${table(schema, 'service_outbox')} o using ${rows} as x
      where o.write = 'o' || txid_current() and md5(o.item) = md5(x.item) and o.item = x.item and o.collection = x.collection`,
})
