select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where (("t1"."details"::jsonb #>> $1::text[]) = $2::text and (case when jsonb_typeof("t1"."details"::jsonb #> $3::text[]) = 'number' then ("t1"."details"::jsonb #>> $4::text[])::numeric end) > $5::numeric)
  order by "t1"."id"
  limit 100
) as r on true
