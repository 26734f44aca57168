select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."g0" as "c0", "t2"."g1" as "c1", count("t2"."a0") as "c2"
  from (
    select (
      select "t3"."country"
      from "main"."authors" as "t3"
      where "t3"."id" = "t1"."author"
    ) as "g0", tain_part('year', "t1"."published") as "g1", "t1"."id" as "a0"
    from "main"."articles" as "t1"
    where true
  ) as "t2"
  group by "t2"."g0", "t2"."g1"
  order by count("t2"."a0") desc nulls first, "t2"."g0" nulls last, "t2"."g1" nulls last
  limit 5
) as r on true
