select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0",
  case "t2"."collection"
  when ? then (
    select concat(?, ifnull("t3"."id", 'null'), ?, ifnull(json_quote("t3"."headline"), 'null'), ?, ifnull(json_quote("t3"."image"), 'null'), '}')
    from "main"."blocks_hero" as "t3"
    where "t3"."id" = (case when ("t2"."item" not glob '*[^0-9-]*' and ltrim("t2"."item", '-') not glob '*-*' and length("t2"."item") between 1 and 19 and "t2"."item" <> '-') then cast("t2"."item" as integer) end)
  )
  when ? then (
    select concat(?, ifnull("t4"."id", 'null'), ?, ifnull(json_quote("t4"."heading"), 'null'), ?, ifnull(json_quote("t4"."content"), 'null'), '}')
    from "main"."blocks_text" as "t4"
    where "t4"."id" = (case when ("t2"."item" not glob '*[^0-9-]*' and ltrim("t2"."item", '-') not glob '*-*' and length("t2"."item") between 1 and 19 and "t2"."item" <> '-') then cast("t2"."item" as integer) end)
  )
  when ? then (
    select concat(?, ifnull(json_quote("t5"."id"), 'null'), ?, ifnull(json_quote("t5"."heading"), 'null'), ?, ifnull(case when json_valid("t5"."images") then "t5"."images" else json_quote("t5"."images") end, 'null'), ?, ifnull("t5"."columns", 'null'), '}')
    from "main"."blocks_gallery" as "t5"
    where "t5"."id" = lower("t2"."item")
  )
  else json_quote("t2"."item") end as "c1"
  from (
    select "t1"."id", "t1"."item", "t1"."collection"
    from "main"."pages_blocks" as "t1"
    where "t1"."pages_id" = cast(? as integer)
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
