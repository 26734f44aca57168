-- order_lines {}

-- postgres
select v.stamp, "t1"."order_no", "t1"."order_no", "t1"."line_no", "t1"."product", "t1".xmin::text
from "service"."service_version" as v
left join "public"."order_lines" as "t1" on ("t1"."order_no" = $1::integer and "t1"."line_no" = $2::integer)

-- mysql
select v.stamp, `t1`.`order_no`, `t1`.`order_no`, `t1`.`line_no`, `t1`.`product`
from `service`.`service_version` as v
left join `app`.`order_lines` as `t1` on (`t1`.`order_no` = cast(? as signed) and `t1`.`line_no` = cast(? as signed))

-- sqlite
select v.stamp, "t1"."order_no", "t1"."order_no", "t1"."line_no", "t1"."product"
from "main"."service_version" as v
left join "main"."order_lines" as "t1" on ("t1"."order_no" = cast(? as integer) and "t1"."line_no" = cast(? as integer))
