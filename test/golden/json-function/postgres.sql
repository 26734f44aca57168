select v.stamp, r.p, "r"."c0", "r"."c1"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", ("t1"."details" #> $1::text[]) as "c1"
  from "public"."articles" as "t1"
  where true
  order by nullif(("t1"."details" #> $2::text[])::jsonb, 'null'::jsonb), "t1"."id" desc
  limit 4
) as r on true
