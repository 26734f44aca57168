select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where (tain_text_at("t1"."details", ?) = ? and cast(tain_number_at("t1"."details", ?) as numeric) > cast(? as numeric))
  order by "t1"."id"
  limit 100
) as r on true
