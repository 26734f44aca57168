select v.stamp, r.p, "r"."c0", (
  select count(*)
  from "public"."articles" as "t2"
  where true
), (
  select count(*)
  from "public"."articles" as "t3"
  where "t3"."status" = $1::character varying
)
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where "t1"."status" = $2::character varying
  order by "t1"."id"
  limit 1
) as r on true
