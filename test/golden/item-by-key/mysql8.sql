select v.stamp, `t1`.`id`, `t1`.`id`, `t1`.`title`, (
  select concat(?, coalesce(json_quote(`t2`.`name`), 'null'), '}')
  from `app`.`authors` as `t2`
  where `t2`.`id` = `t1`.`author`
), (
  select concat('[', coalesce(group_concat(o.k order by o.n separator ', '), ''), ']')
  from (
    select coalesce(`t3`.`id`, 'null') as k, row_number() over (order by `t3`.`id`) as n
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t1`.`id`
    order by n
    limit 100
  ) as o
), `t1`.`slug`, md5(`t1`.`body`), `t1`.`status`, `t1`.`author`, `t1`.`category`, `t1`.`published`, `t1`.`edited`, `t1`.`event_date`, `t1`.`event_time`, `t1`.`price`, `t1`.`views`, `t1`.`rating`, `t1`.`score`, `t1`.`featured`, md5(`t1`.`details`), md5(`t1`.`keywords`), `t1`.`external_id`
from `app`.`service_version` as v
left join `app`.`articles` as `t1` on `t1`.`id` = cast(? as signed)
