select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`title` as `c1`, `t1`.`tagline` as `c2`, `t1`.`home_page` as `c3`, `t1`.`id` as `o0`
  from `app`.`site` as `t1`
  where true
  order by `t1`.`id`
  limit 1
) as r on true
order by `r`.`o0`
