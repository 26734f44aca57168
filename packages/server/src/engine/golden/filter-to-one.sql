-- comments {"fields":"id","filter":{"article":{"author":{"name":"Ana"}}}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."comments" as "t1"
  where exists (
    select 1
    from "public"."articles" as "t2"
    where ("t2"."id" = "t1"."article" and exists (
      select 1
      from "public"."authors" as "t3"
      where ("t3"."id" = "t2"."author" and "t3"."name" = $1::character varying)
    ))
  )
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`comments` as `t1`
  where exists (
    select 1
    from `app`.`articles` as `t2`
    where (`t2`.`id` = `t1`.`article` and exists (
      select 1
      from `app`.`authors` as `t3`
      where (`t3`.`id` = `t2`.`author` and `t3`.`name` = ?)
    ))
  )
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."comments" as "t1"
  where exists (
    select 1
    from "main"."articles" as "t2"
    where ("t2"."id" = "t1"."article" and exists (
      select 1
      from "main"."authors" as "t3"
      where ("t3"."id" = "t2"."author" and "t3"."name" = ?)
    ))
  )
  order by "t1"."id"
  limit 100
) as r on true
