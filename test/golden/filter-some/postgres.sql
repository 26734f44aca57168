select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where exists (
    select 1
    from "public"."comments" as "t2"
    where ("t2"."article" = "t1"."id" and ("t2"."approved" = $1::boolean and "t2"."likes" > $2::integer))
  )
  order by "t1"."id"
  limit 100
) as r on true
