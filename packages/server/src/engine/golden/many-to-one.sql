-- comments {"fields":["id","article.title","article.author.name"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select to_json(o.*)
    from (
      select "t3"."title" as "title", (
        select to_json(o.*)
        from (
          select "t4"."name" as "name"
          from "public"."authors" as "t4"
          where "t4"."id" = "t3"."author"
        ) o
      ) as "author"
      from "public"."articles" as "t3"
      where "t3"."id" = "t2"."article"
    ) o
  ) as "c1"
  from (
    select "t1"."id", "t1"."article"
    from "public"."comments" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, (
    select concat(?, coalesce(json_quote(`t3`.`title`), 'null'), ?, coalesce((
      select concat(?, coalesce(json_quote(`t4`.`name`), 'null'), '}')
      from `app`.`authors` as `t4`
      where `t4`.`id` = `t3`.`author`
    ), 'null'), '}')
    from `app`.`articles` as `t3`
    where `t3`.`id` = `t2`.`article`
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`article`, `t1`.`id` as `s0`
    from `app`.`comments` as `t1`
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
  select 1 as p, "t2"."id" as "c0", (
    select concat(?, ifnull(json_quote(iif(typeof("t3"."title") <> 'blob', "t3"."title", tain_text("t3"."title"))), 'null'), ?, ifnull((
      select concat(?, ifnull(json_quote(iif(typeof("t4"."name") <> 'blob', "t4"."name", tain_text("t4"."name"))), 'null'), '}')
      from "main"."authors" as "t4"
      where "t4"."id" = "t3"."author"
    ), 'null'), '}')
    from "main"."articles" as "t3"
    where "t3"."id" = "t2"."article"
  ) as "c1"
  from (
    select "t1"."id", "t1"."article"
    from "main"."comments" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
