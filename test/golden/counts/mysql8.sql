select v.stamp, r.p, `r`.`c0`, (
  select count(*)
  from `app`.`articles` as `t2`
  where true
), (
  select count(*)
  from `app`.`articles` as `t3`
  where `t3`.`status` = ?
)
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where `t1`.`status` = ?
  order by `t1`.`id`
  limit 1
) as r on true
order by `r`.`o0`
