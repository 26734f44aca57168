select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, (
    select concat(?, coalesce(json_quote(`t3`.`name`), 'null'), '}')
    from `app`.`authors` as `t3`
    where `t3`.`id` = `t2`.`author`
  ) as `c1`, (
    select concat(?, coalesce((
      select concat(?, coalesce(json_quote(`t5`.`name`), 'null'), '}')
      from `app`.`categories` as `t5`
      where `t5`.`id` = `t4`.`parent`
    ), 'null'), '}')
    from `app`.`categories` as `t4`
    where `t4`.`id` = `t2`.`category`
  ) as `c2`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`author`, `t1`.`category`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id` desc
    limit 3
  ) as `t2`
) as r on true
order by `r`.`o0` desc
