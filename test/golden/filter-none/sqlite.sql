select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where not exists (
    select 1
    from "main"."comments" as "t2"
    where ("t2"."article" = "t1"."id" and "t2"."approved" = cast(? as integer))
  )
  order by "t1"."id"
  limit 100
) as r on true
