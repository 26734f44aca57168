select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0",
  case "t2"."collection"
  when ? then (
    select concat(?, ifnull(iif("t3"."id" is cast("t3"."id" as integer) and "t3"."id" between -9007199254740991 and 9007199254740991, "t3"."id", tain_integer("t3"."id")), 'null'), ?, ifnull(json_quote(iif(typeof("t3"."headline") <> 'blob', "t3"."headline", tain_text("t3"."headline"))), 'null'), ?, ifnull(json_quote(iif(typeof("t3"."image") <> 'blob', "t3"."image", tain_text("t3"."image"))), 'null'), '}')
    from "main"."blocks_hero" as "t3"
    where "t3"."id" = (case when ("t2"."item" not glob '*[^0-9-]*' and ltrim("t2"."item", '-') not glob '*-*' and length(ltrim("t2"."item", '-')) between 1 and 19 and "t2"."item" <> '-') then cast("t2"."item" as integer) end)
  )
  when ? then (
    select concat(?, ifnull(iif("t4"."id" is cast("t4"."id" as integer) and "t4"."id" between -9007199254740991 and 9007199254740991, "t4"."id", tain_integer("t4"."id")), 'null'), ?, ifnull(json_quote(iif(typeof("t4"."heading") <> 'blob', "t4"."heading", tain_text("t4"."heading"))), 'null'), ?, ifnull(json_quote(iif(typeof("t4"."content") <> 'blob', "t4"."content", tain_text("t4"."content"))), 'null'), '}')
    from "main"."blocks_text" as "t4"
    where "t4"."id" = (case when ("t2"."item" not glob '*[^0-9-]*' and ltrim("t2"."item", '-') not glob '*-*' and length(ltrim("t2"."item", '-')) between 1 and 19 and "t2"."item" <> '-') then cast("t2"."item" as integer) end)
  )
  when ? then (
    select concat(?, ifnull(json_quote(iif(typeof("t5"."id") in ('text', 'null'), "t5"."id", tain_text("t5"."id"))), 'null'), ?, ifnull(json_quote(iif(typeof("t5"."heading") <> 'blob', "t5"."heading", tain_text("t5"."heading"))), 'null'), ?, ifnull(iif(typeof("t5"."images") = 'text' and json_valid("t5"."images") and instr("t5"."images", char(0)) = 0, "t5"."images", tain_json_or_text("t5"."images")), 'null'), ?, ifnull(iif("t5"."columns" is cast("t5"."columns" as integer) and "t5"."columns" between -9007199254740991 and 9007199254740991, "t5"."columns", tain_integer("t5"."columns")), 'null'), '}')
    from "main"."blocks_gallery" as "t5"
    where "t5"."id" = lower("t2"."item")
  )
  else json_quote(tain_text("t2"."item")) end as "c1"
  from (
    select "t1"."id", "t1"."item", "t1"."collection"
    from "main"."pages_blocks" as "t1"
    where "t1"."pages_id" = cast(? as integer)
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
