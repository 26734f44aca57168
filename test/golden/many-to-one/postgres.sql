select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select to_json(o.*)
    from (
      select "t3"."name" as "name"
      from "public"."authors" as "t3"
      where "t3"."id" = "t2"."author"
    ) o
  ) as "c1", (
    select to_json(o.*)
    from (
      select (
        select to_json(o.*)
        from (
          select "t5"."name" as "name"
          from "public"."categories" as "t5"
          where "t5"."id" = "t4"."parent"
        ) o
      ) as "parent"
      from "public"."categories" as "t4"
      where "t4"."id" = "t2"."category"
    ) o
  ) as "c2"
  from (
    select "t1"."id", "t1"."author", "t1"."category"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id" desc
    limit 3
  ) as "t2"
) as r on true
