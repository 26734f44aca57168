select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`title`), 'null'), ?, coalesce((
      select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t4`.`body`), 'null'), '}') order by `t4`.`likes` desc, `t4`.`id` separator ', 
 ' limit 1), ''), ']')
      from `app`.`comments` as `t4`
      where `t4`.`article` = `t3`.`id`
    ), 'null'), '}') order by `t3`.`views` desc, `t3`.`id` separator ', 
 ' limit 2), ''), ']')
    from `app`.`articles` as `t3`
    where (`t3`.`author` = `t2`.`id` and `t3`.`status` = ?)
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`name`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`authors` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
