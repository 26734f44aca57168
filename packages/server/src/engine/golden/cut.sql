-- articles {"fields":["id","title","document","comments.body"],"limit":5,"cut":200}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", left("t2"."title"::text, 200) as "c1",
  case
  when length("t2"."document"::text) > 200 then to_json(left("t2"."document"::text, 200))::text
  else "t2"."document"::text end as "c2", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select left("t3"."body"::text, 200) as "body"
      from "public"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c3"
  from (
    select "t1"."id", "t1"."title", "t1"."document"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 5
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, left(`t2`.`title`, 200) as `c1`, if(char_length(`t2`.`document`) > 200, json_quote(left(`t2`.`document`, 200)), `t2`.`document`) as `c2`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(left(`t3`.`body`, 200)), 'null'), '}') order by `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c3`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`title`, `t1`.`document`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 5
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", substr("t2"."title", 1, 200) as "c1", iif(typeof("t2"."document") = 'text' and length("t2"."document") > 200, json_quote(substr("t2"."document", 1, 200)), "t2"."document") as "c2", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof(substr("t3"."body", 1, 200)) <> 'blob', substr("t3"."body", 1, 200), tain_text(substr("t3"."body", 1, 200)))), 'null'), '}') as k
      from "main"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c3"
  from (
    select "t1"."id", "t1"."title", "t1"."document"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 5
  ) as "t2"
) as r on true
