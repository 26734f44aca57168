-- articles {"fields":"id","filter":{"views":{"_gt":5}},"meta":["total_count","filter_count"],"count_up_to":1000}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "public"."articles" as "t2"
    where true
    limit 1001
  ) as "t3"
), (
  select count(*)
  from (
    select 1 as one
    from "public"."articles" as "t4"
    where "t4"."views" > $1::integer
    limit 1001
  ) as "t5"
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where "t1"."views" > $2::integer
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select count(*)
  from (
    select 1 as one
    from `app`.`articles` as `t2`
    where true
    limit 1001
  ) as `t3`
), (
  select count(*)
  from (
    select 1 as one
    from `app`.`articles` as `t4`
    where `t4`.`views` > cast(? as signed)
    limit 1001
  ) as `t5`
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where `t1`.`views` > cast(? as signed)
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "main"."articles" as "t2"
    where true
    limit 1001
  ) as "t3"
), (
  select count(*)
  from (
    select 1 as one
    from "main"."articles" as "t4"
    where "t4"."views" > cast(? as integer)
    limit 1001
  ) as "t5"
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where "t1"."views" > cast(? as integer)
  order by "t1"."id"
  limit 100
) as r on true
