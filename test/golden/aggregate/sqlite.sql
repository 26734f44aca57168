select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3", "r"."c4", "r"."c5"
from "main"."service_version" as v
left join (
  select 1 as p, count(*) as "c0", tain_sum("t2"."a1") as "c1", tain_sum(tain_decimal("t2"."a2", 2)) as "c2", tain_quotient(sum("t2"."a3"), count("t2"."a3")) as "c3", min(tain_moment("t2"."a4")) as "c4", count(distinct "t2"."a5") as "c5"
  from (
    select "t1"."views" as "a1", "t1"."price" as "a2", "t1"."score" as "a3", "t1"."published" as "a4", "t1"."author" as "a5"
    from "main"."articles" as "t1"
    where true
  ) as "t2"
  limit 100
) as r on true
