-- articles {"fields":["title","first.body","last.body"],"alias":{"first":"comments","last":"comments"},"deep":{"first":{"_sort":"created","_limit":1},"last":{"_sort":"-created","_limit":1}}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t3"."body" as "body"
      from "public"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."created", "t3"."id"
      limit 1
    ) o
  ) as "c1", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t4"."body" as "body"
      from "public"."comments" as "t4"
      where "t4"."article" = "t2"."id"
      order by "t4"."created" desc, "t4"."id"
      limit 1
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."id"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`title` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`body`), 'null'), '}') order by `t3`.`created` is null, `t3`.`created`, `t3`.`id` separator ', 
 ' limit 1), ''), ']')
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c1`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t4`.`body`), 'null'), '}') order by `t4`.`created` is null desc, `t4`.`created` desc, `t4`.`id` separator ', 
 ' limit 1), ''), ']')
    from `app`.`comments` as `t4`
    where `t4`.`article` = `t2`.`id`
  ) as `c2`, `t2`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t3"."body") <> 'blob', "t3"."body", tain_text("t3"."body"))), 'null'), '}') as k
      from "main"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by tain_moment("t3"."created") nulls last, "t3"."id"
      limit 1
    ) o
  ) as "c1", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."body") <> 'blob', "t4"."body", tain_text("t4"."body"))), 'null'), '}') as k
      from "main"."comments" as "t4"
      where "t4"."article" = "t2"."id"
      order by tain_moment("t4"."created") desc nulls first, "t4"."id"
      limit 1
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."id"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
