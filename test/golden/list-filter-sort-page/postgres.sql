select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."title" as "c1", "t1"."views" as "c2", "t1"."published" as "c3"
  from "public"."articles" as "t1"
  where ("t1"."status" = $1::character varying and ("t1"."score" >= $2::integer or lower("t1"."title") like lower($3::text) or "t1"."author" = any($4::integer[])))
  order by "t1"."score" desc, "t1"."title", "t1"."id"
  limit 3
  offset $5::bigint
) as r on true
