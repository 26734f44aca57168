select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t3"."product" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."note") <> 'blob', "t4"."note", tain_text("t4"."note"))), 'null'), '}') as k
      from "main"."order_line_notes" as "t4"
      where ("t4"."order_no" = "t3"."order_no" and "t4"."line_no" = "t3"."line_no")
      order by "t4"."id"
      limit 100
    ) o
  ) as "c1"
  from (
    select "t1"."product", "t1"."order_no", "t1"."line_no"
    from "main"."order_lines" as "t1"
    where exists (
      select 1
      from "main"."order_line_notes" as "t2"
      where (("t2"."order_no" = "t1"."order_no" and "t2"."line_no" = "t1"."line_no") and true)
    )
    order by "t1"."order_no", "t1"."line_no"
    limit 100
  ) as "t3"
) as r on true
