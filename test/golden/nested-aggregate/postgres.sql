select v.stamp, r.p, "r"."c0", "r"."c1"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select coalesce(json_agg(o.k), '[]'::json)
    from (
      select ('{' || $1::text || coalesce(to_json("t4"."g0")::text, 'null') || $2::text || coalesce(to_json(count(*)::text)::text, 'null') || '}')::json as k
      from (
        select "t3"."status" as "g0"
        from "public"."articles" as "t3"
        where "t3"."author" = "t2"."id"
      ) as "t4"
      group by "t4"."g0"
      order by "t4"."g0"
      limit 100
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
