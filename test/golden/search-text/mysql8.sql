select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`authors` as `t1`
  where (`t1`.`id` = cast(? as decimal(65, 30)) or lower(`t1`.`name`) like lower(?) or lower(`t1`.`email`) like lower(?) or lower(`t1`.`country`) like lower(?))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
