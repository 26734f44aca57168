-- articles {"fields":"id","meta":"estimated_count"}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select
  case
  when c.reltuples >= 0 then c.reltuples::bigint
  else (
    select count(*)
    from "public"."articles" as "t2"
    where true
  ) end
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1::text and c.relname = $2::text
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select coalesce(t.table_rows, (
    select count(*)
    from `app`.`articles` as `t2`
    where true
  ))
  from information_schema.tables t
  where t.table_schema = ? and t.table_name = ?
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where true
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from "main"."articles" as "t2"
  where true
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true
