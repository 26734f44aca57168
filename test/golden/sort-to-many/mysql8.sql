select v.stamp, r.p, `r`.`c0`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`
  from `app`.`articles` as `t1`
  where true
  order by (
    select `t2`.`likes` as `tain first`
    from `app`.`comments` as `t2`
    where `t2`.`article` = `t1`.`id`
    order by `tain first` is null desc, `tain first` desc
    limit 1
  ) is null desc, (
    select `t2`.`likes` as `tain first`
    from `app`.`comments` as `t2`
    where `t2`.`article` = `t1`.`id`
    order by `tain first` is null desc, `tain first` desc
    limit 1
  ) desc, (
    select (
      select `t4`.`name`
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tags_id`
    ) as `tain first`
    from `app`.`articles_tags` as `t3`
    where `t3`.`articles_id` = `t1`.`id`
    order by `tain first` is null, `tain first`
    limit 1
  ) is null, (
    select (
      select `t4`.`name`
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tags_id`
    ) as `tain first`
    from `app`.`articles_tags` as `t3`
    where `t3`.`articles_id` = `t1`.`id`
    order by `tain first` is null, `tain first`
    limit 1
  ), `t1`.`id`
  limit 4
) as r on true
