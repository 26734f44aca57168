select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, (
    select if(count(*) = count(`t2`.`likes`), max(`t2`.`likes`), null)
    from `app`.`comments` as `t2`
    where `t2`.`article` = `t1`.`id`
  ) as `o0`, (
    select min((
      select `t4`.`name`
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tags_id`
    ))
    from `app`.`articles_tags` as `t3`
    where `t3`.`articles_id` = `t1`.`id`
  ) as `o1`, `t1`.`id` as `o2`
  from `app`.`articles` as `t1`
  where true
  order by (
    select if(count(*) = count(`t2`.`likes`), max(`t2`.`likes`), null)
    from `app`.`comments` as `t2`
    where `t2`.`article` = `t1`.`id`
  ) is null desc, (
    select if(count(*) = count(`t2`.`likes`), max(`t2`.`likes`), null)
    from `app`.`comments` as `t2`
    where `t2`.`article` = `t1`.`id`
  ) desc, (
    select min((
      select `t4`.`name`
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tags_id`
    ))
    from `app`.`articles_tags` as `t3`
    where `t3`.`articles_id` = `t1`.`id`
  ) is null, (
    select min((
      select `t4`.`name`
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tags_id`
    ))
    from `app`.`articles_tags` as `t3`
    where `t3`.`articles_id` = `t1`.`id`
  ), `t1`.`id`
  limit 4
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2`
