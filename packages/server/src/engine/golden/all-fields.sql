-- comments {"fields":"*"}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."article" as "c1", "t1"."body" as "c2", "t1"."created" as "c3"
  from "public"."comments" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`article` as `c1`, `t1`.`body` as `c2`, `t1`.`created` as `c3`, `t1`.`id` as `o0`
  from `app`.`comments` as `t1`
  where true
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."article" as "c1", "t1"."body" as "c2", "t1"."created" as "c3"
  from "main"."comments" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true
