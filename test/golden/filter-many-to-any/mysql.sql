select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`pages` as `t1`
  where exists (
    select 1
    from `app`.`pages_blocks` as `t2`
    where (`t2`.`pages_id` = `t1`.`id` and (`t2`.`collection` = ? and exists (
      select 1
      from `app`.`blocks_hero` as `t3`
      where (`t3`.`id` = (case when `t2`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t2`.`item` as signed) end) and `t3`.`headline` = ?)
    )))
  )
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`
