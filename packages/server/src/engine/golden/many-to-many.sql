-- articles {"fields":["title","tags.tag.label"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select (
        select to_json(o.*)
        from (
          select "t5"."label" as "label"
          from "public"."tags" as "t5"
          where "t5"."id" = "t4"."tag"
        ) o
      ) as "tag"
      from (
        select "t3"."tag"
        from "public"."articles_tags" as "t3"
        where "t3"."article" = "t2"."id"
        order by "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`title` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce((
      select concat(?, coalesce(json_quote(`t4`.`label`), 'null'), '}')
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tag`
    ), 'null'), '}') order by `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`articles_tags` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c1`, `t2`.`s0` as `o0`
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
select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull((
        select concat(?, ifnull(json_quote(iif(typeof("t5"."label") <> 'blob', "t5"."label", tain_text("t5"."label"))), 'null'), '}')
        from "main"."tags" as "t5"
        where "t5"."id" = "t4"."tag"
      ), 'null'), '}') as k
      from (
        select "t3"."tag"
        from "main"."articles_tags" as "t3"
        where "t3"."article" = "t2"."id"
        order by "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
