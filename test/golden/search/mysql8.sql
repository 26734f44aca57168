select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`title` as `c1`, `t1`.`score` as `c2`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (`t1`.`id` = cast(? as decimal(65, 30)) or lower(`t1`.`title`) like lower(?) or lower(`t1`.`slug`) like lower(?) or lower(`t1`.`body`) like lower(?) or lower(`t1`.`status`) like lower(?) or `t1`.`author` = cast(? as decimal(65, 30)) or `t1`.`category` = cast(? as decimal(65, 30)) or `t1`.`price` = cast(? as decimal(65, 30)) or `t1`.`views` = cast(? as decimal(65, 30)) or `t1`.`rating` = cast(? as float) or `t1`.`score` = cast(? as decimal(65, 30)) or `t1`.`external_id` = lower(?))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
