-- articles {"aggregate":{"sum":"views"},"groupBy":["status","year(published)","author.name"],"sort":"-sum.views"}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."g0" as "c0", "t2"."g1" as "c1", "t2"."g2" as "c2", sum("t2"."a0") as "c3"
  from (
    select "t1"."status" as "g0", extract(year from "t1"."published")::int as "g1", (
      select "t3"."name"
      from "public"."authors" as "t3"
      where "t3"."id" = "t1"."author"
    ) as "g2", "t1"."views" as "a0"
    from "public"."articles" as "t1"
    where true
  ) as "t2"
  group by "t2"."g0", "t2"."g1", "t2"."g2"
  order by sum("t2"."a0") desc, "t2"."g0", "t2"."g1", "t2"."g2"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`g0` as `c0`, `t2`.`g1` as `c1`, `t2`.`g2` as `c2`, sum(`t2`.`a0`) as `c3`, sum(`t2`.`a0`) as `o0`, `t2`.`g0` as `o1`, `t2`.`g1` as `o2`, `t2`.`g2` as `o3`
  from (
    select `t1`.`status` as `g0`, year(nullif(`t1`.`published`, 0)) as `g1`, (
      select `t3`.`name`
      from `app`.`authors` as `t3`
      where `t3`.`id` = `t1`.`author`
    ) as `g2`, `t1`.`views` as `a0`
    from `app`.`articles` as `t1`
    where true
  ) as `t2`
  group by `t2`.`g0`, `t2`.`g1`, `t2`.`g2`
  order by sum(`t2`.`a0`) is null desc, sum(`t2`.`a0`) desc, `t2`.`g0` is null, `t2`.`g0`, `t2`.`g1` is null, `t2`.`g1`, `t2`.`g2` is null, `t2`.`g2`
  limit 100
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2` is null, `r`.`o2`, `r`.`o3` is null, `r`.`o3`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."g0" as "c0", "t2"."g1" as "c1", "t2"."g2" as "c2", sum("t2"."a0") as "c3"
  from (
    select "t1"."status" as "g0", tain_part('year', "t1"."published") as "g1", (
      select "t3"."name"
      from "main"."authors" as "t3"
      where "t3"."id" = "t1"."author"
    ) as "g2", "t1"."views" as "a0"
    from "main"."articles" as "t1"
    where true
  ) as "t2"
  group by "t2"."g0", "t2"."g1", "t2"."g2"
  order by tain_number(sum("t2"."a0")) desc nulls first, "t2"."g0" nulls last, "t2"."g1" nulls last, "t2"."g2" nulls last
  limit 100
) as r on true
