-- articles {"fields":"id","filter":{"document":{"_json":{"a.b":1}}}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where (case when jsonb_typeof("t1"."document"::jsonb #> $1::text[]) = 'number' then ("t1"."document"::jsonb #>> $2::text[])::numeric end) = $3::numeric
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (case when (case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`document`, l.p)) <> 'ARRAY'
  ) then json_type(json_extract(`t1`.`document`, ?)) end) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(json_unquote(json_extract(`t1`.`document`, ?)) as decimal(65, 30)) end) = cast(? as decimal(65, 30))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where cast(tain_number_at("t1"."document", ?) as numeric) = cast(? as numeric)
  order by "t1"."id"
  limit 100
) as r on true
