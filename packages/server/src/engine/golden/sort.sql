-- articles {"fields":"id","sort":["-published","author.name","count(comments)"],"limit":10,"page":3}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where true
  order by "t1"."published" desc, (
    select "t2"."name"
    from "public"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ), (
    select count(*)
    from "public"."comments" as "t3"
    where "t3"."article" = "t1"."id"
  ), "t1"."id"
  limit 10
  offset $1::bigint
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`published` as `o0`, (
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) as `o1`, (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t1`.`id`
  ) as `o2`, `t1`.`id` as `o3`
  from `app`.`articles` as `t1`
  where true
  order by `t1`.`published` is null desc, `t1`.`published` desc, (
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) is null, (
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ), (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t1`.`id`
  ) is null, (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t1`.`id`
  ), `t1`.`id`
  limit 10
  offset ?
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2` is null, `r`.`o2`, `r`.`o3`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where true
  order by tain_moment("t1"."published") desc nulls first, (
    select "t2"."name"
    from "main"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) nulls last, (
    select count(*)
    from "main"."comments" as "t3"
    where "t3"."article" = "t1"."id"
  ) nulls last, "t1"."id"
  limit 10
  offset cast(? as integer)
) as r on true
