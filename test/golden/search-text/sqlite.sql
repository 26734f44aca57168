select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."authors" as "t1"
  where ("t1"."id" = cast(? as numeric) or instr(tain_lower("t1"."name"), ?) > 0 or instr(tain_lower("t1"."email"), ?) > 0 or instr(tain_lower("t1"."country"), ?) > 0)
  order by "t1"."id"
  limit 100
) as r on true
