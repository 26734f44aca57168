select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`title` as `c0`, `t1`.`slug` as `c1`, `t1`.`published` as `o0`, `t1`.`id` as `o1`, `t1`.`title` as `o2`, `t1`.`slug` as `o3`, `t1`.`author` as `o4`
  from `app`.`published_articles` as `t1`
  where true
  order by `t1`.`published` is null desc, `t1`.`published` desc, `t1`.`id`, `t1`.`title`, `t1`.`slug` is null, `t1`.`slug`, `t1`.`author` is null, `t1`.`author`
  limit 2
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1`, `r`.`o2`, `r`.`o3` is null, `r`.`o3`, `r`.`o4` is null, `r`.`o4`
