select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, json_extract(`t1`.`details`, ?) as `c1`
  from `app`.`articles` as `t1`
  where true
  order by nullif(cast(json_extract(`t1`.`details`, ?) as char), 'null') is null, nullif(cast(json_extract(`t1`.`details`, ?) as char), 'null'), `t1`.`id` desc
  limit 4
) as r on true
