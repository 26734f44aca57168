select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4", "r"."c5", "r"."c6", "r"."c7", "r"."c8", "r"."c9", "r"."c10", "r"."c11", "r"."c12", "r"."c13", "r"."c14", "r"."c15", "r"."c16", "r"."c17", "r"."c18", "r"."c19", "r"."c20"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", "t2"."title" as "c1", "t2"."slug" as "c2", "t2"."body" as "c3", "t2"."status" as "c4", "t2"."author" as "c5", "t2"."category" as "c6", "t2"."published" as "c7", "t2"."edited" as "c8", "t2"."event_date" as "c9", "t2"."event_time" as "c10", "t2"."price" as "c11", "t2"."views" as "c12", "t2"."rating" as "c13", "t2"."score" as "c14", "t2"."featured" as "c15", "t2"."details" as "c16", "t2"."keywords" as "c17", "t2"."external_id" as "c18", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select ifnull(iif("t3"."id" is cast("t3"."id" as integer) and "t3"."id" between -9007199254740991 and 9007199254740991, "t3"."id", tain_integer("t3"."id")), 'null') as k
      from "main"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c19", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select ifnull(iif("t4"."id" is cast("t4"."id" as integer) and "t4"."id" between -9007199254740991 and 9007199254740991, "t4"."id", tain_integer("t4"."id")), 'null') as k
      from "main"."articles_tags" as "t4"
      where "t4"."articles_id" = "t2"."id"
      order by "t4"."sort" nulls last, "t4"."id"
      limit 100
    ) o
  ) as "c20"
  from (
    select "t1"."id", "t1"."title", "t1"."slug", "t1"."body", "t1"."status", "t1"."author", "t1"."category", "t1"."published", "t1"."edited", "t1"."event_date", "t1"."event_time", "t1"."price", "t1"."views", "t1"."rating", "t1"."score", "t1"."featured", "t1"."details", "t1"."keywords", "t1"."external_id"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 2
  ) as "t2"
) as r on true
