select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`tags` as `t1`
  where (false or true)
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
