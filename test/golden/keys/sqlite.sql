select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."name" as "c0"
  from "main"."countries" as "t1"
  where "t1"."code" in (
    select value
    from json_each(?)
  )
  order by "t1"."code"
  limit -1
) as r on true
