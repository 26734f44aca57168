select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(distinct concat(?, coalesce(json_quote(`t3`.`status`), 'null'), ?, coalesce(json_quote(cast((
      select count(*)
      from `app`.`articles` as `t4`
      where (`t4`.`author` = `t2`.`id` and (`t4`.`status` = `t3`.`status` or (`t4`.`status` is null and `t3`.`status` is null)))
    ) as char)), 'null'), '}') order by `t3`.`status` is null, `t3`.`status` separator ', ' limit 100), ''), ']')
    from `app`.`articles` as `t3`
    where `t3`.`author` = `t2`.`id`
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
