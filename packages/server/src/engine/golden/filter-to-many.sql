-- articles {"fields":"id","filter":{"comments":{"_none":{"body":{"_null":true}}},"tags":{"tag":{"label":"x"}}}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where (not exists (
    select 1
    from "public"."comments" as "t2"
    where ("t2"."article" = "t1"."id" and "t2"."body" is null)
  ) and exists (
    select 1
    from "public"."articles_tags" as "t3"
    where ("t3"."article" = "t1"."id" and exists (
      select 1
      from "public"."tags" as "t4"
      where ("t4"."id" = "t3"."tag" and "t4"."label" = $1::character varying)
    ))
  ))
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (not exists (
    select 1
    from `app`.`comments` as `t2`
    where (`t2`.`article` = `t1`.`id` and `t2`.`body` is null)
  ) and exists (
    select 1
    from `app`.`articles_tags` as `t3`
    where (`t3`.`article` = `t1`.`id` and exists (
      select 1
      from `app`.`tags` as `t4`
      where (`t4`.`id` = `t3`.`tag` and `t4`.`label` = ?)
    ))
  ))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where (not exists (
    select 1
    from "main"."comments" as "t2"
    where ("t2"."article" = "t1"."id" and "t2"."body" is null)
  ) and exists (
    select 1
    from "main"."articles_tags" as "t3"
    where ("t3"."article" = "t1"."id" and exists (
      select 1
      from "main"."tags" as "t4"
      where ("t4"."id" = "t3"."tag" and "t4"."label" = ?)
    ))
  ))
  order by "t1"."id"
  limit 100
) as r on true
