select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, (
    select concat('[', coalesce(group_concat(o.k separator ', 
 '), ''), ']')
    from (
      select concat(?, coalesce((
        select concat(?, coalesce(json_quote(`t5`.`name`), 'null'), '}')
        from `app`.`tags` as `t5`
        where `t5`.`id` = `t4`.`tags_id`
      ), 'null'), '}') as k
      from (
        select `t3`.`tags_id`
        from `app`.`articles_tags` as `t3`
        where `t3`.`articles_id` = `t2`.`id`
        order by `t3`.`sort` is null, `t3`.`sort`, `t3`.`id`
        limit 100
      ) as `t4`
    ) as o
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 3
  ) as `t2`
) as r on true
order by `r`.`o0`
