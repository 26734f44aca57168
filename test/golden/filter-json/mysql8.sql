select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`
  from `app`.`articles` as `t1`
  where ((case when json_type(json_extract(`t1`.`details`, ?)) <> 'NULL' then json_unquote(json_extract(`t1`.`details`, ?)) end) = ? and (case when json_type(json_extract(`t1`.`details`, ?)) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(json_unquote(json_extract(`t1`.`details`, ?)) as decimal(65, 30)) end) > cast(? as decimal(65, 30)))
  order by `t1`.`id`
  limit 100
) as r on true
