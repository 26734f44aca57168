select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", tain_json_at("t1"."details", ?) as "c1"
  from "main"."articles" as "t1"
  where true
  order by tain_document_key(tain_json_at("t1"."details", ?)) nulls last, "t1"."id" desc
  limit 4
) as r on true
