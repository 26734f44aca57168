select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."at" as "c0", "t1"."path" as "c1", "t1"."status" as "c2"
  from "public"."access_log" as "t1"
  where true
  order by "t1"."at", "t1"."path", "t1"."status"
  limit 2
  offset $1::bigint
) as r on true
