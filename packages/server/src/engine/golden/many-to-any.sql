-- pages {"fields":["title","blocks.item:heroes.headline","blocks.item:texts.content"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select
      case "t4"."collection"
      when $1::text then (
        select to_json(o.*)
        from (
          select "t5"."headline" as "headline"
          from "public"."heroes" as "t5"
          where "t5"."id" = (case when "t4"."item" ~ '^-?[0-9]{1,18}$' then "t4"."item"::int8 end)
        ) o
      )
      when $2::text then (
        select to_json(o.*)
        from (
          select "t6"."content" as "content"
          from "public"."texts" as "t6"
          where "t6"."id" = (case when "t4"."item" ~ '^-?[0-9]{1,18}$' then "t4"."item"::int8 end)
        ) o
      )
      else to_json("t4"."item") end as "item"
      from (
        select "t3"."item", "t3"."collection"
        from "public"."blocks" as "t3"
        where "t3"."page" = "t2"."id"
        order by "t3"."sort", "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "public"."pages" as "t1"
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
    select concat('[', coalesce(group_concat(concat(?, coalesce(case `t3`.`collection` when ? then (
      select concat(?, coalesce(json_quote(`t4`.`headline`), 'null'), '}')
      from `app`.`heroes` as `t4`
      where `t4`.`id` = (case when `t3`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t3`.`item` as signed) end)
    ) when ? then (
      select concat(?, coalesce(json_quote(`t5`.`content`), 'null'), '}')
      from `app`.`texts` as `t5`
      where `t5`.`id` = (case when `t3`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t3`.`item` as signed) end)
    ) else json_quote(`t3`.`item`) end, 'null'), '}') order by `t3`.`sort` is null, `t3`.`sort`, `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`blocks` as `t3`
    where `t3`.`page` = `t2`.`id`
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`pages` as `t1`
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
      select concat(?, ifnull(case "t4"."collection" when ? then (
        select concat(?, ifnull(json_quote(iif(typeof("t5"."headline") <> 'blob', "t5"."headline", tain_text("t5"."headline"))), 'null'), '}')
        from "main"."heroes" as "t5"
        where "t5"."id" = (case when ("t4"."item" not glob '*[^0-9-]*' and ltrim("t4"."item", '-') not glob '*-*' and length(ltrim("t4"."item", '-')) between 1 and 19 and "t4"."item" <> '-') then cast("t4"."item" as integer) end)
      ) when ? then (
        select concat(?, ifnull(json_quote(iif(typeof("t6"."content") <> 'blob', "t6"."content", tain_text("t6"."content"))), 'null'), '}')
        from "main"."texts" as "t6"
        where "t6"."id" = (case when ("t4"."item" not glob '*[^0-9-]*' and ltrim("t4"."item", '-') not glob '*-*' and length(ltrim("t4"."item", '-')) between 1 and 19 and "t4"."item" <> '-') then cast("t4"."item" as integer) end)
      ) else json_quote(tain_text("t4"."item")) end, 'null'), '}') as k
      from (
        select "t3"."item", "t3"."collection"
        from "main"."blocks" as "t3"
        where "t3"."page" = "t2"."id"
        order by "t3"."sort" nulls last, "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "main"."pages" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
