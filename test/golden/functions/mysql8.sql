select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`, `r`.`c4`, `r`.`c5`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, year(nullif(`t2`.`published`, 0)) as `c1`, (dayofweek(nullif(`t2`.`event_date`, 0)) - 1) as `c2`, hour(`t2`.`event_time`) as `c3`, (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c4`, (
    select count(*)
    from `app`.`articles_tags` as `t4`
    where `t4`.`articles_id` = `t2`.`id`
  ) as `c5`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`published`, `t1`.`event_date`, `t1`.`event_time`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 2
  ) as `t2`
) as r on true
order by `r`.`o0`
