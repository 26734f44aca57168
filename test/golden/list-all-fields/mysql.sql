select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`, `r`.`c4`, `r`.`c5`, `r`.`c6`, `r`.`c7`, `r`.`c8`, `r`.`c9`, `r`.`c10`, `r`.`c11`, `r`.`c12`, `r`.`c13`, `r`.`c14`, `r`.`c15`, `r`.`c16`, `r`.`c17`, `r`.`c18`, `r`.`c19`, `r`.`c20`
from `app`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, `t2`.`title` as `c1`, `t2`.`slug` as `c2`, `t2`.`body` as `c3`, `t2`.`status` as `c4`, `t2`.`author` as `c5`, `t2`.`category` as `c6`, `t2`.`published` as `c7`, `t2`.`edited` as `c8`, `t2`.`event_date` as `c9`, `t2`.`event_time` as `c10`, `t2`.`price` as `c11`, `t2`.`views` as `c12`, `t2`.`rating` as `c13`, `t2`.`score` as `c14`, `t2`.`featured` as `c15`, `t2`.`details` as `c16`, `t2`.`keywords` as `c17`, `t2`.`external_id` as `c18`, (
    select concat('[', coalesce(group_concat(coalesce(`t3`.`id`, 'null') order by `t3`.`id` separator ', ' limit 100), ''), ']')
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c19`, (
    select concat('[', coalesce(group_concat(coalesce(`t4`.`id`, 'null') order by `t4`.`sort` is null, `t4`.`sort`, `t4`.`id` separator ', ' limit 100), ''), ']')
    from `app`.`articles_tags` as `t4`
    where `t4`.`articles_id` = `t2`.`id`
  ) as `c20`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`title`, `t1`.`slug`, `t1`.`body`, `t1`.`status`, `t1`.`author`, `t1`.`category`, `t1`.`published`, `t1`.`edited`, `t1`.`event_date`, `t1`.`event_time`, `t1`.`price`, `t1`.`views`, `t1`.`rating`, `t1`.`score`, `t1`.`featured`, `t1`.`details`, `t1`.`keywords`, `t1`.`external_id`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 2
  ) as `t2`
) as r on true
order by `r`.`o0`
