select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."pages" as "t1"
  where exists (
    select 1
    from "main"."pages_blocks" as "t2"
    where ("t2"."pages_id" = "t1"."id" and ("t2"."collection" = ? and exists (
      select 1
      from "main"."blocks_hero" as "t3"
      where ("t3"."id" = (case when ("t2"."item" not glob '*[^0-9-]*' and ltrim("t2"."item", '-') not glob '*-*' and length(ltrim("t2"."item", '-')) between 1 and 19 and "t2"."item" <> '-') then cast("t2"."item" as integer) end) and "t3"."headline" = ?)
    )))
  )
  order by "t1"."id"
  limit 100
) as r on true
