select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."language" as "c0", "t1"."term" as "c1", "t1"."label" as "c2", "t1".xmin::text as "c3"
  from "public"."labels" as "t1"
  where ("t1"."language" = $1::character varying and "t1"."term" = $2::character varying)
) as r on true
