select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."collection") <> 'blob', "t4"."collection", tain_text("t4"."collection"))), 'null'), ?, ifnull(case "t4"."collection" when ? then (
        select concat(?, ifnull(json_quote(iif(typeof("t5"."headline") <> 'blob', "t5"."headline", tain_text("t5"."headline"))), 'null'), '}')
        from "main"."blocks_hero" as "t5"
        where "t5"."id" = (case when ("t4"."item" not glob '*[^0-9-]*' and ltrim("t4"."item", '-') not glob '*-*' and length(ltrim("t4"."item", '-')) between 1 and 19 and "t4"."item" <> '-') then cast("t4"."item" as integer) end)
      ) when ? then (
        select concat(?, ifnull(json_quote(iif(typeof("t6"."content") <> 'blob', "t6"."content", tain_text("t6"."content"))), 'null'), '}')
        from "main"."blocks_text" as "t6"
        where "t6"."id" = (case when ("t4"."item" not glob '*[^0-9-]*' and ltrim("t4"."item", '-') not glob '*-*' and length(ltrim("t4"."item", '-')) between 1 and 19 and "t4"."item" <> '-') then cast("t4"."item" as integer) end)
      ) when ? then json_quote(tain_text("t4"."item")) else json_quote(tain_text("t4"."item")) end, 'null'), '}') as k
      from (
        select "t3"."collection", "t3"."item"
        from "main"."pages_blocks" as "t3"
        where "t3"."pages_id" = "t2"."id"
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
