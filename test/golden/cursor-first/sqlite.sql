select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."price" as "c1", tain_cursor_text("t1"."price", ?, 2) as "c2", tain_cursor_text((
    select "t2"."name"
    from "main"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ), ?) as "c3", tain_cursor_text("t1"."id", ?) as "c4"
  from "main"."articles" as "t1"
  where true
  order by "t1"."price" desc nulls first, (
    select "t3"."name"
    from "main"."authors" as "t3"
    where "t3"."id" = "t1"."author"
  ) nulls last, "t1"."id"
  limit 4
) as r on true
