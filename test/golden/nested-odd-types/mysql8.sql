select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, (
    select concat(?, coalesce((
      select concat('[', coalesce(group_concat(o.k order by o.n separator ', 
 '), ''), ']')
      from (
        select concat(?, coalesce(concat('"', left(date_format(`t4`.`published`, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z"'), 'null'), ?, coalesce(date_format(`t4`.`edited`, '"%Y-%m-%dT%H:%i:%s"'), 'null'), ?, coalesce(time_format(`t4`.`event_time`, '"%H:%i:%s"'), 'null'), ?, coalesce(concat('"', `t4`.`views`, '"'), 'null'), ?, coalesce(if(`t4`.`keywords` = '', '[]', concat('[', replace(json_quote(`t4`.`keywords`), ',', '","'), ']')), 'null'), '}') as k, row_number() over (order by `t4`.`id`) as n
        from `app`.`articles` as `t4`
        where `t4`.`author` = `t3`.`id`
        order by n
        limit 100
      ) as o
    ), 'null'), '}')
    from `app`.`authors` as `t3`
    where `t3`.`id` = `t2`.`author`
  ) as `c0`
  from (
    select `t1`.`author`
    from `app`.`articles` as `t1`
    where `t1`.`id` = cast(? as signed)
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
