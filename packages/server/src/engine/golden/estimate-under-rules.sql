-- articles {"fields":"title","filter":{"status":"published"},"meta":"estimated_count","count_up_to":1000}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "public"."articles" as "t3"
    where (("t3"."status" = $1::character varying or exists (
      select 1
      from "public"."authors" as "t4"
      where ("t4"."id" = "t3"."author" and "t4"."name" = $2::character varying)
    )) and case when "t3"."status" = $3::character varying then "t3"."status" end = $4::character varying)
    limit 1001
  ) as "t5"
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0"
  from "public"."articles" as "t1"
  where (("t1"."status" = $5::character varying or exists (
    select 1
    from "public"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = $6::character varying)
  )) and case when "t1"."status" = $7::character varying then "t1"."status" end = $8::character varying)
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select count(*)
  from (
    select 1 as one
    from `app`.`articles` as `t3`
    where ((`t3`.`status` = ? or exists (
      select 1
      from `app`.`authors` as `t4`
      where (`t4`.`id` = `t3`.`author` and `t4`.`name` = ?)
    )) and case when `t3`.`status` = ? then `t3`.`status` end = ?)
    limit 1001
  ) as `t5`
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`title` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where ((`t1`.`status` = ? or exists (
    select 1
    from `app`.`authors` as `t2`
    where (`t2`.`id` = `t1`.`author` and `t2`.`name` = ?)
  )) and case when `t1`.`status` = ? then `t1`.`status` end = ?)
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "main"."articles" as "t3"
    where (("t3"."status" = ? or exists (
      select 1
      from "main"."authors" as "t4"
      where ("t4"."id" = "t3"."author" and "t4"."name" = ?)
    )) and case when "t3"."status" = ? then "t3"."status" end = ?)
    limit 1001
  ) as "t5"
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0"
  from "main"."articles" as "t1"
  where (("t1"."status" = ? or exists (
    select 1
    from "main"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = ?)
  )) and case when "t1"."status" = ? then "t1"."status" end = ?)
  order by "t1"."id"
  limit 100
) as r on true
