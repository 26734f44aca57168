select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`title`), 'null'), '}') order by `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`articles` as `t3`
    where (`t3`.`author` = `t2`.`id` and `t3`.`status` = ?)
  ) as `c1`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t4`.`title`), 'null'), '}') order by `t4`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`articles` as `t4`
    where (`t4`.`author` = `t2`.`id` and `t4`.`status` = ?)
  ) as `c2`, year(nullif(`t2`.`born`, 0)) as `c3`, `t2`.`s0` as `o0`
  from (
    select `t1`.`name`, `t1`.`id`, `t1`.`born`, `t1`.`id` as `s0`
    from `app`.`authors` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
