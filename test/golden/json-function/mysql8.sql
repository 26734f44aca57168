select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, (case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`details`, l.p)) <> 'ARRAY'
  ) then json_extract(`t1`.`details`, ?) end) as `c1`, nullif(cast((case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`details`, l.p)) <> 'ARRAY'
  ) then json_extract(`t1`.`details`, ?) end) as char), 'null') as `o0`, `t1`.`id` as `o1`
  from `app`.`articles` as `t1`
  where true
  order by nullif(cast((case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`details`, l.p)) <> 'ARRAY'
  ) then json_extract(`t1`.`details`, ?) end) as char), 'null') is null, nullif(cast((case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`details`, l.p)) <> 'ARRAY'
  ) then json_extract(`t1`.`details`, ?) end) as char), 'null'), `t1`.`id` desc
  limit 4
) as r on true
order by `r`.`o0` is null, `r`.`o0`, `r`.`o1` desc
