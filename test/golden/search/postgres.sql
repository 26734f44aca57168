select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."title" as "c1", "t1"."score" as "c2"
  from "public"."articles" as "t1"
  where ("t1"."id" = $1::numeric or lower("t1"."title") like lower($2::text) or lower("t1"."slug") like lower($3::text) or lower("t1"."body") like lower($4::text) or lower("t1"."status") like lower($5::text) or "t1"."author" = $6::numeric or "t1"."category" = $7::numeric or "t1"."price" = $8::numeric or "t1"."views" = $9::numeric or "t1"."rating"::numeric = $10::numeric or "t1"."score" = $11::numeric or "t1"."external_id"::text = lower($12::text))
  order by "t1"."id"
  limit 100
) as r on true
