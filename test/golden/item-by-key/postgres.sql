select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."title" as "c1", (
    select to_json(o.*)
    from (
      select "t2"."name" as "name"
      from "public"."authors" as "t2"
      where "t2"."id" = "t1"."author"
    ) o
  ) as "c2", (
    select coalesce(json_agg(o.k), '[]'::json)
    from (
      select "t3"."id" as k
      from "public"."comments" as "t3"
      where "t3"."article" = "t1"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c3", "t1".xmin::text as "c4"
  from "public"."articles" as "t1"
  where "t1"."id" = $1::integer
) as r on true
