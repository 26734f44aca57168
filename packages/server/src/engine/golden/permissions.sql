-- articles {"fields":["title","author.name","comments.body"],"filter":{"status":"published"}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, "t3"."title" as "c0",
  case
  when "t3"."f0" then (
    select to_json(o.*)
    from (
      select "t4"."name" as "name"
      from "public"."authors" as "t4"
      where "t4"."id" = "t3"."author"
    ) o
  ) end as "c1", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t5"."body" as "body"
      from "public"."comments" as "t5"
      where ("t5"."article" = "t3"."id" and exists (
        select 1
        from "public"."articles" as "t6"
        where ("t6"."id" = "t5"."article" and "t6"."status" = $1::character varying)
      ))
      order by "t5"."id"
      limit 100
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."author", "t1"."id", "t1"."status" = $2::character varying as "f0"
    from "public"."articles" as "t1"
    where (("t1"."status" = $3::character varying or exists (
      select 1
      from "public"."authors" as "t2"
      where ("t2"."id" = "t1"."author" and "t2"."name" = $4::character varying)
    )) and case when "t1"."status" = $5::character varying then "t1"."status" end = $6::character varying)
    order by "t1"."id"
    limit 100
  ) as "t3"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, `t3`.`title` as `c0`,
  case
  when `t3`.`f0` then (
    select concat(?, coalesce(json_quote(`t4`.`name`), 'null'), '}')
    from `app`.`authors` as `t4`
    where `t4`.`id` = `t3`.`author`
  ) end as `c1`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t5`.`body`), 'null'), '}') order by `t5`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`comments` as `t5`
    where (`t5`.`article` = `t3`.`id` and exists (
      select 1
      from `app`.`articles` as `t6`
      where (`t6`.`id` = `t5`.`article` and `t6`.`status` = ?)
    ))
  ) as `c2`, `t3`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`author`, `t1`.`id`, `t1`.`status` = ? as `f0`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where ((`t1`.`status` = ? or exists (
      select 1
      from `app`.`authors` as `t2`
      where (`t2`.`id` = `t1`.`author` and `t2`.`name` = ?)
    )) and case when `t1`.`status` = ? then `t1`.`status` end = ?)
    order by `t1`.`id`
    limit 100
  ) as `t3`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t3"."title" as "c0",
  case
  when "t3"."f0" then (
    select concat(?, ifnull(json_quote(iif(typeof("t4"."name") <> 'blob', "t4"."name", tain_text("t4"."name"))), 'null'), '}')
    from "main"."authors" as "t4"
    where "t4"."id" = "t3"."author"
  ) end as "c1", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t5"."body") <> 'blob', "t5"."body", tain_text("t5"."body"))), 'null'), '}') as k
      from "main"."comments" as "t5"
      where ("t5"."article" = "t3"."id" and exists (
        select 1
        from "main"."articles" as "t6"
        where ("t6"."id" = "t5"."article" and "t6"."status" = ?)
      ))
      order by "t5"."id"
      limit 100
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."author", "t1"."id", "t1"."status" = ? as "f0"
    from "main"."articles" as "t1"
    where (("t1"."status" = ? or exists (
      select 1
      from "main"."authors" as "t2"
      where ("t2"."id" = "t1"."author" and "t2"."name" = ?)
    )) and case when "t1"."status" = ? then "t1"."status" end = ?)
    order by "t1"."id"
    limit 100
  ) as "t3"
) as r on true
