select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."language" as "c0", "t1"."term" as "c1", "t1"."label" as "c2", tain_row_mark("t1"."language", "t1"."term", "t1"."label") as "c3"
  from "main"."labels" as "t1"
  where ("t1"."language" = ? and "t1"."term" = ?)
) as r on true
