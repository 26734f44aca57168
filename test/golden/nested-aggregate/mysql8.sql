select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(o.k order by o.n separator ', '), ''), ']')
    from (
      select concat(?, coalesce(json_quote(`t4`.`g0`), 'null'), ?, coalesce(json_quote(cast(count(*) as char)), 'null'), '}') as k, row_number() over (order by `t4`.`g0` is null, `t4`.`g0`) as n
      from (
        select `t3`.`status` as `g0`
        from `app`.`articles` as `t3`
        where `t3`.`author` = `t2`.`id`
      ) as `t4`
      group by `t4`.`g0`
      order by n
      limit 100
    ) as o
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`name`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`authors` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
