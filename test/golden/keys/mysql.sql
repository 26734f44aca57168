select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`name` as `c0`, `t1`.`code` as `o0`
  from `app`.`countries` as `t1`
  where `t1`.`code` in (
    select l.v
    from json_table(?, '$[*]' columns (v longtext character set utf8mb4 collate utf8mb4_nopad_bin path '$')) as l
  )
  order by `t1`.`code`
  limit 18446744073709551615
) as r on true
order by `r`.`o0`
