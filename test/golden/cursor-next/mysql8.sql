select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`, `r`.`c4`
from `app`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`price` as `c1`, cast(`t1`.`price` as char) as `c2`, cast((
    select `t3`.`name`
    from `app`.`authors` as `t3`
    where `t3`.`id` = `t1`.`author`
  ) as char) as `c3`, cast(`t1`.`id` as char) as `c4`, `t1`.`price` as `o0`, (
    select `t4`.`name`
    from `app`.`authors` as `t4`
    where `t4`.`id` = `t1`.`author`
  ) as `o1`, `t1`.`id` as `o2`
  from `app`.`articles` as `t1`
  where (`t1`.`price` <= cast(? as decimal(65, 30)) and (`t1`.`price` < cast(? as decimal(65, 30)) or (`t1`.`price` = cast(? as decimal(65, 30)) and (((
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) > ? or (
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) is null) or ((
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) = ? and `t1`.`id` > cast(? as signed))))))
  order by `t1`.`price` is null desc, `t1`.`price` desc, (
    select `t4`.`name`
    from `app`.`authors` as `t4`
    where `t4`.`id` = `t1`.`author`
  ) is null, (
    select `t4`.`name`
    from `app`.`authors` as `t4`
    where `t4`.`id` = `t1`.`author`
  ), `t1`.`id`
  limit 4
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2`
