select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."note" as "c0", (
    select concat(?, ifnull(json_quote(iif(typeof("t3"."product") <> 'blob', "t3"."product", tain_text("t3"."product"))), 'null'), ?, ifnull(iif("t3"."quantity" is cast("t3"."quantity" as integer) and "t3"."quantity" between -9007199254740991 and 9007199254740991, "t3"."quantity", tain_integer("t3"."quantity")), 'null'), '}')
    from "main"."order_lines" as "t3"
    where ("t3"."order_no" = "t2"."order_no" and "t3"."line_no" = "t2"."line_no")
  ) as "c1"
  from (
    select "t1"."note", "t1"."order_no", "t1"."line_no"
    from "main"."order_line_notes" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
