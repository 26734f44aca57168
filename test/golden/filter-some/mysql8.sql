select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where exists (
    select 1
    from `app`.`comments` as `t2`
    where (`t2`.`article` = `t1`.`id` and (`t2`.`approved` = cast(? as signed) and `t2`.`likes` > cast(? as signed)))
  )
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
