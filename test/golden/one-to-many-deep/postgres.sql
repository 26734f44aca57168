select v.stamp, r.p, "r"."c0", "r"."c1"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t4"."title" as "title", (
        select coalesce(json_agg(o.*), '[]'::json)
        from (
          select "t5"."body" as "body"
          from "public"."comments" as "t5"
          where "t5"."article" = "t4"."id"
          order by "t5"."likes" desc, "t5"."id"
          limit 1
        ) o
      ) as "comments"
      from (
        select "t3"."title", "t3"."id"
        from "public"."articles" as "t3"
        where ("t3"."author" = "t2"."id" and "t3"."status" = $1::character varying)
        order by "t3"."views" desc, "t3"."id"
        limit 2
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."name", "t1"."id"
    from "public"."authors" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
