select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`status` as `c0`, `t1`.`articles` as `c1`, `t1`.`views` as `c2`, `t1`.`articles` as `o0`, `t1`.`status` as `o1`, `t1`.`views` as `o2`
  from `app`.`article_stats` as `t1`
  where true
  order by `t1`.`articles` is null desc, `t1`.`articles` desc, `t1`.`status` is null, `t1`.`status`, `t1`.`views` is null, `t1`.`views`
  limit 100
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2` is null, `r`.`o2`
