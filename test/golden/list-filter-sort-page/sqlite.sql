select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."title" as "c1", "t1"."views" as "c2", "t1"."published" as "c3"
  from "main"."articles" as "t1"
  where ("t1"."status" = ? and ("t1"."score" >= cast(? as integer) or (instr(tain_lower("t1"."title"), ?) > 0) or "t1"."author" in (
    select cast(value as integer)
    from json_each(?)
  )))
  order by "t1"."score" desc nulls first, "t1"."title", "t1"."id"
  limit 3
  offset cast(? as integer)
) as r on true
