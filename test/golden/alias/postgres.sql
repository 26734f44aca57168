select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t3"."title" as "title"
      from "public"."articles" as "t3"
      where ("t3"."author" = "t2"."id" and "t3"."status" = $1::character varying)
      order by "t3"."id"
      limit 100
    ) o
  ) as "c1", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t4"."title" as "title"
      from "public"."articles" as "t4"
      where ("t4"."author" = "t2"."id" and "t4"."status" = $2::character varying)
      order by "t4"."id"
      limit 100
    ) o
  ) as "c2", extract(year from "t2"."born")::int as "c3"
  from (
    select "t1"."name", "t1"."id", "t1"."born"
    from "public"."authors" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
