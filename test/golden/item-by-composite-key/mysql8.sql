select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`language` as `c0`, `t1`.`term` as `c1`, `t1`.`label` as `c2`, md5(concat_ws(',', quote(cast(`t1`.`language` as binary)), quote(cast(`t1`.`term` as binary)), quote(cast(`t1`.`label` as binary)), '')) as `c3`
  from `app`.`labels` as `t1`
  where (`t1`.`language` = ? and `t1`.`term` = ?)
) as r on true
