select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (exists (
    select 1
    from `app`.`authors` as `t2`
    where (`t2`.`id` = `t1`.`author` and `t2`.`country` is null)
  ) or not exists (
    select 1
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
