select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where ((case when (case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`details`, l.p)) <> 'ARRAY'
  ) then json_type(json_extract(`t1`.`details`, ?)) end) <> 'NULL' then json_unquote(json_extract(`t1`.`details`, ?)) end) = ? and (case when (case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`details`, l.p)) <> 'ARRAY'
  ) then json_type(json_extract(`t1`.`details`, ?)) end) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(json_unquote(json_extract(`t1`.`details`, ?)) as decimal(65, 30)) end) > cast(? as decimal(65, 30)))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
