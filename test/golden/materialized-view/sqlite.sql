select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."status" as "c0", "t1"."articles" as "c1", "t1"."views" as "c2"
  from "main"."article_stats" as "t1"
  where true
  order by "t1"."articles" desc nulls first, "t1"."status" nulls last, "t1"."views" nulls last
  limit 100
) as r on true
