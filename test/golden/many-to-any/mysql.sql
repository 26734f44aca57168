select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`title` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`collection`), 'null'), ?, coalesce(case `t3`.`collection` when ? then (
      select concat(?, coalesce(json_quote(`t4`.`headline`), 'null'), '}')
      from `app`.`blocks_hero` as `t4`
      where `t4`.`id` = (case when `t3`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t3`.`item` as signed) end)
    ) when ? then (
      select concat(?, coalesce(json_quote(`t5`.`content`), 'null'), '}')
      from `app`.`blocks_text` as `t5`
      where `t5`.`id` = (case when `t3`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t3`.`item` as signed) end)
    ) when ? then json_quote(`t3`.`item`) else json_quote(`t3`.`item`) end, 'null'), '}') order by `t3`.`sort` is null, `t3`.`sort`, `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`pages_blocks` as `t3`
    where `t3`.`pages_id` = `t2`.`id`
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
