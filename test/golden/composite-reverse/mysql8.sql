select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t3`.`product` as `c0`, (
    select concat('[', coalesce(group_concat(o.k order by o.n separator ', 
 '), ''), ']')
    from (
      select concat(?, coalesce(json_quote(`t4`.`note`), 'null'), '}') as k, row_number() over (order by `t4`.`id`) as n
      from `app`.`order_line_notes` as `t4`
      where (`t4`.`order_no` = `t3`.`order_no` and `t4`.`line_no` = `t3`.`line_no`)
      order by n
      limit 100
    ) as o
  ) as `c1`, `t3`.`s0` as `o0`, `t3`.`s1` as `o1`
  from (
    select `t1`.`product`, `t1`.`order_no`, `t1`.`line_no`, `t1`.`order_no` as `s0`, `t1`.`line_no` as `s1`
    from `app`.`order_lines` as `t1`
    where exists (
      select 1
      from `app`.`order_line_notes` as `t2`
      where ((`t2`.`order_no` = `t1`.`order_no` and `t2`.`line_no` = `t1`.`line_no`) and true)
    )
    order by `t1`.`order_no`, `t1`.`line_no`
    limit 100
  ) as `t3`
) as r on true
order by `r`.`o0`, `r`.`o1`
