select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`name` as `c0`, `t1`.`id` as `o0`
  from `app`.`tags` as `t1`
  where exists (
    select 1
    from `app`.`articles_tags` as `t2`
    where (`t2`.`tags_id` = `t1`.`id` and `t2`.`sort` = cast(? as signed))
  )
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
