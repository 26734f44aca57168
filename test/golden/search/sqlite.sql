select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."title" as "c1", "t1"."score" as "c2"
  from "main"."articles" as "t1"
  where ("t1"."id" = cast(? as numeric) or instr(tain_lower("t1"."title"), ?) > 0 or instr(tain_lower("t1"."slug"), ?) > 0 or instr(tain_lower("t1"."body"), ?) > 0 or instr(tain_lower("t1"."status"), ?) > 0 or "t1"."author" = cast(? as numeric) or "t1"."category" = cast(? as numeric) or tain_number("t1"."price") = tain_number(?) or "t1"."views" = cast(? as numeric) or "t1"."rating" = cast(? as numeric) or "t1"."score" = cast(? as numeric) or lower("t1"."external_id") = lower(?))
  order by "t1"."id"
  limit 100
) as r on true
