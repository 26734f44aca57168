select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where true
  order by (
    select "t2"."likes" as k
    from "public"."comments" as "t2"
    where "t2"."article" = "t1"."id"
    order by 1 desc
    limit 1
  ) desc, (
    select (
      select "t4"."name"
      from "public"."tags" as "t4"
      where "t4"."id" = "t3"."tags_id"
    ) as k
    from "public"."articles_tags" as "t3"
    where "t3"."articles_id" = "t1"."id"
    order by 1
    limit 1
  ), "t1"."id"
  limit 4
) as r on true
