-- order_lines {"fields":"product"}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."product" as "c0"
  from rows
  from (json_to_recordset($1::json) as ("f0" integer, "f1" integer)) with ordinality as "t2"("f0", "f1", "n") join "public"."order_lines" as "t1" on ("t1"."order_no" = "t2"."f0" and "t1"."line_no" = "t2"."f1")
  where true
  order by "t2"."n"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`product` as `c0`, `t2`.`n` as `o0`
  from json_table(?, '$[*]' columns (n for ordinality, `f0` bigint path '$.f0', `f1` bigint path '$.f1')) as `t2` join `app`.`order_lines` as `t1` on (`t1`.`order_no` = `t2`.`f0` and `t1`.`line_no` = `t2`.`f1`)
  where true
  order by `t2`.`n`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."product" as "c0"
  from (
    select value ->> '$.f0' as "f0", value ->> '$.f1' as "f1", key + 1 as n
    from json_each(?)
  ) as "t2" join "main"."order_lines" as "t1" on ("t1"."order_no" = "t2"."f0" and "t1"."line_no" = "t2"."f1")
  where true
  order by "t2"."n"
) as r on true
