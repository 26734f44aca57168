select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce((
      select concat(?, coalesce(json_quote(`t4`.`name`), 'null'), '}')
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tags_id`
    ), 'null'), '}') order by `t3`.`sort` is null, `t3`.`sort`, `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`articles_tags` as `t3`
    where `t3`.`articles_id` = `t2`.`id`
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
