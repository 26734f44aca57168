select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`, `r`.`c4`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`title` as `c1`, (
    select concat(?, coalesce(json_quote(`t2`.`name`), 'null'), '}')
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) as `c2`, (
    select concat('[', coalesce(group_concat(o.k order by o.n separator ', '), ''), ']')
    from (
      select coalesce(`t3`.`id`, 'null') as k, row_number() over (order by `t3`.`id`) as n
      from `app`.`comments` as `t3`
      where `t3`.`article` = `t1`.`id`
      order by n
      limit 100
    ) as o
  ) as `c3`, md5(concat_ws(',', quote(cast(`t1`.`id` as binary)), quote(cast(`t1`.`title` as binary)), quote(cast(`t1`.`slug` as binary)), quote(cast(`t1`.`body` as binary)), quote(cast(`t1`.`status` as binary)), quote(cast(`t1`.`author` as binary)), quote(cast(`t1`.`category` as binary)), quote(cast(`t1`.`published` as binary)), quote(cast(`t1`.`edited` as binary)), quote(cast(`t1`.`event_date` as binary)), quote(cast(`t1`.`event_time` as binary)), quote(cast(`t1`.`price` as binary)), quote(cast(`t1`.`views` as binary)), quote(cast(`t1`.`rating` as binary)), quote(cast(`t1`.`score` as binary)), quote(cast(`t1`.`featured` as binary)), quote(cast(`t1`.`details` as binary)), quote(cast(`t1`.`keywords` as binary)), quote(cast(`t1`.`external_id` as binary)), '')) as `c4`
  from `app`.`articles` as `t1`
  where `t1`.`id` = cast(? as signed)
) as r on true
