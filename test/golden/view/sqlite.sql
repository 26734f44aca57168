select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", "t1"."slug" as "c1"
  from "main"."published_articles" as "t1"
  where true
  order by tain_moment("t1"."published") desc nulls first, "t1"."id" nulls last, "t1"."title" nulls last, "t1"."slug" nulls last, "t1"."author" nulls last
  limit 2
) as r on true
