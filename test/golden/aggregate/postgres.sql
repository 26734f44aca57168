select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4", "r"."c5"
from "tain"."service_version" as v
left join (
  select 1 as p, count(*) as "c0", sum("t2"."a1") as "c1", sum("t2"."a2") as "c2", avg("t2"."a3") as "c3", min("t2"."a4") as "c4", count(distinct "t2"."a5") as "c5"
  from (
    select "t1"."views" as "a1", "t1"."price" as "a2", "t1"."score" as "a3", "t1"."published" as "a4", "t1"."author" as "a5"
    from "public"."articles" as "t1"
    where true
  ) as "t2"
  limit 100
) as r on true
