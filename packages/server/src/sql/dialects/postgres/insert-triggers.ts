/**
 * Relations whose inserted rows a BEFORE or INSTEAD OF trigger may fill or skip, or a rule may rewrite. Triggers of a
 * partition count for its root table, which is served in its place.
 */
export const insertTriggersText = `
  select coalesce(pg_partition_root(t.tgrelid), t.tgrelid)::oid::text
  from pg_catalog.pg_trigger t
  where not t.tgisinternal and t.tgenabled <> 'D' and t.tgtype & 1 <> 0 and t.tgtype & 4 <> 0 and t.tgtype & 66 <> 0
  union
  select r.ev_class::text from pg_catalog.pg_rewrite r where r.ev_type = '3' and r.ev_enabled <> 'D'`

/** The catalogue rows that determine this. Trigger copies on partitions do not count: they come and go with them. */
export const insertTriggerRows = {
  triggers: 'pg_catalog.pg_trigger x where not x.tgisinternal and x.tgparentid = 0 and x.tgtype & 4 <> 0',
  rules: `pg_catalog.pg_rewrite x where x.ev_type = '3'`,
} as const
