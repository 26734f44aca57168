select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`g0` as `c0`, `t2`.`g1` as `c1`, count(`t2`.`a0`) as `c2`, count(`t2`.`a0`) as `o0`, `t2`.`g0` as `o1`, `t2`.`g1` as `o2`
  from (
    select (
      select `t3`.`country`
      from `app`.`authors` as `t3`
      where `t3`.`id` = `t1`.`author`
    ) as `g0`, year(nullif(`t1`.`published`, 0)) as `g1`, `t1`.`id` as `a0`
    from `app`.`articles` as `t1`
    where true
  ) as `t2`
  group by `t2`.`g0`, `t2`.`g1`
  order by count(`t2`.`a0`) is null desc, count(`t2`.`a0`) desc, `t2`.`g0` is null, `t2`.`g0`, `t2`.`g1` is null, `t2`.`g1`
  limit 5
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2` is null, `r`.`o2`
