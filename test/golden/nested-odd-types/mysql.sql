select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, (
    select concat(?, coalesce((
      select concat('[', coalesce(group_concat(concat(?, coalesce(concat('"', concat(left(date_format(nullif(`t4`.`published`, 0), '%Y-%m-%dT%H:%i:%s.%f'), if(microsecond(nullif(`t4`.`published`, 0)) % 1000 = 0, 23, 26)), 'Z'), '"'), 'null'), ?, coalesce(concat('"', left(date_format(nullif(`t4`.`edited`, 0), '%Y-%m-%dT%H:%i:%s.%f'), case when microsecond(nullif(`t4`.`edited`, 0)) = 0 then 19 when microsecond(nullif(`t4`.`edited`, 0)) % 1000 = 0 then 23 else 26 end), '"'), 'null'), ?, coalesce(concat('"', left(time_format(`t4`.`event_time`, '%H:%i:%s.%f'), char_length(time_format(`t4`.`event_time`, '%H:%i:%s.%f')) - case when microsecond(`t4`.`event_time`) = 0 then 7 when microsecond(`t4`.`event_time`) % 1000 = 0 then 3 else 0 end), '"'), 'null'), ?, coalesce(concat('"', `t4`.`views`, '"'), 'null'), ?, coalesce(if(`t4`.`keywords` = '', '[]', concat('[', replace(json_quote(`t4`.`keywords`), ',', '","'), ']')), 'null'), '}') order by `t4`.`id` separator ', 
 ' limit 100), ''), ']')
      from `app`.`articles` as `t4`
      where `t4`.`author` = `t3`.`id`
    ), 'null'), '}')
    from `app`.`authors` as `t3`
    where `t3`.`id` = `t2`.`author`
  ) as `c0`, `t2`.`s0` as `o0`
  from (
    select `t1`.`author`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where `t1`.`id` = cast(? as signed)
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
