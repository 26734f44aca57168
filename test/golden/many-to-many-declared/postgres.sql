select v.stamp, r.p, "r"."c0", "r"."c1"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select (
        select to_json(o.*)
        from (
          select "t5"."name" as "name"
          from "public"."tags" as "t5"
          where "t5"."id" = "t4"."tags_id"
        ) o
      ) as "tags_id"
      from (
        select "t3"."tags_id"
        from "public"."articles_tags" as "t3"
        where "t3"."articles_id" = "t2"."id"
        order by "t3"."sort", "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."id"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 3
  ) as "t2"
) as r on true
