select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where true
  order by (
    select "t2"."likes" as k
    from "main"."comments" as "t2"
    where "t2"."article" = "t1"."id"
    order by 1 desc nulls first
    limit 1
  ) desc nulls first, (
    select (
      select "t4"."name"
      from "main"."tags" as "t4"
      where "t4"."id" = "t3"."tags_id"
    ) as k
    from "main"."articles_tags" as "t3"
    where "t3"."articles_id" = "t1"."id"
    order by 1 nulls last
    limit 1
  ) nulls last, "t1"."id"
  limit 4
) as r on true
