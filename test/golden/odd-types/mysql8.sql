select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`, `r`.`c4`, `r`.`c5`, `r`.`c6`, `r`.`c7`, `r`.`c8`, `r`.`c9`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`mood` as `c1`, `t1`.`numbers` as `c2`, `t1`.`labels` as `c3`, `t1`.`amount` as `c4`, `t1`.`address` as `c5`, `t1`.`span` as `c6`, `t1`.`bytes` as `c7`, `t1`.`exact` as `c8`, `t1`.`stamp` as `c9`, `t1`.`id` as `o0`
  from `app`.`oddities` as `t1`
  where true
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
