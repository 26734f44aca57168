select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."name" as "c0"
  from "public"."countries" as "t1"
  where "t1"."code" = any($1::character varying[])
  order by "t1"."code"
) as r on true
