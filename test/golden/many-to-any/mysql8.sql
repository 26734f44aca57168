select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`title` as `c0`, (
    select concat('[', coalesce(group_concat(o.k separator ', 
 '), ''), ']')
    from (
      select concat(?, coalesce(json_quote(`t4`.`collection`), 'null'), ?, coalesce(case `t4`.`collection` when ? then (
        select concat(?, coalesce(json_quote(`t5`.`headline`), 'null'), '}')
        from `app`.`blocks_hero` as `t5`
        where `t5`.`id` = (case when `t4`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t4`.`item` as signed) end)
      ) when ? then (
        select concat(?, coalesce(json_quote(`t6`.`content`), 'null'), '}')
        from `app`.`blocks_text` as `t6`
        where `t6`.`id` = (case when `t4`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t4`.`item` as signed) end)
      ) when ? then json_quote(`t4`.`item`) else json_quote(`t4`.`item`) end, 'null'), '}') as k
      from (
        select `t3`.`collection`, `t3`.`item`
        from `app`.`pages_blocks` as `t3`
        where `t3`.`pages_id` = `t2`.`id`
        order by `t3`.`sort` is null, `t3`.`sort`, `t3`.`id`
        limit 100
      ) as `t4`
    ) as o
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`pages` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
