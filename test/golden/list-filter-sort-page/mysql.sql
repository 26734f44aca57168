select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`title` as `c1`, `t1`.`views` as `c2`, `t1`.`published` as `c3`, `t1`.`score` as `o0`, `t1`.`title` as `o1`, `t1`.`id` as `o2`
  from `app`.`articles` as `t1`
  where (`t1`.`status` = ? and (`t1`.`score` >= cast(? as signed) or lower(`t1`.`title`) like lower(?) or `t1`.`author` in (
    select l.v
    from json_table(?, '$[*]' columns (v bigint path '$')) as l
  )))
  order by `t1`.`score` is null desc, `t1`.`score` desc, `t1`.`title`, `t1`.`id`
  limit 3
  offset ?
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1`, `r`.`o2`
