select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(o.k separator ', 
 '), ''), ']')
    from (
      select concat(?, coalesce(json_quote(`t4`.`title`), 'null'), ?, coalesce((
        select concat('[', coalesce(group_concat(o.k order by o.n separator ', 
 '), ''), ']')
        from (
          select concat(?, coalesce(json_quote(`t5`.`body`), 'null'), '}') as k, row_number() over (order by `t5`.`likes` desc, `t5`.`id`) as n
          from `app`.`comments` as `t5`
          where `t5`.`article` = `t4`.`id`
          order by n
          limit 1
        ) as o
      ), 'null'), '}') as k
      from (
        select `t3`.`title`, `t3`.`id`
        from `app`.`articles` as `t3`
        where (`t3`.`author` = `t2`.`id` and `t3`.`status` = ?)
        order by `t3`.`views` desc, `t3`.`id`
        limit 2
      ) as `t4`
    ) as o
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
