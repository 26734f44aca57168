select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."price" as "c1", tain_cursor_text("t1"."price", ?, 2) as "c2", tain_cursor_text((
    select "t3"."name"
    from "main"."authors" as "t3"
    where "t3"."id" = "t1"."author"
  ), ?) as "c3", tain_cursor_text("t1"."id", ?) as "c4"
  from "main"."articles" as "t1"
  where ("t1"."price" <= iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), cast(? as numeric)) and ("t1"."price" < iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), cast(? as numeric)) or ("t1"."price" = iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), cast(? as numeric)) and (((
    select "t2"."name"
    from "main"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) > iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) or (
    select "t2"."name"
    from "main"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) is null) or ((
    select "t2"."name"
    from "main"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) = iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) and "t1"."id" > iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), cast(? as integer)))))))
  order by "t1"."price" desc nulls first, (
    select "t4"."name"
    from "main"."authors" as "t4"
    where "t4"."id" = "t1"."author"
  ) nulls last, "t1"."id"
  limit 4
) as r on true
