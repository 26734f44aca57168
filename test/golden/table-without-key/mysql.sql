select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`at` as `c0`, `t1`.`path` as `c1`, `t1`.`status` as `c2`, `t1`.`at` as `o0`, `t1`.`path` as `o1`, `t1`.`status` as `o2`
  from `app`.`access_log` as `t1`
  where true
  order by `t1`.`at`, `t1`.`path`, `t1`.`status`
  limit 2
  offset ?
) as r on true
order by `r`.`o0`, `r`.`o1`, `r`.`o2`
