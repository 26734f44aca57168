select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`note` as `c0`, (
    select concat(?, coalesce(json_quote(`t3`.`product`), 'null'), ?, coalesce(`t3`.`quantity`, 'null'), '}')
    from `app`.`order_lines` as `t3`
    where (`t3`.`order_no` = `t2`.`order_no` and `t3`.`line_no` = `t2`.`line_no`)
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`note`, `t1`.`order_no`, `t1`.`line_no`, `t1`.`id` as `s0`
    from `app`.`order_line_notes` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
