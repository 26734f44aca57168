-- authors {"fields":["name","articles.title","articles.comments.*"],"deep":{"articles":{"_filter":{"status":"published"},"_sort":"-views","_limit":3,"comments":{"_limit":1,"_offset":2}}}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t4"."title" as "title", (
        select coalesce(json_agg(o.*), '[]'::json)
        from (
          select "t5"."id" as "id", "t5"."article" as "article", "t5"."body" as "body",
          case
          when "t5"."created" >= '0001-01-01'::timestamptz and "t5"."created" < 'infinity'::timestamptz then to_char("t5"."created", case when date_trunc('milliseconds', "t5"."created") = "t5"."created" then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end)
          else "t5"."created"::text end as "created"
          from "public"."comments" as "t5"
          where "t5"."article" = "t4"."id"
          order by "t5"."id"
          limit 1
          offset $1::bigint
        ) o
      ) as "comments"
      from (
        select "t3"."title", "t3"."id"
        from "public"."articles" as "t3"
        where ("t3"."author" = "t2"."id" and "t3"."status" = $2::character varying)
        order by "t3"."views" desc, "t3"."id"
        limit 3
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."name", "t1"."id"
    from "public"."authors" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`title`), 'null'), ?, coalesce((
      select concat('[', coalesce(group_concat(concat(?, coalesce(`t4`.`id`, 'null'), ?, coalesce(`t4`.`article`, 'null'), ?, coalesce(json_quote(`t4`.`body`), 'null'), ?, coalesce(concat('"', concat(left(date_format(nullif(`t4`.`created`, 0), '%Y-%m-%dT%H:%i:%s.%f'), if(microsecond(nullif(`t4`.`created`, 0)) % 1000 = 0, 23, 26)), 'Z'), '"'), 'null'), '}') order by `t4`.`id` separator ', 
 ' limit 1 offset ?), ''), ']')
      from `app`.`comments` as `t4`
      where `t4`.`article` = `t3`.`id`
    ), 'null'), '}') order by `t3`.`views` is null desc, `t3`.`views` desc, `t3`.`id` separator ', 
 ' limit 3), ''), ']')
    from `app`.`articles` as `t3`
    where (`t3`.`author` = `t2`.`id` and `t3`.`status` = ?)
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`name`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`authors` as `t1`
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
  select 1 as p, "t2"."name" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."title") <> 'blob', "t4"."title", tain_text("t4"."title"))), 'null'), ?, ifnull((
        select concat('[', group_concat(o.k, ','), ']')
        from (
          select concat(?, ifnull(iif("t5"."id" is cast("t5"."id" as integer) and "t5"."id" between -9007199254740991 and 9007199254740991, "t5"."id", tain_integer("t5"."id")), 'null'), ?, ifnull(iif("t5"."article" is cast("t5"."article" as integer) and "t5"."article" between -9007199254740991 and 9007199254740991, "t5"."article", tain_integer("t5"."article")), 'null'), ?, ifnull(json_quote(iif(typeof("t5"."body") <> 'blob', "t5"."body", tain_text("t5"."body"))), 'null'), ?, ifnull(json_quote(tain_shown_moment("t5"."created")), 'null'), '}') as k
          from "main"."comments" as "t5"
          where "t5"."article" = "t4"."id"
          order by "t5"."id"
          limit 1
          offset cast(? as integer)
        ) o
      ), 'null'), '}') as k
      from (
        select "t3"."title", "t3"."id"
        from "main"."articles" as "t3"
        where ("t3"."author" = "t2"."id" and "t3"."status" = ?)
        order by "t3"."views" desc nulls first, "t3"."id"
        limit 3
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."name", "t1"."id"
    from "main"."authors" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
