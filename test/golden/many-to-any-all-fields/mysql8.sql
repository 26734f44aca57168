select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`,
  case `t2`.`collection`
  when ? then (
    select concat(?, coalesce(`t3`.`id`, 'null'), ?, coalesce(json_quote(`t3`.`headline`), 'null'), ?, coalesce(json_quote(`t3`.`image`), 'null'), '}')
    from `app`.`blocks_hero` as `t3`
    where `t3`.`id` = (case when `t2`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t2`.`item` as signed) end)
  )
  when ? then (
    select concat(?, coalesce(`t4`.`id`, 'null'), ?, coalesce(json_quote(`t4`.`heading`), 'null'), ?, coalesce(json_quote(`t4`.`content`), 'null'), '}')
    from `app`.`blocks_text` as `t4`
    where `t4`.`id` = (case when `t2`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t2`.`item` as signed) end)
  )
  when ? then (
    select concat(?, coalesce(concat('"', `t5`.`id`, '"'), 'null'), ?, coalesce(json_quote(`t5`.`heading`), 'null'), ?, coalesce(`t5`.`images`, 'null'), ?, coalesce(`t5`.`columns`, 'null'), '}')
    from `app`.`blocks_gallery` as `t5`
    where `t5`.`id` = (case when `t2`.`item` regexp '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then `t2`.`item` end)
  )
  else json_quote(`t2`.`item`) end as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`item`, `t1`.`collection`, `t1`.`id` as `s0`
    from `app`.`pages_blocks` as `t1`
    where `t1`.`pages_id` = cast(? as signed)
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`
