select v.stamp, "t1"."id", "t1"."id", "t1"."title", (
  select to_json(o.*)
  from (
    select "t2"."name" as "name"
    from "public"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) o
), (
  select coalesce(json_agg(o.k), '[]'::json)
  from (
    select "t3"."id" as k
    from "public"."comments" as "t3"
    where "t3"."article" = "t1"."id"
    order by "t3"."id"
    limit 100
  ) o
), "t1".xmin::text
from "tain"."service_version" as v
left join "public"."articles" as "t1" on "t1"."id" = $1::integer
