select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."authors" as "t1"
  where ("t1"."id" = $1::numeric or lower("t1"."name") like lower($2::text) or lower("t1"."email") like lower($3::text) or lower("t1"."country") like lower($4::text))
  order by "t1"."id"
  limit 100
) as r on true
